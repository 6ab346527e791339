internal import HubProtocol

/// A channel in summary form (protocol, "Channels and membership").
public struct HubChannel: Hashable, Sendable {
  /// The four kinds of channel.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Two users.
    case direct
    /// Members only.
    case group
    /// Anyone may join.
    case `public`
    /// Owner and moderators post; followers read, react and reply in threads.
    case broadcast
  }

  /// What the channel is called on the wire.
  public let channel: String
  /// One of the four kinds; nil for a kind that this version does not know.
  public let kind: Kind?
  /// The name that people see.
  public let name: String?
  /// A sentence or two about it.
  public let details: String?
  /// URL of a picture.
  public let avatar: String?
  /// The app's own object, byte for byte.
  public let custom: HubJSON?
  /// How many members it has.
  public let memberCount: Int
  /// How many of them have at least one connection.
  public let presentCount: Int
  /// Where the channel stands.
  public let position: HubPosition
  /// When it last changed or was written to, in milliseconds since the Unix epoch.
  public let updatedTs: Int
  /// The newest message; nil when there is none.
  public let lastMessage: HubMessage?
  /// Messages after ``read`` that count; 1,000 means that many or more. Like what follows, nil for
  /// others than members.
  public let unread: Int?
  /// Those of them that mention the caller.
  public let mentions: Int?
  /// Number of the last message that the caller has read.
  public let read: Int?
  /// `owner`, `moderator` or `member`.
  public let role: String?
  /// Whether the caller muted it.
  public let isMuted: Bool?
  /// The whole object as it came.
  public let json: HubJSON

  init?(_ object: JSONObject, json: HubJSON) {
    guard let channel = object.string("channel"), let epoch = object.string("epoch") else {
      return nil
    }
    self.channel = channel
    kind = object.string("kind").flatMap { Kind(rawValue: $0) }
    name = object.string("name")
    details = object.string("details")
    avatar = object.string("avatar")
    custom = object.json("custom")
    memberCount = object.integer("member_count") ?? 0
    presentCount = object.integer("present_count") ?? 0
    position = HubPosition(
      epoch: epoch, seq: object.integer("seq") ?? 0, rev: object.integer("rev"))
    updatedTs = object.integer("updated_ts") ?? 0
    lastMessage = object.json("last_message").flatMap { HubMessage(json: $0) }
    unread = object.integer("unread")
    mentions = object.integer("mentions")
    read = object.integer("read")
    role = object.string("role")
    isMuted = object.bool("muted")
    self.json = json
  }

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    self.init(object, json: json)
  }
}

/// Where a reader of a channel stands (protocol, "Subscribing and recovery"). Keep it, and give it
/// back to ``HubConnection/subscribe(to:since:newest:)`` after a restart of the app.
public struct HubPosition: Hashable, Sendable {
  /// Names one numbering; under another, `seq` and `rev` mean other messages.
  public let epoch: String
  /// Number of the last message seen; 0 before the first.
  public let seq: Int
  /// Number of the last edit, deletion or reaction seen; nil when unknown.
  public let rev: Int?

  /// A position as it was read from ``HubSubscription/position`` or a channel summary.
  public init(epoch: String, seq: Int, rev: Int? = nil) {
    self.epoch = epoch
    self.seq = seq
    self.rev = rev
  }
}
