import HubProtocol

/// What people do with their own inboxes (protocol, "Inbox").
extension Registry {
  /// What happened to inboxes since this was last asked.
  mutating func takeInboxNews() -> InboxNews {
    guard !inboxNews.isEmpty else { return InboxNews() }
    defer { inboxNews = InboxNews() }
    return inboxNews
  }

  mutating func markInbox(
    _ state: InboxState, _ selection: InboxSelection, of user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let marked = try meant(by: selection, in: users[user.index].inbox, at: ts) { entry, isNamed in
      isNamed ? entry.state != state : Self.moves(entry.state, to: state)
    }
    guard !marked.isEmpty else { return .inboxMarked }
    for index in marked { mark(index, state, of: user) }
    users[user.index].inbox.noteChange()
    let inbox = users[user.index].inbox
    let change: InboxNews.Change =
      marked.count == 1
      ? .updated(inbox.stub(inbox.entries[marked[0]]))
      : .marked(marked.map { inbox.entries[$0].id }, state)
    inboxNews.note(change, of: user)
    return .inboxMarked
  }

  /// Whether a mark up to a position moves an item from one state to the other.
  private static func moves(_ state: InboxState, to target: InboxState) -> Bool {
    switch (target, state) {
    case (_, .archived), (.unseen, .unseen): false
    case (.unseen, .seen), (.unseen, .read): true
    case (.seen, _), (.read, _), (.archived, _): state.rank < target.rank
    }
  }

  private mutating func mark(_ index: Int, _ state: InboxState, of user: UserRef) {
    let wasViewed = users[user.index].inbox.entries[index].isViewed
    let isViewed = wasViewed || state != .unseen
    users[user.index].inbox.change(index) { entry in
      entry.state = state
      entry.isViewed = isViewed
    }
    if isViewed != wasViewed { inboxUsage.viewed += 1 }
  }

  mutating func deleteFromInbox(
    _ selection: InboxSelection, of user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let inbox = users[user.index].inbox
    let ids = try meant(by: selection, in: inbox, at: ts) { _, _ in true }
      .map { inbox.entries[$0].id }
    return .inboxDeleted(delete(Set(ids), selection, of: user, ts: ts))
  }

  private mutating func delete(
    _ ids: Set<Int>, _ selection: InboxSelection, of user: UserRef, ts: Timestamp
  ) -> Int {
    let removed = users[user.index].inbox.delete(ids, ts: ts)
    guard !removed.isEmpty else { return 0 }
    inboxUsage.deleted += removed.count
    var isClearing = false
    if case .upTo = selection { isClearing = users[user.index].inbox.entries.isEmpty }
    inboxNews.note(isClearing ? .cleared : .removed(removed), of: user)
    return removed.count
  }

  mutating func actOnItem(
    _ id: Int, of user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let index = try place(of: id, in: users[user.index].inbox, at: ts)
    let entry = users[user.index].inbox.entries[index]
    let isFirst = users[user.index].inbox.act(index, ts: ts)
    let isUnread = entry.state.isUnread
    if isUnread { mark(index, .read, of: user) }
    guard isFirst || isUnread else { return .inboxActed(body: entry.body) }
    users[user.index].inbox.noteChange()
    let inbox = users[user.index].inbox
    inboxNews.note(.updated(inbox.stub(inbox.entries[index])), of: user)
    return .inboxActed(body: entry.body)
  }

  mutating func openInbox(of user: UserRef) -> Applied {
    if users[user.index].inbox.open() { inboxUsage.people += 1 }
    return .nothing
  }

  /// Lets what has expired go.
  mutating func trimInbox(of user: UserRef, ts: Timestamp) -> Applied {
    guard user.index < UInt32(users.count) else { return .nothing }
    let removed = users[user.index].inbox.trim(at: ts)
    if !removed.isEmpty { inboxNews.note(.removed(removed), of: user) }
    return .nothing
  }

  /// Lets items go of which history does not know what they say.
  mutating func dropBodies(_ bodies: [Int], of user: UserRef) -> Applied {
    guard user.index < UInt32(users.count) else { return .nothing }
    let lost = Set(bodies)
    let removed = users[user.index].inbox.removeAll { lost.contains($0.body) }
    if !removed.isEmpty { inboxNews.note(.removed(removed), of: user) }
    return .nothing
  }

