internal import HubProtocol

/// What the user reads in the inbox, and does there (protocol, "Inbox").
extension HubConnection {
  /// A page of the user's notifications, newest first (`inbox.list`).
  /// - Parameters:
  ///   - types: at most 100; nil for all.
  ///   - states: nil for all but the archived.
  ///   - cursor: from the page before.
  ///   - limit: 1 to 100.
  public func inbox(
    types: [String]? = nil, states: [HubInboxState]? = nil, cursor: String? = nil, limit: Int = 50
  ) async throws(HubError) -> HubInboxPage {
    let list = InboxList(
      types: types, states: states?.map(\.wire), cursor: cursor, limit: limit)
    return try await call(.inboxList(list)) { HubInboxPage(json: $0) }
  }

  /// How many notifications are unseen and unread (`inbox.counts`).
  /// - Parameter types: only of these, at most 100; nil for all.
  public func inboxCounts(types: [String]? = nil) async throws(HubError) -> HubInboxSummary {
    try await call(.inboxCounts(types: types)) { HubInboxSummary(json: $0) }
  }

  /// Gives each of the items the state, whatever it had (`inbox.mark`).
  /// - Parameter ids: 1 to 100. If one is not there, none is marked: `not_found`.
  @discardableResult
  public func markInbox(
    _ ids: [String], as state: HubInboxState
  ) async throws(HubError) -> HubInboxChange {
    let operation = Operation.inboxMark(state.wire, .ids(try Self.itemIDs(ids)))
    return try await call(operation) { HubInboxChange(json: $0) }
  }

  /// Brings all items that came or grew at a position or before it forward to the state; with
  /// `unseen`, those that are seen or read back. Archived ones stay (`inbox.mark`).
  /// - Parameters:
  ///   - at: ``HubInboxCounts/at`` of what was on display. What came later is not touched.
  ///   - types: only these; nil for all.
  @discardableResult
  public func markInbox(
    upTo at: Int, types: [String]? = nil, as state: HubInboxState
  ) async throws(HubError) -> HubInboxChange {
    let operation = Operation.inboxMark(state.wire, .upTo(at, types: types))
    return try await call(operation) { HubInboxChange(json: $0) }
  }

  /// Deletes items, archived ones too (`inbox.delete`). Sent again after a lost connection: they
  /// are gone then either way, but the answer may be `not_found`.
  /// - Parameter ids: 1 to 100. If one is not there, none is deleted: `not_found`.
  @discardableResult
  public func deleteFromInbox(_ ids: [String]) async throws(HubError) -> HubInboxChange {
    let operation = Operation.inboxDelete(.ids(try Self.itemIDs(ids)))
    return try await call(operation) { HubInboxChange(json: $0) }
  }

  /// Deletes all items that came or grew at a position or before it, archived ones too
  /// (`inbox.delete`). Not sent again after a lost connection, since the answer would say that
  /// nothing was there.
  /// - Parameters:
  ///   - at: ``HubInboxCounts/at`` of what was on display. What came later is not touched.
  ///   - types: only these; nil for all.
  @discardableResult
  public func deleteFromInbox(
    upTo at: Int, types: [String]? = nil
  ) async throws(HubError) -> HubInboxChange {
    let operation = Operation.inboxDelete(.upTo(at, types: types))
    return try await call(operation, isRepeatable: false) { HubInboxChange(json: $0) }
  }

  /// Says that the user follows an item, which becomes `read`; answers where it leads
  /// (`inbox.act`).
  @discardableResult
  public func actOnInboxItem(_ id: String) async throws(HubError) -> HubInboxAct {
    let operation = Operation.inboxAct(id: try Self.itemID(id))
    return try await call(operation) { HubInboxAct(json: $0) }
  }

  /// Says that the user opened the inbox, for the operator's usage figures (`inbox.opened`). Not
  /// sent again after a lost connection: it would count twice.
  public func inboxOpened() async throws(HubError) {
    _ = try await call(.inboxOpened, isRepeatable: false)
  }

  private static func itemIDs(_ texts: [String]) throws(HubError) -> [Int] {
    var ids: [Int] = []
    for text in texts { ids.append(try itemID(text)) }
    return ids
  }

  private static func itemID(_ text: String) throws(HubError) -> Int {
    guard let id = Int(text), id > 0, String(id) == text else {
      throw .badArgument("\"\(text)\" is no item's id: they are as the hub gave them")
    }
    return id
  }
}

extension HubInboxState {
  fileprivate var wire: InboxState {
    switch self {
    case .unseen: .unseen
    case .seen: .seen
    case .read: .read
    case .archived: .archived
    }
  }
}
