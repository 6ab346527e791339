import HubProtocol

/// Inboxes as plainly as the contract says them: each a list of items, each item a list of the
/// notifications that it stands for.
struct InboxModel {
  /// A notification, for one recipient.
  struct Offer {
    /// Nil for the hub.
    var publisher: String?
    /// The channel that something of the hub's is about, by a name of its own.
    var about: String?
    /// The channel whose muting counts.
    var room: String?
    var key: String?
    var word: String?
    var notification: Notification
    var ts: Timestamp
  }

  struct Item {
    let id: Int
    var position: Int
    var state = InboxState.unseen
    var wasSeen = false
    var actedTs: Timestamp?
    /// The oldest first.
    var parts: [Offer]
  }

  struct Box {
    /// The oldest position first.
    var items: [Item] = []
    var at = 0
    /// Keys of what was deleted, and when.
    var quiet: [(key: String, ts: Timestamp)] = []
    var isOpened = false
  }

  /// What a user does not want.
  struct Wishes {
    var types: Set<String> = []
    var users: Set<String> = []
    var rooms: Set<String> = []
    var blocked: Set<String> = []
  }

  var now = Timestamp(milliseconds: 0)
  var boxes: [String: Box] = [:]
  var wishes: [String: Wishes] = [:]
  /// What each user's connections are to hear, from the beginning.
  private(set) var told: [String: [String]] = [:]
  private(set) var viewedCount = 0
  private(set) var deletedCount = 0

  var openedCount: Int { boxes.values.count { $0.isOpened } }

  init(users: [String]) {
    for user in users {
      boxes[user] = Box()
      wishes[user] = Wishes()
      told[user] = []
    }
  }

  // MARK: - Coming and going

  /// Whether an item came or grew.
  mutating func deliver(_ offer: Offer, to user: String) -> Bool {
    guard wants(offer, user), var box = boxes[user] else { return false }
    if let key = offer.key, isKnown(key, in: box, at: offer.ts) { return false }
    box.at += 1
    let grown = offer.word.flatMap { word in
      box.items.lastIndex { item in
        item.parts.last?.word == word && item.parts.last?.publisher == offer.publisher
          && item.state != .archived && !item.isExpired(at: offer.ts)
      }
    }
    var item = grown.map { box.items.remove(at: $0) } ?? Item(id: box.at, position: 0, parts: [])
    item.position = box.at
    item.state = .unseen
    item.parts.append(offer)
    box.items.append(item)
    var gone = box.items.filter { $0.isExpired(at: offer.ts) }
    box.items.removeAll { $0.isExpired(at: offer.ts) }
    while box.items.count > Limits.inboxItems { gone.append(box.items.removeFirst()) }
    boxes[user] = box
    tell(user, grown == nil ? .added(item.shown) : .updated(item.shown))
    if !gone.isEmpty { tellRemoved(gone, user) }
    return true
  }

  private func wants(_ offer: Offer, _ user: String) -> Bool {
    guard let own = wishes[user] else { return false }
    let actor = offer.notification.actor?.text
    if actor == user || own.types.contains(offer.notification.type) { return false }
    if let room = offer.room, own.rooms.contains(room) { return false }
    return [actor, offer.publisher].compactMap { $0 }.allSatisfy { other in
      !own.users.contains(other) && !own.blocked.contains(other)
        && wishes[other]?.blocked.contains(user) != true
    }
  }

  private func isKnown(_ key: String, in box: Box, at ts: Timestamp) -> Bool {
    box.items.contains { !$0.isExpired(at: ts) && $0.parts.contains { $0.key == key } }
      || box.quiet.suffix(Limits.deletedKeys).contains {
        $0.key == key && ts.milliseconds < $0.ts.milliseconds + 24 * 3_600 * 1_000
      }
  }

  /// Takes back what came with a key; with a type, only an item of that type.
  mutating func retract(_ key: String, type: String? = nil, from user: String) -> Bool {
    guard var box = boxes[user],
      let place = box.items.firstIndex(where: { $0.parts.contains { $0.key == key } })
    else { return false }
    if let type, box.items[place].parts.last?.notification.type != type { return false }
    box.at += 1
    if box.items[place].parts.count == 1 {
      let item = box.items.remove(at: place)
      boxes[user] = box
      tellRemoved([item], user)
    } else {
      box.items[place].parts.removeAll { $0.key == key }
      boxes[user] = box
      tell(user, .updated(box.items[place].shown))
    }
    return true
  }

  /// Takes out at once what is meant.
  mutating func removeAll(from user: String, _ isMeant: (Item) -> Bool) {
    let gone = boxes[user]?.items.filter(isMeant) ?? []
    guard !gone.isEmpty else { return }
    boxes[user]?.items.removeAll(where: isMeant)
    boxes[user]?.at += 1
    tellRemoved(gone, user)
  }

  /// What has expired leaves the inbox of somebody who is there.
  mutating func expire(_ user: String) {
    removeAll(from: user) { [now] in $0.isExpired(at: now) }
  }

  // MARK: - What the owner does