  /// The places of the items that are meant and for which something is to be done: `isToDo` is
  /// asked with whether the item was named.
  private func meant(
    by selection: InboxSelection, in inbox: Inbox, at now: Timestamp,
    _ isToDo: (InboxEntry, Bool) -> Bool
  ) throws(Refusal) -> [Int] {
    switch selection {
    case .ids(let ids):
      var places: [Int] = []
      for id in ids {
        let place = try place(of: id, in: inbox, at: now)
        if isToDo(inbox.entries[place], true) { places.append(place) }
      }
      return places.sorted()
    case .upTo(let upTo, let types):
      guard upTo <= inbox.at else {
        throw Refusal(.badRequest, "`upto` is above the inbox's \(inbox.at)")
      }
      let numbers = types.map(typeNumbers)
      return inbox.entries.indices.filter { index in
        let entry = inbox.entries[index]
        return entry.position <= upTo && numbers?.contains(entry.type) ?? true
          && inbox.isCurrent(entry, at: now) && isToDo(entry, false)
      }
    }
  }

  private func place(
    of id: Int, in inbox: Inbox, at now: Timestamp
  ) throws(Refusal) -> Int {
    let place = inbox.entries.firstIndex { $0.id == id && inbox.isCurrent($0, at: now) }
    guard let place else {
      throw Refusal(.notFound, "there is no item `\(id)` in your inbox")
    }
    return place
  }

  private func typeNumbers(_ types: [String]) -> Set<UInt16> {
    Set(types.compactMap { notificationTypes.number(of: $0) })
  }

  // MARK: - Reading

  /// The numbers of the items that are shown at `now`, of these types.
  func inboxStand(
    of user: UserRef, types: [String]? = nil, at now: Timestamp
  ) -> InboxStand {
    let inbox = users[user.index].inbox
    let wanted = types.map(typeNumbers)
    var counts = InboxCounts()
    var byType: [(type: UInt16, unread: Int)] = []
    for entry in inbox.entries where entry.state.isUnread {
      guard wanted?.contains(entry.type) ?? true, inbox.isCurrent(entry, at: now) else { continue }
      counts.unread += 1
      if entry.state == .unseen { counts.unseen += 1 }
      if let place = byType.firstIndex(where: { $0.type == entry.type }) {
        byType[place].unread += 1
      } else {
        byType.append((entry.type, 1))
      }
    }
    counts.byType = byType.map {
      InboxCounts.TypeCount(type: notificationTypes.name(of: $0.type), unread: $0.unread)
    }.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
    return InboxStand(counts: counts, at: inbox.at)
  }

  /// The items that a list shows, newest first, one more than its limit if there are more.
  func inboxCandidates(
    _ list: InboxList, below: Int, of user: UserRef, at now: Timestamp
  ) -> [InboxStub] {
    let inbox = users[user.index].inbox
    let types = list.types.map(typeNumbers)
    var found: [InboxStub] = []
    for entry in inbox.entries.reversed() where entry.position < below {
      guard found.count <= list.limit else { break }
      let isWanted =
        (list.states?.contains(entry.state) ?? (entry.state != .archived))
        && types?.contains(entry.type) ?? true
      if isWanted, inbox.isCurrent(entry, at: now) { found.append(inbox.stub(entry)) }
    }
    return found
  }

  /// An item as its owner is shown it.
  func item(_ stub: InboxStub, _ body: StoredNotification) -> InboxItem {
    var publisher: UserID?
    if case .user(let user) = stub.entry.publisher { publisher = users[user.index].id }
    var notification = body.notification
    let details = stub.details
    notification.expiresTs = details?.expiresTs
    return InboxItem(
      id: stub.entry.id, notification: notification, ts: body.ts, state: stub.entry.state,
      count: details?.count ?? 1,
      actors: details?.actors ?? notification.actor.map { [$0] } ?? [],
      actedTs: details?.actedTs, publisher: publisher)
  }
}
