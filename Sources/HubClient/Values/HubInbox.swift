internal import HubProtocol

/// One notification in the user's inbox (protocol, "Inbox").
public struct HubInboxItem: Hashable, Sendable {
  /// Its name in this inbox.
  public let id: String
  /// `like`, `comment`, `follow`, … or a word of the app's own.
  public let type: String
  /// `unseen`, `seen`, `read` or `archived`.
  public let state: String
  /// Who did it.
  public let actor: String?
  /// A heading.
  public let title: String?
  /// What is said.
  public let text: String
  /// When it came, in milliseconds since the Unix epoch.
  public let ts: Int
  /// How many notifications it stands for.
  public let count: Int
  /// The app's own value, byte for byte.
  public let data: HubJSON?
  /// The whole object as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object, let id = object.string("id") else { return nil }
    self.id = id
    type = object.string("type") ?? ""
    state = object.string("state") ?? ""
    actor = object.string("actor")
    title = object.string("title")
    text = object.string("text") ?? ""
    ts = object.integer("ts") ?? 0
    count = object.integer("count") ?? 1
    data = object.json("data")
    self.json = json
  }
}

/// The numbers of the user's inbox as of ``at``; absolute, never differences.
public struct HubInboxCounts: Hashable, Sendable {
  /// Items nobody looked at yet.
  public let unseen: Int
  /// Unseen and seen items.
  public let unread: Int
  /// Unread items by type.
  public let byType: [String: Int]
  /// The inbox's own position.
  public let at: Int

  init(_ counts: JSONObject?, at: Int?) {
    unseen = counts?.integer("unseen") ?? 0
    unread = counts?.integer("unread") ?? 0
    let types = counts?.object("by_type")
    var byType: [String: Int] = [:]
    for type in types?.keys ?? [] { byType[type] = types?.integer(type) }
    self.byType = byType
    self.at = at ?? 0
  }
}

/// One page of `inbox.list`.
public struct HubInboxPage: Hashable, Sendable {
  /// Newest first.
  public let items: [HubInboxItem]
  /// The inbox's numbers.
  public let counts: HubInboxCounts
  /// Where the next page begins; nil on the last.
  public let cursor: String?
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    items = object.elements("items").compactMap { HubInboxItem(json: $0) }
    counts = HubInboxCounts(object.object("counts"), at: object.integer("at"))
    cursor = object.string("cursor")
    self.json = json
  }
}

/// One notification to be published (protocol, "Inbox").
public struct HubNotification: Hashable, Sendable {
  /// For whom a notification is.
  public enum Audience: Hashable, Sendable {
    /// At most 10,000 user ids.
    case users([String])
    /// The members of a channel.
    case channel(String)
  }

  /// For whom it is.
  public var audience: Audience
  /// `like`, `comment`, … or a word of the app's own, at most 64 bytes.
  public var type: String
  /// What is said.
  public var text: String
  /// A heading.
  public var title: String?
  /// Who did it; a user id.
  public var actor: String?
  /// Makes it idempotent per publisher and recipient; at most 64 bytes.
  public var key: String?
  /// Items of one publisher with the same word become one.
  public var collapse: String?
  /// The app's own value, kept byte for byte.
  public var data: HubJSON?

  /// A notification with nothing optional in it.
  public init(to audience: Audience, type: String, text: String) {
    self.audience = audience
    self.type = type
    self.text = text
  }
}
