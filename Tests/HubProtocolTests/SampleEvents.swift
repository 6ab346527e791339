import HubProtocol

/// The events of `protocol/vectors/events.json`, by name.
enum SampleEvents {
  static let all: [String: Event] = channels.merging(own) { first, _ in first }

  private static let forChannel = Message(
    channel: Sample.room, seq: 42, user: Sample.ann, ts: Sample.ts,
    content: MessageContent(data: raw("0"), mentionsChannel: true))

  private static let channels: [String: Event] = [
    "message": .message(Sample.yes(from: Sample.ann), toSender: false),
    "message with everything": .message(Sample.full, toSender: false),
    "message to its sender": .message(Sample.full, toSender: true),
    "message of data for the channel": .message(forChannel, toSender: true),
    "typing": .typing(Sample.room, users: [Sample.ann, Sample.bob]),
    "typing of nobody": .typing(Sample.room, users: []),
    "typing as a number": .typingCount(Sample.room, 101),
    "receipt": .receipt(Sample.room, user: Sample.ann, read: 41, delivered: 42),
    "receipt as numbers": .readBy(
      Sample.room, [ReadCount(seq: 41, members: 340), ReadCount(seq: 42, members: 12)]),
    "member": .member(Sample.room, user: Sample.ann, .joined, .member),
    "member without role": .member(Sample.room, user: Sample.ann, .removed, nil),
    "channel.created": .channelCreated(Sample.summary),
    "unsubscribed": .unsubscribed(Sample.room, .banned),
  ]

  private static let own: [String: Event] = [
    "activity": .activity(
      Activity(
        channel: Sample.room, seq: 42, user: Sample.ann, ts: Sample.ts, preview: "hi \"bob\"")),
    "unread": .unread(
      UnreadCounts(channel: Sample.room, unread: 1_000, mentions: 2, total: 1_003, at: 42)),
    "inbox.added": .inboxAdded(Sample.item, counts: Sample.counts, at: 99),
    "inbox.updated": .inboxUpdated(Sample.fullItem, counts: Sample.counts, at: 99),
    "inbox.removed": .inboxRemoved(ids: [17, 18], counts: InboxCounts(), at: 100),
    "error": .error(op: "typing", Refusal(.notMember, "join first")),
    "error of an unknown operation": .error(
      op: "a\"b\u{1}", Refusal(.unknownOperation, "the hub has no such operation")),
    "error without op": .error(op: nil, Refusal(.badRequest, "no")),
  ]
}
