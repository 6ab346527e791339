internal import HubProtocol

/// A message in its present state (protocol, "Messages").
public struct HubMessage: Hashable, Sendable {
  /// The channel it stands in.
  public let channel: String
  /// Its number there: 1 is the first, without holes.
  public let seq: Int
  /// Who sent it; nil when it is hidden.
  public let user: String?
  /// When the hub took it, in milliseconds since the Unix epoch; nil when it is hidden.
  public let ts: Int?
  /// What was written; nil when the message has no text, is deleted or hidden.
  public let text: String?
  /// The array of attachment objects, byte for byte.
  public let attachments: HubJSON?
  /// The app's own value, byte for byte.
  public let data: HubJSON?
  /// Users whom it mentions, and `@channel`.
  public let mentions: [String]
  /// The message that this one answers, in the same channel.
  public let replyTo: Int?
  /// How many messages that are not deleted answer this one.
  public let replyCount: Int
  /// How people reacted, in the hub's order.
  public let reactions: [HubReactionCount]
  /// When it was last edited, in milliseconds since the Unix epoch.
  public let editedTs: Int?
  /// When it was deleted, in milliseconds since the Unix epoch.
  public let deletedTs: Int?
  /// Whether a bot sent it.
  public let isBot: Bool
  /// Whether its sender is blocked: nothing but channel and seq is told
  /// (protocol, "Blocking, privacy").
  public let isHidden: Bool
  /// The idempotency key; only in one's own messages.
  public let key: String?
  /// The whole object as it came.
  public let json: HubJSON

  /// Nil without a channel and a seq.
  init?(_ object: JSONObject, json: HubJSON) {
    guard let channel = object.string("channel"), let seq = object.integer("seq") else {
      return nil
    }
    self.channel = channel
    self.seq = seq
    user = object.string("user")
    ts = object.integer("ts")
    text = object.string("text")
    attachments = object.json("attachments")
    data = object.json("data")
    mentions = object.strings("mentions")
    replyTo = object.integer("reply_to")
    replyCount = object.integer("reply_count") ?? 0
    reactions = object.reactions("reactions")
    editedTs = object.integer("edited_ts")
    deletedTs = object.integer("deleted_ts")
    isBot = object.bool("bot") ?? false
    isHidden = object.bool("hidden") ?? false
    key = object.string("key")
    self.json = json
  }

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    self.init(object, json: json)
  }
}

/// How many have reacted to a message in one way (protocol, "Messages").
public struct HubReactionCount: Hashable, Sendable {
  /// The emoji or word.
  public let reaction: String
  /// How many have reacted so.
  public let count: Int
  /// Whether the caller is among them. Known of messages in replies only, false in events.
  public let isMine: Bool
}

extension JSONObject {
  /// The counts under `key`, in the order in which they were written.
  func reactions(_ key: String) -> [HubReactionCount] {
    guard let counts = object(key) else { return [] }
    return counts.keys.compactMap { reaction in
      guard let tally = counts.object(reaction), let count = tally.integer("count") else {
        return nil
      }
      return HubReactionCount(
        reaction: reaction, count: count, isMine: tally.bool("mine") ?? false)
    }
  }

  /// The value under `key` as it was written.
  func json(_ key: String) -> HubJSON? {
    raw(key).map { HubJSON(checked: $0.bytes) }
  }

  /// The elements of the list under `key` as they were written.
  func elements(_ key: String) -> [HubJSON] {
    array(key).map { HubJSON(checked: $0.bytes) }
  }

  /// The messages of the list under `key`, elements of other shapes left out.
  func messages(_ key: String) -> [HubMessage] {
    elements(key).compactMap { HubMessage(json: $0) }
  }
}