  /// False when something named is not there.
  mutating func mark(_ state: InboxState, _ selection: InboxSelection, by user: String) -> Bool {
    guard var box = boxes[user], let meant = meant(selection, in: box) else { return false }
    var isNamed = false
    if case .ids = selection { isNamed = true }
    let changed = meant.filter { place in
      let before = box.items[place].state
      return isNamed ? before != state : Self.forward[before]?.contains(state) ?? false
    }
    guard !changed.isEmpty else { return true }
    for place in changed {
      box.items[place].state = state
      if state != .unseen { see(&box.items[place]) }
    }
    box.at += 1
    boxes[user] = box
    let items = changed.map { box.items[$0] }
    tell(user, items.count == 1 ? .updated(items[0].shown) : .marked(ids: items.map(\.id), state))
    return true
  }

  /// Where a mark up to a position may take an item.
  private static let forward: [InboxState: [InboxState]] = [
    .unseen: [.seen, .read, .archived], .seen: [.unseen, .read, .archived],
    .read: [.unseen, .archived], .archived: [],
  ]

  private mutating func see(_ item: inout Item) {
    if !item.wasSeen { viewedCount += 1 }
    item.wasSeen = true
  }

  /// How many went; nil when something named is not there.
  mutating func delete(_ selection: InboxSelection, by user: String) -> Int? {
    guard var box = boxes[user], let meant = meant(selection, in: box) else { return nil }
    let gone = Set(meant).sorted().map { box.items[$0] }
    guard !gone.isEmpty else { return 0 }
    let ids = Set(gone.map(\.id))
    box.items.removeAll { ids.contains($0.id) }
    for key in gone.flatMap(\.parts).compactMap(\.key) { box.quiet.append((key, now)) }
    box.at += 1
    boxes[user] = box
    deletedCount += gone.count
    if case .upTo = selection, box.items.isEmpty {
      tell(user, .cleared)
    } else {
      tellRemoved(gone, user)
    }
    return gone.count
  }

  /// What it is about; nil when it is not there.
  mutating func act(_ id: Int, by user: String) -> Item? {
    guard var box = boxes[user],
      let place = box.items.firstIndex(where: { $0.id == id && !$0.isExpired(at: now) })
    else { return nil }
    var item = box.items[place]
    let isNews = item.actedTs == nil || item.state == .unseen || item.state == .seen
    if item.actedTs == nil { item.actedTs = now }
    if item.state != .archived {
      item.state = .read
      see(&item)
    }
    box.items[place] = item
    guard isNews else { return item }
    box.at += 1
    boxes[user] = box
    tell(user, .updated(item.shown))
    return item
  }

  private func meant(_ selection: InboxSelection, in box: Box) -> [Int]? {
    let current = box.items.indices.filter { !box.items[$0].isExpired(at: now) }
    switch selection {
    case .ids(let ids):
      let places = ids.compactMap { id in current.first { box.items[$0].id == id } }
      return places.count == ids.count ? places.sorted() : nil
    case .upTo(let at, let types):
      guard at <= box.at else { return nil }
      return current.filter { place in
        let item = box.items[place]
        return item.position <= at && types?.contains(item.type) ?? true
      }
    }
  }

  // MARK: - What is shown

  /// What a list shows, the newest first.
  func list(
    of user: String, types: [String]? = nil, states: [InboxState]? = nil
  ) -> [InboxItem] {
    let items = boxes[user]?.items.filter { item in
      !item.isExpired(at: now) && types?.contains(item.type) ?? true
        && states?.contains(item.state) ?? (item.state != .archived)
    }
    return items?.reversed().map(\.shown) ?? []
  }

  func stand(of user: String, types: [String]? = nil) -> InboxStand {
    let unread = list(of: user, types: types, states: [.unseen, .seen])
    var byType: [String: Int] = [:]
    for item in unread { byType[item.notification.type, default: 0] += 1 }
    let counts = InboxCounts(
      unseen: unread.count { $0.state == .unseen }, unread: unread.count,
      byType: byType.sorted { $0.key < $1.key }.map { .init(type: $0.key, unread: $0.value) })
    return InboxStand(counts: counts, at: boxes[user]?.at ?? 0)
  }

  private mutating func tellRemoved(_ gone: [Item], _ user: String) {
    tell(user, .removed(ids: gone.map(\.id), gone.count == 1 ? gone[0].shown : nil))
  }

  private mutating func tell(_ user: String, _ event: InboxEvent) {
    told[user, default: []].append(Line.whole(event) + " | " + Line.whole(stand(of: user)))
  }
}

extension InboxModel.Item {
  var type: String { parts.last?.notification.type ?? "" }

  func isExpired(at now: Timestamp) -> Bool {
    parts.last?.notification.expiresTs.map { $0 <= now } ?? false
  }

  /// As its owner is shown it.
  var shown: InboxItem {
    let newest = parts[parts.count - 1]
    var actors: [UserID] = []
    for actor in parts.reversed().compactMap(\.notification.actor)
    where !actors.contains(actor) && actors.count < Limits.listEntries {
      actors.append(actor)
    }
    return InboxItem(
      id: id, notification: newest.notification, ts: newest.ts, state: state, count: parts.count,
      actors: actors, actedTs: actedTs, publisher: newest.publisher.map { user($0) })
  }
}
