import HubProtocol

/// One user's notifications (protocol, "Inbox"): entries of 32 bytes in the order of their
/// positions, and details of the few that need some. What has expired is as good as gone, and
/// leaves with the next change.
struct Inbox: Sendable {
  /// A notification on its way into an inbox.
  struct Arrival: Equatable, Sendable {
    let type: UInt16
    let publisher: InboxEntry.Publisher
    /// The channel that it is about, or whose members it is for.
    let channel: ChannelRef?
    /// Hash of its publisher and key; 0 without one.
    let key: UInt64
    /// Hash of its publisher and `collapse`; 0 without one.
    let collapse: UInt64
    let body: Int
    let actor: UserID?
    let expiresTs: Timestamp?
    let ts: Timestamp
  }

  /// What became of an item.
  enum Change: Sendable {
    case added(InboxStub)
    /// It grew or shrank.
    case updated(InboxStub)
    case removed([InboxStub])
  }

  /// A key that stays quiet for a time, because its item was deleted.
  struct QuietKey: Equatable, Sendable {
    let key: UInt64
    let deletedTs: Timestamp
  }

  /// How long a deleted key stays quiet: 24 hours, in milliseconds.
  static let quietMilliseconds = 24 * 3_600 * 1_000

  /// Lowest position first.
  private(set) var entries: [InboxEntry] = []
  /// Ascending by id.
  private(set) var details: [InboxDetails] = []
  /// The oldest deletion first.
  private(set) var quietKeys: [QuietKey] = []
  /// The inbox's own position: rises with every change.
  private(set) var at = 0
  /// Whether its owner has ever said that it was opened.
  private(set) var isOpened = false

  /// An empty inbox, or one that was stored.
  init(
    at: Int = 0, isOpened: Bool = false, entries: [InboxEntry] = [],
    details: [InboxDetails] = [], quietKeys: [QuietKey] = []
  ) {
    self.at = at
    self.isOpened = isOpened
    self.entries = entries
    self.details = details
    self.quietKeys = quietKeys
  }

  /// The earliest moment at which an item expires.
  var nextExpiry: Timestamp? { details.lazy.compactMap(\.expiresTs).min() }

  /// What the items and their parts are of.
  var types: Set<UInt16> {
    Set(entries.map(\.type)).union(details.flatMap(\.members).map(\.type))
  }

  func details(of entry: InboxEntry) -> InboxDetails? {
    place(of: entry.id).map { details[$0] }
  }

  func stub(_ entry: InboxEntry) -> InboxStub {
    InboxStub(entry: entry, details: details(of: entry))
  }

  /// Whether the item is still to be shown.
  func isCurrent(_ entry: InboxEntry, at now: Timestamp) -> Bool {
    details.isEmpty || details(of: entry)?.isExpired(at: now) != true
  }

  /// Takes a notification, and lets go what there is no room for; empty when its key came before,
  /// or is quiet.
  mutating func add(_ arrival: Arrival) -> [Change] {
    if arrival.key != 0, knows(arrival.key, at: arrival.ts) { return [] }
    at += 1
    let change = arrival.collapse == 0 ? append(arrival) : grow(by: arrival)
    let dropped = drop(at: arrival.ts)
    return dropped.isEmpty ? [change] : [change, .removed(dropped)]
  }

  /// Takes back what came with that key, read or not; nil when nothing did, or only something of
  /// another type.
  mutating func retract(_ key: UInt64, of type: UInt16? = nil) -> Change? {
    if let index = entries.lastIndex(where: { $0.key == key }) {
      guard type.map({ $0 == entries[index].type }) ?? true else { return nil }
      at += 1
      return .removed([remove(at: index)])
    }
    guard let place = details.firstIndex(where: { $0.members.contains { $0.key == key } }),
      let index = entries.firstIndex(where: { $0.id == details[place].id })
    else { return nil }
    at += 1
    guard details[place].count > 1 else { return .removed([remove(at: index)]) }
    details[place].members.removeAll { $0.key == key }
    details[place].count -= 1
    if let newest = details[place].members.last {
      entries[index].body = newest.body
      entries[index].type = newest.type
      details[place].expiresTs = newest.expiresTs
    }
    return .updated(stub(entries[index]))
  }

  /// Lets what has expired and what there is no room for go.
  mutating func trim(at now: Timestamp) -> [InboxStub] {
    let dropped = drop(at: now)
    if !dropped.isEmpty { at += 1 }
    return dropped
  }

  /// Takes out what `isMeant` says.
  mutating func removeAll(where isMeant: (InboxEntry) -> Bool) -> [InboxStub] {
    guard entries.contains(where: isMeant) else { return [] }
    at += 1
    return take(where: isMeant)
  }

  /// Notes that its owner opened it; false when that is known.
  mutating func open() -> Bool {
    defer { isOpened = true }
    return !isOpened
  }

  /// Changes one item.
  mutating func change(_ index: Int, _ body: (inout InboxEntry) -> Void) {
    body(&entries[index])
  }

  /// Notes a change of one or several items.
  mutating func noteChange() { at += 1 }

