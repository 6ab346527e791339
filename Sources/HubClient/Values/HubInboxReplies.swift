internal import HubProtocol

/// What the hub said to `notify` (protocol, "Inbox").
public struct HubNotified: Hashable, Sendable {
  /// In how many inboxes an item came or grew. Repeating a key adds to none, and is no error.
  public let made: Int
  /// Recipients whom the hub does not know.
  public let unknown: [String]
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object, let made = object.integer("made") else { return nil }
    self.made = made
    unknown = object.strings("unknown")
    self.json = json
  }
}

/// What the hub said to `notify.retract` (protocol, "Inbox").
public struct HubRetracted: Hashable, Sendable {
  /// In how many inboxes something was taken back.
  public let retracted: Int
  /// Recipients whom the hub does not know.
  public let unknown: [String]
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object, let retracted = object.integer("retracted") else { return nil }
    self.retracted = retracted
    unknown = object.strings("unknown")
    self.json = json
  }
}

/// One page of `inbox.list` (protocol, "Inbox").
public struct HubInboxPage: Hashable, Sendable {
  /// Newest first.
  public let items: [HubInboxItem]
  /// The numbers of the whole inbox, of all types.
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

/// What the hub said to `inbox.counts` (protocol, "Inbox").
public struct HubInboxSummary: Hashable, Sendable {
  /// The numbers, of the types asked for alone.
  public let counts: HubInboxCounts
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object, object.integer("unread") != nil else { return nil }
    counts = HubInboxCounts(object, at: object.integer("at"))
    self.json = json
  }
}

/// What the hub said to `inbox.mark` or `inbox.delete` (protocol, "Inbox").
public struct HubInboxChange: Hashable, Sendable {
  /// The numbers of the whole inbox afterwards.
  public let counts: HubInboxCounts
  /// How many items went; 0 after a mark.
  public let deleted: Int
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object, let counts = object.object("counts") else { return nil }
    self.counts = HubInboxCounts(counts, at: object.integer("at"))
    deleted = object.integer("deleted") ?? 0
    self.json = json
  }
}

/// What the hub said to `inbox.act` (protocol, "Inbox").
public struct HubInboxAct: Hashable, Sendable {
  /// Where the item leads; nil for one without a target.
  public let target: HubInboxTarget?
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    target = HubInboxTarget(object.object("target"))
    self.json = json
  }
}
