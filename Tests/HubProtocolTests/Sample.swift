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
    lastMessage: MessageView(full),
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

  /// What the hub made, and its reader followed.
  static let followedItem = InboxItem(
    id: 19,
    notification: Notification(
      type: "mention", actor: bob,
      target: InboxTarget(kind: "message", id: "room:swift/42", thumb: "https://x/a.png"),
      title: "Swift - Bob", text: "hi \"ann\""),
    ts: ts, state: .archived, count: 1, actors: [bob], actedTs: later, publisher: nil)

  static let counts = InboxCounts(
    unseen: 1, unread: 3,
    byType: [.init(type: "comment", unread: 1), .init(type: "like", unread: 2)])

  static let stand = InboxStand(counts: counts, at: 99)

  /// How an inbox stands that nothing is left in.
  static let emptied = InboxStand(counts: InboxCounts(), at: 100)

  /// A message that was edited and reacted to.
  static let edited = Message(
    channel: room, seq: 41, user: bob, ts: ts, content: MessageContent(text: "hi all"),
    replyTo: 40, replyCount: 3, isBot: true, key: "secret",
    reactions: [ReactionCount("👍", 2), ReactionCount("\"quoted\"", 1)], editedTs: later, rev: 8)

  static let deleted = Message(
    channel: room, seq: 40, user: ann, ts: ts, content: MessageContent(), replyTo: 39,
    replyCount: 1, isBot: true, key: "c1-16", deletedTs: later, rev: 9)

  static let later = Timestamp(milliseconds: 1_763_692_900_000)

  static let fullUser = User(
    id: user("helper"),
    profile: UserProfile(
      name: "The \"Helper\"", username: "helper", avatar: "https://x/h.png", bio: "Helps.\n",
      custom: raw(#"{"a": 1}"#)),
    isBot: true, followers: 12, following: 0)

  static let fullSettings: UserSettings = {
    var settings = UserSettings()
    settings.directPolicy = .contacts
    settings.showsReceipts = false
    settings.showsTyping = false
    settings.quietUntil = later
    settings.quietPeriods = [
      QuietPeriod(days: [.monday, .sunday], from: 22 * 60 + 5, to: 7 * 60, zone: "Europe/Berlin"),
      QuietPeriod(days: [.wednesday], from: 0, to: 1_439, zone: "Etc/GMT+1"),
    ]
    settings.mutedTypes = ["like", "own \"word\""]
    settings.mutedUsers = [bob]
    settings.mutedChannels = [room, channel("room:old")]
    return settings
  }()
}
