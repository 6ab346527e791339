import HubProtocol

/// The replies of `protocol/vectors/replies.json`, by name.
enum SampleReplies {
  /// What is answered.
  enum Answer: Sendable {
    case ok(Reply)
    case refusal(Refusal, id: Int)
  }

  static let all: [String: Answer] = [single, lists, inbox, messages, people].reduce(into: [:]) {
    $0.merge($1) { first, _ in first }
  }

  private static let single: [String: Answer] = [
    "empty": .ok(.empty),
    "hello": .ok(.hello(hello)),
    "hello with everything": .ok(.hello(fullHello)),
    "ping": .ok(.pong(serverTs: Sample.ts)),
    "channel": .ok(.channel(Sample.summary)),
    "channel with everything": .ok(.channel(Sample.fullSummary)),
    "channel with a hidden last message": .ok(.channel(hiddenSummary)),
    "admin.snapshot": .ok(
      .snapshot(CopyReply(path: "/d/a\\b", bytes: 4_096, lsn: 99, milliseconds: 12))),
    "admin.backup": .ok(
      .backup(CopyReply(path: "/d/a\\b", bytes: 8_192, lsn: 99, milliseconds: 34))),
    "message.send": .ok(.sent(seq: 42, ts: Sample.ts, isDuplicate: false)),
    "message.send a second time": .ok(.sent(seq: 42, ts: Sample.ts, isDuplicate: true)),
    "a refusal": .refusal(Refusal(.notMember, "join \"room:swift\" first"), id: 7),
    "a refusal that may pass": .refusal(
      Refusal(.rateLimited, "slower", retryAfterMilliseconds: 500), id: Limits.largestInteger),
  ]

  private static let lists: [String: Answer] = [
    "channels": .ok(.channels([Sample.summary, Sample.summary], cursor: nil)),
    "channels with a cursor": .ok(.channels([], cursor: "c2")),
  ]

  private static let inbox: [String: Answer] = [
    "notify": .ok(.notified(made: 2, unknown: [])),
    "notify with unknown users": .ok(.notified(made: 0, unknown: [Sample.ann, Sample.bob])),
    "notify.retract": .ok(.retracted(2, unknown: [])),
    "notify.retract with unknown users": .ok(
      .retracted(0, unknown: [Sample.ann, Sample.bob])),
    "inbox.list": .ok(
      .inbox(items: [Sample.item, Sample.fullItem], Sample.stand, cursor: "c2")),
    "inbox.list of what the hub made": .ok(
      .inbox(items: [Sample.followedItem], Sample.stand, cursor: nil)),
    "inbox.list of nothing": .ok(
      .inbox(items: [], InboxStand(counts: InboxCounts(), at: 0), cursor: nil)),
    "inbox.counts": .ok(.inboxCounts(Sample.stand)),
    "inbox.counts of nothing": .ok(.inboxCounts(Sample.emptied)),
    "inbox.mark": .ok(.inboxMarked(Sample.stand)),
    "inbox.delete": .ok(.inboxDeleted(2, Sample.stand)),
    "inbox.delete of nothing": .ok(.inboxDeleted(0, Sample.emptied)),
    "inbox.act": .ok(.inboxActed(Sample.fullItem.notification.target)),
    "inbox.act without target": .ok(.inboxActed(nil)),
    "inbox.opened": .ok(.empty),
  ]

