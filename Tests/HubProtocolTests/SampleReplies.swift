import HubProtocol

/// Values that the vectors and several suites speak of.
enum Sample {
  static let ts = Timestamp(milliseconds: 1_763_692_800_123)
  static let room = channel("room:swift")
  static let ann = user("ann")
  static let bob = user("bob")

  /// A channel whose name the test knows to be well formed.
  static func channel(_ name: String) -> ChannelName {
    guard let channel = ChannelName(name) else { preconditionFailure("a bad name: \(name)") }
    return channel
  }

  /// A user whose id the test knows to be well formed.
  static func user(_ id: String) -> UserID {
    guard let user = UserID(id) else { preconditionFailure("a bad id: \(id)") }
    return user
  }

  static let full = Message(
    channel: room, seq: 42, user: ann, ts: ts,
    content: MessageContent(
      text: "hi \"bob\"\n", attachments: raw(#"[{"kind":"image","url":"https://x/a.png"}]"#),
      data: raw(#"{"a": 1}"#), mentions: [bob], mentionsChannel: true),
    replyTo: 41, replyCount: 2, isBot: true, key: "c1-17")

  static func yes(from user: UserID) -> Message {
    Message(
      channel: room, seq: 42, user: user, ts: ts, content: MessageContent(text: "yes"),
      key: "secret")
  }

  static let summary = ChannelSummary(
    channel: room, kind: .public, profile: ChannelProfile(), memberCount: 3, presentCount: 1,
    epoch: "e1", seq: 42, rev: 7, updatedTs: ts, lastMessage: nil, standing: nil)

  static let fullSummary = ChannelSummary(
    channel: room, kind: .group,
    profile: ChannelProfile(
      name: "Swift", details: "d", avatar: "https://x/a.png", custom: raw(#"{"a": 1}"#)),
    memberCount: 3, presentCount: 1, epoch: "e1", seq: 42, rev: 7, updatedTs: ts,
    lastMessage: full,
    standing: Standing(unread: 5, mentions: 1, read: 37, role: .owner, isMuted: false))

  static let item = InboxItem(
    id: 17, notification: Notification(type: "like", text: "liked it"), ts: ts, state: .unseen,
    count: 1, actors: [], publisher: user("shop"))

  static let fullItem = InboxItem(
    id: 18,
    notification: Notification(
      type: "comment", actor: bob,
      target: InboxTarget(kind: "video", id: "v1", url: "https://x/v1", thumb: "https://x/t"),
      title: "Bob", text: "wrote", data: raw("[1, 2]"),
      expiresTs: Timestamp(milliseconds: 1_763_692_900_000)),
    ts: ts, state: .read, count: 2, actors: [bob, user("cy")], publisher: user("shop"))

  static let counts = InboxCounts(
    unseen: 1, unread: 3,
    byType: [.init(type: "comment", unread: 1), .init(type: "like", unread: 2)])
}

/// The replies of `protocol/vectors/replies.json`, by name.
enum SampleReplies {
  /// What is answered.
  enum Answer: Sendable {
    case ok(Reply)
    case refusal(Refusal, id: Int)
  }

  static let all: [String: Answer] = lists.merging(single) { first, _ in first }

  private static let single: [String: Answer] = [
    "empty": .ok(.empty),
    "hello": .ok(.hello(hello)),
    "hello with everything": .ok(.hello(fullHello)),
    "ping": .ok(.pong(serverTs: Sample.ts)),
    "channel": .ok(.channel(Sample.summary)),
    "channel with everything": .ok(.channel(Sample.fullSummary)),
    "message.send": .ok(.sent(seq: 42, ts: Sample.ts, isDuplicate: false)),
    "message.send a second time": .ok(.sent(seq: 42, ts: Sample.ts, isDuplicate: true)),
    "a refusal": .refusal(Refusal(.notMember, "join \"room:swift\" first"), id: 7),
    "a refusal that may pass": .refusal(
      Refusal(.rateLimited, "slower", retryAfterMilliseconds: 500), id: Limits.largestInteger),
  ]

  private static let lists: [String: Answer] = [
    "channels": .ok(.channels([Sample.summary, Sample.summary], cursor: nil)),
    "channels with a cursor": .ok(.channels([], cursor: "c2")),
    "subscribe": .ok(.subscribed(subscribed(false, []))),
    "subscribe with messages of oneself and others": .ok(
      .subscribed(subscribed(true, [Sample.full, Sample.yes(from: Sample.bob)]))),
    "message.history": .ok(
      .history(messages: [Sample.full], hasMore: true, viewer: Sample.bob)),
    "message.history of nothing": .ok(
      .history(messages: [], hasMore: false, viewer: Sample.ann)),
    "notify": .ok(.notified(made: 2, unknown: [])),
    "notify with unknown users": .ok(.notified(made: 0, unknown: [Sample.ann, Sample.bob])),
    "inbox.list": .ok(
      .inbox(
        items: [Sample.item, Sample.fullItem], counts: Sample.counts, at: 99, cursor: "c2")),
    "inbox.list of nothing": .ok(.inbox(items: [], counts: InboxCounts(), at: 0, cursor: nil)),
  ]

  private static func subscribed(_ isRecovered: Bool, _ messages: [Message]) -> SubscribeReply {
    SubscribeReply(
      epoch: "e1", seq: 42, rev: 7, isRecovered: isRecovered, messages: messages,
      viewer: Sample.ann)
  }

  private static let hello = HelloReply(
    user: User(id: Sample.ann), session: "s1", serverTs: Sample.ts,
    heartbeatMilliseconds: 25_000, requestsPerSecond: nil,
    userStream: UserStream(
      at: "u1", isRecovered: false, channels: [], left: nil, hasMore: false))

  private static let fullHello = HelloReply(
    user: User(id: Sample.user("helper"), name: "The Helper", isBot: true), session: "s1",
    serverTs: Sample.ts, heartbeatMilliseconds: 25_000, requestsPerSecond: 50,
    userStream: UserStream(
      at: "u1", isRecovered: true, channels: [Sample.summary, Sample.fullSummary],
      left: [Sample.channel("room:old")], hasMore: true))
}
