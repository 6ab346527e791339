internal import HubProtocol

/// How far a notification got with its reader (protocol, "Inbox").
public enum HubInboxState: String, Hashable, Sendable, CaseIterable {
  /// Nobody looked at it yet.
  case unseen
  /// It was on display.
  case seen
  /// It was opened.
  case read
  /// It is put away: in neither the counts nor, unless asked for, in lists.
  case archived
}

/// What a notification is about (protocol, "Inbox").
public struct HubInboxTarget: Hashable, Sendable {
  /// `video`, `message`, `user`, … or a word of the app's own: 1 to 1,024 bytes.
  public var kind: String
  /// Which one: 1 to 1,024 bytes.
  public var id: String
  /// Where it is to be found: `http://` or `https://`, at most 4,096 bytes.
  public var url: String?
  /// A small picture of it: a URL like `url`.
  public var thumb: String?

  /// A target with or without its URLs.
  public init(kind: String, id: String, url: String? = nil, thumb: String? = nil) {
    self.kind = kind
    self.id = id
    self.url = url
    self.thumb = thumb
  }

  init?(_ object: JSONObject?) {
    guard let object, let kind = object.string("kind"), let id = object.string("id") else {
      return nil
    }
    self.init(kind: kind, id: id, url: object.string("url"), thumb: object.string("thumb"))
  }
}

/// One notification in the user's inbox (protocol, "Inbox").
public struct HubInboxItem: Hashable, Sendable {
  /// Its name in this inbox, for ever.
  public let id: String
  /// `like`, `comment`, `follow`, … or a word of the app's own.
  public let type: String
  /// How far it got; nil for a state that this version does not know.
  public let state: HubInboxState?
  /// Who did it.
  public let actor: String?
  /// Who did what it stands for, the newest first, at most 100.
  public let actors: [String]
  /// What it is about.
  public let target: HubInboxTarget?
  /// A heading.
  public let title: String?
  /// What is said.
  public let text: String
  /// When it came or last grew, in milliseconds since the Unix epoch.
  public let ts: Int
  /// How many notifications it stands for.
  public let count: Int
  /// When the reader first followed it (``HubConnection/actOnInboxItem(_:)``), in milliseconds
  /// since the Unix epoch.
  public let actedTs: Int?
  /// From when on it is gone, in milliseconds since the Unix epoch; nil when it stays.
  public let expiresTs: Int?
  /// Who published it: a user id, or `@hub` for what the hub makes by itself.
  public let by: String
  /// The app's own value, byte for byte.
  public let data: HubJSON?
  /// The whole object as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object, let id = object.string("id") else { return nil }
    self.id = id
    type = object.string("type") ?? ""
    state = object.string("state").flatMap { HubInboxState(rawValue: $0) }
    actor = object.string("actor")
    actors = object.strings("actors")
    target = HubInboxTarget(object.object("target"))
    title = object.string("title")
    text = object.string("text") ?? ""
    ts = object.integer("ts") ?? 0
    count = object.integer("count") ?? 1
    actedTs = object.integer("acted_ts")
    expiresTs = object.integer("expires_ts")
    by = object.string("by") ?? ""
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
  /// Unread items by type; types without any are absent.
  public let byType: [String: Int]
  /// The inbox's own position: what ``HubConnection/markInbox(upTo:types:as:)`` takes.
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