  private static let messages: [String: Answer] = [
    "subscribe": .ok(.subscribed(subscribed(false, []))),
    "subscribe with messages of oneself and others": .ok(
      .subscribed(
        subscribed(
          true,
          [MessageView(Sample.full, isOwn: true), MessageView(Sample.yes(from: Sample.bob))]))),
    "subscribe with changes": .ok(
      .subscribed(
        subscribed(
          true, [],
          changed: [MessageView(Sample.deleted), MessageView(Sample.edited, mine: ["👍"])]))),
    "subscribe without changes": .ok(.subscribed(subscribed(true, [], changed: []))),
    "message.edit": .ok(.stamped(Sample.later)),
    "message.history": .ok(.history([MessageView(Sample.full)], hasMore: true)),
    "message.history of nothing": .ok(.history([], hasMore: false)),
    "message.history of messages in every state": .ok(
      .history(
        [
          MessageView(Sample.full, isHidden: true, mine: ["👍"]),
          MessageView(Sample.deleted, isOwn: true), MessageView(Sample.deleted),
          MessageView(Sample.edited, isOwn: true),
          MessageView(Sample.edited, mine: ["\"quoted\"", "👍", "gone"]),
        ], hasMore: false)),
    "message.thread": .ok(.history([MessageView(Sample.edited)], hasMore: true)),
    "message.search": .ok(.messages([MessageView(Sample.edited)], cursor: "c2")),
    "feed.list of nothing": .ok(.messages([], cursor: nil)),
    "message.flags": .ok(
      .flags([
        Flag(seq: 41, user: Sample.ann, ts: Sample.ts, reason: nil),
        Flag(seq: 42, user: Sample.bob, ts: Sample.later, reason: "rude \"word\""),
      ])),
    "message.flags of nothing": .ok(.flags([])),
  ]

  private static let people: [String: Answer] = [
    "member.list": .ok(.members([member, fullMember], cursor: "c2")),
    "member.list of nobody": .ok(.members([], cursor: nil)),
    "user.get": .ok(.users([User(id: Sample.ann), Sample.fullUser])),
    "user.search without a hit": .ok(.users([])),
    "user.settings": .ok(.settings(UserSettings(), blocked: [])),
    "user.settings with everything": .ok(
      .settings(Sample.fullSettings, blocked: [Sample.ann, Sample.bob])),
    "presence.get of users": .ok(
      .presence([
        UserPresence(user: Sample.ann, status: .dnd, lastSeenTs: Sample.ts),
        UserPresence(user: Sample.bob, status: .offline, lastSeenTs: nil),
      ])),
    "presence.get of channels": .ok(
      .channelPresence([
        ChannelPresence(channel: Sample.room, count: 2, users: [Sample.ann, Sample.bob]),
        ChannelPresence(channel: Sample.channel("room:empty"), count: 0, users: []),
        ChannelPresence(channel: Sample.channel("room:large"), count: 240, users: nil),
      ])),
  ]

  private static let member = Member(
    user: User(id: Sample.ann), role: .owner, isPresent: true, read: nil, delivered: nil,
    joinedTs: Sample.ts, custom: nil, silencedUntil: nil)

  private static let fullMember = Member(
    user: Sample.fullUser, role: .moderator, isPresent: false, read: 41, delivered: 42,
    joinedTs: Sample.ts, custom: raw("[1, 2]"), silencedUntil: Sample.later)

  private static let hiddenSummary: ChannelSummary = {
    var summary = Sample.summary
    summary.lastMessage = MessageView(Sample.full, isHidden: true)
    return summary
  }()

  private static func subscribed(
    _ isRecovered: Bool, _ messages: [MessageView], changed: [MessageView]? = nil
  ) -> SubscribeReply {
    SubscribeReply(
      epoch: "e1", seq: 42, rev: 7, isRecovered: isRecovered, messages: messages,
      changed: changed)
  }

  private static let hello = HelloReply(
    user: User(id: Sample.ann), session: "s1", serverTs: Sample.ts,
    heartbeatMilliseconds: 25_000, requestsPerSecond: nil,
    userStream: UserStream(
      at: "u1", isRecovered: false, channels: [], left: nil, hasMore: false))

  private static let fullHello = HelloReply(
    user: Sample.fullUser, session: "s1",
    serverTs: Sample.ts, heartbeatMilliseconds: 25_000, requestsPerSecond: 50,
    userStream: UserStream(
      at: "u1", isRecovered: true, channels: [Sample.summary, Sample.fullSummary],
      left: [Sample.channel("room:old")], hasMore: true))
}