  /// Remembers when the item was first followed; false when it was before.
  mutating func act(_ index: Int, ts: Timestamp) -> Bool {
    let place = makeDetails(of: entries[index].id)
    guard details[place].actedTs == nil else { return false }
    details[place].actedTs = ts
    return true
  }

  /// Takes items out because their owner deletes them: their keys stay quiet.
  mutating func delete(_ ids: Set<Int>, ts: Timestamp) -> [InboxStub] {
    let removed = removeAll { ids.contains($0.id) }
    for stub in removed {
      let keys = [stub.entry.key] + (stub.details?.members.map(\.key) ?? [])
      for key in keys where key != 0 { quietKeys.append(QuietKey(key: key, deletedTs: ts)) }
    }
    quietKeys.removeFirst(max(0, quietKeys.count - Limits.deletedKeys))
    let dead = quietKeys.prefix { !isQuiet($0, at: ts) }.count
    quietKeys.removeFirst(dead)
    return removed
  }
}

// MARK: - Parts

extension Inbox {
  /// Whether an item stands for a notification with that key, or did until it was deleted.
  private func knows(_ key: UInt64, at now: Timestamp) -> Bool {
    if entries.contains(where: { $0.key == key && isCurrent($0, at: now) }) { return true }
    if quietKeys.contains(where: { $0.key == key && isQuiet($0, at: now) }) { return true }
    return details.contains { details in
      !details.isExpired(at: now) && details.members.contains { $0.key == key }
    }
  }

  private func isQuiet(_ key: QuietKey, at now: Timestamp) -> Bool {
    now < key.deletedTs.advanced(byMilliseconds: Self.quietMilliseconds)
  }

  private mutating func append(_ arrival: Arrival) -> Change {
    let entry = InboxEntry(
      id: at, type: arrival.type, publisher: arrival.publisher,
      key: arrival.collapse == 0 ? arrival.key : 0, body: arrival.body)
    entries.append(entry)
    if arrival.expiresTs != nil || arrival.collapse != 0 {
      var more = InboxDetails(
        id: at, collapse: arrival.collapse, expiresTs: arrival.expiresTs)
      if arrival.collapse != 0 { more.members = [InboxDetails.Member(arrival)] }
      details.append(more)
    }
    return .added(stub(entry))
  }

  /// Joins the item of the same `collapse`, if there is one that is not archived.
  private mutating func grow(by arrival: Arrival) -> Change {
    let candidates = details.filter { details in
      details.collapse == arrival.collapse && !details.isExpired(at: arrival.ts)
    }.map(\.id)
    let index = entries.lastIndex { $0.state != .archived && candidates.contains($0.id) }
    guard let index else { return append(arrival) }
    var entry = entries.remove(at: index)
    entry.body = arrival.body
    entry.type = arrival.type
    entry.state = .unseen
    entry.position = at
    entries.append(entry)
    let place = makeDetails(of: entry.id)
    details[place].expiresTs = arrival.expiresTs
    details[place].count += 1
    details[place].members.append(InboxDetails.Member(arrival))
    let excess = details[place].members.count - Limits.collapsedNotifications
    if excess > 0 { details[place].members.removeFirst(excess) }
    return .updated(stub(entry))
  }

  private mutating func drop(at now: Timestamp) -> [InboxStub] {
    let expired = details.filter { $0.isExpired(at: now) }.map(\.id)
    var dropped = expired.isEmpty ? [] : take { expired.contains($0.id) }
    while entries.count > Limits.inboxItems { dropped.append(remove(at: 0)) }
    return dropped
  }

  private mutating func take(where isMeant: (InboxEntry) -> Bool) -> [InboxStub] {
    let meant = entries.filter(isMeant)
    guard !meant.isEmpty else { return [] }
    let stubs = meant.map(stub)
    let ids = Set(meant.map(\.id))
    entries.removeAll { ids.contains($0.id) }
    details.removeAll { ids.contains($0.id) }
    return stubs
  }

  private mutating func remove(at index: Int) -> InboxStub {
    let stub = stub(entries[index])
    entries.remove(at: index)
    if let place = place(of: stub.entry.id) { details.remove(at: place) }
    return stub
  }

  /// Where an item's details stand; nil when it has none.
  private func place(of id: Int) -> Int? {
    let place = placeForDetails(of: id)
    return place < details.count && details[place].id == id ? place : nil
  }

  private mutating func makeDetails(of id: Int) -> Int {
    let place = placeForDetails(of: id)
    if place == details.count || details[place].id != id {
      details.insert(InboxDetails(id: id), at: place)
    }
    return place
  }

  private func placeForDetails(of id: Int) -> Int {
    var low = 0
    var high = details.count
    while low < high {
      let middle = (low + high) / 2
      if details[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension InboxDetails.Member {
  fileprivate init(_ arrival: Inbox.Arrival) {
    self.init(
      key: arrival.key, body: arrival.body, type: arrival.type, expiresTs: arrival.expiresTs,
      actor: arrival.actor)
  }
}
