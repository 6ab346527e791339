import HubProtocol

/// The events of `protocol/vectors/events.json`, by name.
enum SampleEvents {
  static let all: [String: Event] = [channels, changes, people, own, inbox].reduce(into: [:]) {
    $0.merge($1) { first, _ in first }
  }

  private static let forChannel = Message(
    channel: Sample.room, seq: 42, user: Sample.ann, ts: Sample.ts,
    content: MessageContent(data: raw("0"), mentionsChannel: true))

  private static let channels: [String: Event] = [
    "message": .message(Sample.yes(from: Sample.ann), toSender: false),
    "message with everything": .message(Sample.full, toSender: false),
    "message to its sender": .message(Sample.full, toSender: true),
    "message of data for the channel": .message(forChannel, toSender: true),
    "message whose sender is blocked": .hiddenMessage(Sample.room, seq: 42),
    "signal": .signal(
      Signal(channel: Sample.room, name: "wave \"hi\"", data: raw("[1, 2]")), from: Sample.ann),
    "signal without data": .signal(
      Signal(channel: Sample.room, name: "wave"), from: Sample.ann),
    "typing": .typing(Sample.room, users: [Sample.ann, Sample.bob]),
    "typing of nobody": .typing(Sample.room, users: []),
    "typing as a number": .typingCount(Sample.room, 101),
    "receipt": .receipt(Sample.room, user: Sample.ann, read: 41, delivered: 42),
    "receipt as numbers": .readBy(
      Sample.room, [ReadCount(seq: 41, members: 340), ReadCount(seq: 42, members: 12)]),
    "member": .member(Sample.room, user: Sample.ann, .joined, .member),
    "member without role": .member(Sample.room, user: Sample.ann, .removed, nil),
    "channel.created": .channelCreated(Sample.summary),
    "channel.updated": .channelUpdated(Sample.summary),
    "channel.deleted": .channelDeleted(Sample.room),
    "unsubscribed": .unsubscribed(Sample.room, .banned),
  ]

  private static let changes: [String: Event] = [
    "message.updated": .messageChanged(MessageChange(Sample.edited)),
    "message.updated to its sender": .messageChanged(
      MessageChange(Sample.edited, toSender: true)),
    "message.updated whose sender is blocked": .messageChanged(
      MessageChange(Sample.edited, toSender: true, isHidden: true)),
    "message.deleted": .messageChanged(MessageChange(Sample.deleted)),
    "message.deleted to its sender": .messageChanged(
      MessageChange(Sample.deleted, toSender: true)),
    "message.deleted whose sender is blocked": .messageChanged(
      MessageChange(Sample.deleted, isHidden: true)),
    "reaction": .reaction(reaction(isOn: true, count: 2)),
    "reaction taken back": .reaction(reaction(isOn: false, count: 0)),
  ]

  private static func reaction(isOn: Bool, count: Int) -> ReactionChange {
    ReactionChange(
      channel: Sample.room, seq: 42, user: Sample.ann, reaction: "👍", isOn: isOn, count: count,
      rev: 8)
  }

  private static let people: [String: Event] = [
    "presence": .presence(
      UserPresence(user: Sample.ann, status: .away, lastSeenTs: Sample.ts)),
    "presence of somebody never seen": .presence(
      UserPresence(user: Sample.ann, status: .offline, lastSeenTs: nil)),
    "present": .present(Sample.room, count: 240),
    "user": .user(Sample.fullUser),
    "self with settings": .ownSettings(UserSettings(), blocked: []),
    "self with all settings": .ownSettings(
      Sample.fullSettings, blocked: [Sample.ann, Sample.bob]),
    "self with a muted channel": .ownMute(Sample.room, isMuted: true),
  ]

  private static let own: [String: Event] = [
    "activity": .activity(
      Activity(
        channel: Sample.room, seq: 42, user: Sample.ann, ts: Sample.ts, preview: "hi \"bob\"")),
    "unread": .unread(
      UnreadCounts(channel: Sample.room, unread: 1_000, mentions: 2, total: 1_003, at: 42)),
    "gap": .gap(Gap(channel: Sample.room, from: 43, to: 60, rev: 7)),
    "gap of the user stream": .userGap,
    "error": .error(op: "typing", Refusal(.notMember, "join first")),
    "error of an unknown operation": .error(
      op: "a\"b\u{1}", Refusal(.unknownOperation, "the hub has no such operation")),
    "error without op": .error(op: nil, Refusal(.badRequest, "no")),
  ]

  private static let inbox: [String: Event] = [
    "inbox.added": .inbox(.added(Sample.item), Sample.stand),
    "inbox.added by the hub": .inbox(.added(Sample.followedItem), Sample.stand),
    "inbox.updated": .inbox(.updated(Sample.fullItem), Sample.stand),
    "inbox.updated of an item that was followed": .inbox(
      .updated(Sample.followedItem), Sample.stand),
    "inbox.updated of several": .inbox(.marked(ids: [17, 18], .seen), Sample.stand),
    "inbox.removed": .inbox(.removed(ids: [17, 18], nil), Sample.emptied),
    "inbox.removed of one": .inbox(.removed(ids: [18], Sample.fullItem), Sample.stand),
    "inbox.removed of one that the hub made": .inbox(
      .removed(ids: [19], Sample.followedItem), Sample.emptied),
    "inbox.cleared": .inbox(.cleared, Sample.emptied),
    "notice": .notice(notice(.toast, .group, title: "Swift - The \"Helper\"", Sample.fullUser)),
    "notice in a direct channel": .notice(
      notice(.badge, .direct, title: "ann", User(id: Sample.ann))),
    "notice.retract": .noticeRetract(Sample.room, seq: 42),
  ]

  private static func notice(
    _ surface: NoticeSurface, _ kind: ChannelKind, title: String, _ sender: User
  ) -> Notice {
    Notice(
      surface: surface, channel: Sample.room, seq: 42, title: title, preview: "hi \"bob\"\n",
      sender: sender, kind: kind)
  }
}
