import HubProtocol

/// One user's notifications, newest first (protocol, "Inbox").
struct Inbox: Sendable {
  /// One notification with what the hub keeps beside it.
  struct Entry: Sendable {
    var item: InboxItem
    /// Where the inbox stood when the item came or last changed.
    var position: Int
    var key: String?
    var collapse: String?
    /// Keys of the notifications that it stood for before `key`, the newest `Limits.listEntries`.
    var earlierKeys: [String] = []

    /// Whether the item stands for a notification with that key.
    func holds(_ key: String) -> Bool { self.key == key || earlierKeys.contains(key) }

    /// Whether the item is still to be shown.
    func isCurrent(at now: Timestamp) -> Bool {
      item.notification.expiresTs.map { now < $0 } ?? true
    }
  }

  /// What a notification did.
  enum Change: Sendable {
    case added(InboxItem)
    /// It joined the item of the same `collapse`.
    case updated(InboxItem)
  }

  /// Newest position first.
  private(set) var entries: [Entry] = []
  /// The inbox's own position: rises with every change.
  private(set) var at = 0

  /// An empty inbox, or one that was stored.
  init(at: Int = 0, entries: [Entry] = []) {
    self.at = at
    self.entries = entries
  }

  /// Takes a notification; nil when its key came before. What has expired is as good as gone.
  mutating func add(_ notify: Notify, publisher: UserID, ts: Timestamp) -> Change? {
    if let key = notify.key,
      entries.contains(where: {
        $0.holds(key) && $0.item.publisher == publisher && $0.isCurrent(at: ts)
      })
    {
      return nil
    }
    at += 1
    if let collapse = notify.collapse,
      let index = entries.firstIndex(where: {
        $0.collapse == collapse && $0.item.publisher == publisher && $0.item.state != .archived
          && $0.isCurrent(at: ts)
      })
    {
      return .updated(grow(entries.remove(at: index), by: notify, ts: ts))
    }
    let actors = notify.notification.actor.map { [$0] } ?? []
    let item = InboxItem(
      id: at, notification: notify.notification, ts: ts, state: .unseen, count: 1, actors: actors,
      publisher: publisher)
    let entry = Entry(item: item, position: at, key: notify.key, collapse: notify.collapse)
    entries.insert(entry, at: 0)
    return .added(item)
  }

  /// Drops the oldest items above the cap and those that have expired; answers their ids.
  mutating func trim(now: Timestamp) -> [Int] {
    guard entries.count > Limits.inboxItems || !entries.allSatisfy({ $0.isCurrent(at: now) })
    else { return [] }
    let dropped =
      entries.prefix(Limits.inboxItems).filter { !$0.isCurrent(at: now) }
      + entries.dropFirst(Limits.inboxItems)
    guard !dropped.isEmpty else { return [] }
    let ids = dropped.map(\.item.id)
    entries.removeAll { ids.contains($0.item.id) }
    at += 1
    return ids
  }

  /// The numbers of all items that are shown at `now`.
  func counts(now: Timestamp) -> InboxCounts {
    var counts = InboxCounts()
    var byType: [String: Int] = [:]
    for entry in entries where entry.item.state.isUnread && entry.isCurrent(at: now) {
      counts.unread += 1
      if entry.item.state == .unseen { counts.unseen += 1 }
      byType[entry.item.notification.type, default: 0] += 1
    }
    counts.byType = byType.sorted { $0.key < $1.key }.map { .init(type: $0.key, unread: $0.value) }
    return counts
  }

  /// A page of items below a position, and where the next one begins, if there is one.
  func page(
    _ list: InboxList, below: Int?, now: Timestamp
  ) -> (items: [InboxItem], next: Int?) {
    var items: [InboxItem] = []
    var budget = PageBudget()
    var last = at
    for entry in entries where entry.position < below ?? .max {
      guard entry.isCurrent(at: now), Self.matches(entry.item, list) else { continue }
      let weight = entry.item.notification.weight + entry.item.actors.count * 124
      guard items.count < list.limit, budget.takes(weight) else { return (items, last) }
      items.append(entry.item)
      last = entry.position
    }
    return (items, nil)
  }

  private mutating func grow(_ old: Entry, by notify: Notify, ts: Timestamp) -> InboxItem {
    var entry = old
    entry.item.notification = notify.notification
    entry.item.ts = ts
    entry.item.state = .unseen
    entry.item.count += 1
    entry.position = at
    if let key = entry.key { entry.earlierKeys.append(key) }
    entry.earlierKeys.removeFirst(max(0, entry.earlierKeys.count - Limits.listEntries))
    entry.key = notify.key
    if let actor = notify.notification.actor {
      entry.item.actors.removeAll { $0 == actor }
      entry.item.actors.insert(actor, at: 0)
      entry.item.actors.removeSubrange(min(entry.item.actors.count, Limits.listEntries)...)
    }
    entries.insert(entry, at: 0)
    return entry.item
  }

  private static func matches(_ item: InboxItem, _ list: InboxList) -> Bool {
    if let types = list.types, !types.contains(item.notification.type) { return false }
    guard let states = list.states else { return item.state != .archived }
    return states.contains(item.state)
  }
}
