import HubProtocol

/// What people read of their own inboxes (protocol, "Inbox").
extension Hub {
  /// A page of the caller's notifications; asked of history first, where it is not known what they
  /// say.
  mutating func listInbox(
    _ list: InboxList, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let below = try list.place()
    let found = registry.inboxCandidates(list, below: below, of: user, at: moment.wall)
    let missing = missingBodies(of: found)
    guard missing.isEmpty else {
      return ask(.notifications(missing), for: .inboxPage(list, bodies: missing), origin, user)
    }
    var items: [InboxItem] = []
    var budget = PageBudget()
    var next: Int?
    for stub in found {
      let item = bodies[stub.entry.body].map { registry.item(stub, $0) }
      guard items.count < list.limit, item.map({ budget.takes($0.weight) }) ?? true else { break }
      if let item { items.append(item) }
      next = stub.entry.position
    }
    let hasMore = next.map { $0 > found.last?.entry.position ?? 0 } ?? false
    answer(
      origin,
      .inbox(
        items: items, registry.inboxStand(of: user, at: moment.wall),
        cursor: hasMore ? next.map(String.init) : nil))
  }

  /// What has to be known before an operation on the caller's inbox and is not, what the next event
  /// of it says included: the event then comes first. Nil when nothing is missing.
  func bodies(for operation: Operation, by user: UserRef, at moment: Moment) -> [Int]? {
    guard operation.isAboutInbox else { return nil }
    var missing = online[user]?.inboxTellings.first?.body.map { [$0] } ?? []
    if bodies.doubtedUpTo > 0 {
      missing += registry.users[user.index].inbox.entries.map(\.body)
        .filter { $0 <= bodies.doubtedUpTo && !bodies.isSettled($0) }
    }
    if case .inboxList(let list) = operation, let place = try? list.place() {
      let found = registry.inboxCandidates(list, below: place, of: user, at: moment.wall)
      missing += missingBodies(of: found)
    } else if case .inboxAct(let id) = operation {
      let inbox = registry.users[user.index].inbox
      missing += missingBodies(of: inbox.entries.filter { $0.id == id }.map(inbox.stub))
    }
    return missing.isEmpty ? nil : missing
  }

  private func missingBodies(of stubs: [InboxStub]) -> [Int] {
    Set(stubs.map(\.entry.body)).filter { !bodies.isSettled($0) }.sorted()
  }

  /// An item is followed: answers what it is about.
  mutating func acted(on body: Int, _ origin: Origin, by user: UserRef) {
    guard bodies.isSettled(body) else {
      return ask(.notifications([body]), for: .target(body: body), origin, user)
    }
    answer(origin, .inboxActed(bodies[body]?.notification.target))
  }

  /// Notes what history said of bodies.
  mutating func learn(_ asked: [Int], from answer: HistoryAnswer) {
    guard case .notifications(let found) = answer else { return }
    for body in found { bodies.insert(body) }
    for number in Set(asked).subtracting(found.map(\.number)) { bodies.lose(number) }
  }

  /// History was lost, and may not know what the notifications up to that number say.
  package mutating func doubtNotifications(upTo number: Int) {
    bodies.doubtedUpTo = number
  }

  /// Lets items go of which history was found not to know what they say.
  mutating func dropLost(of user: UserRef) {
    guard !bodies.lost.isEmpty, writeRefusal == nil else { return }
    let lost = registry.users[user.index].inbox.entries.map(\.body).filter(bodies.lost.contains)
    if !lost.isEmpty { append(.inbox(.dropBodies(lost), user)) }
  }

  // MARK: - Telling

  /// Tells everybody whose inbox a record changed, and gives history what the notifications say.
  mutating func tellInboxNews(at moment: Moment) {
    let news = registry.takeInboxNews()
    guard !news.isEmpty else { return }
    historyChanges += news.bodies.map { .notified($0) }
    let heard = news.changes.filter { !connections(of: $0.user).isEmpty }
    // What is being delivered comes to others, too.
    if !heard.isEmpty || registry.hasRuns {
      for body in news.bodies { bodies.insert(body) }
    }
    var stands: [UserRef: InboxStand] = [:]
    for (user, change) in heard {
      let stand = stands[user] ?? registry.inboxStand(of: user, at: moment.wall)
      stands[user] = stand
      tell(InboxTelling(change: change, stand: stand), to: user)
      watchExpiry(of: user, at: moment)
    }
  }

  /// Events of one inbox are told in their order: those wait that speak of an item of which it is
  /// not known yet what it says.
  private mutating func tell(_ telling: InboxTelling, to user: UserRef) {
    guard online[user]?.inboxTellings.isEmpty == true else {
      online[user]?.inboxTellings.append(telling)
      return
    }
    guard let body = telling.body, !bodies.isSettled(body) else {
      return tell(connections(of: user), .inbox(event(of: telling), telling.stand))
    }
    online[user]?.inboxTellings.append(telling)
    ask(body, for: user)
  }

  /// Goes on with telling, now that history has answered.
  mutating func tellWaiting(of user: UserRef, asked: [Int]) {
    while let telling = online[user]?.inboxTellings.first {
      // What could not be read now is left out, once it was asked for.
      if let body = telling.body, !bodies.isSettled(body), !asked.contains(body) {
        return ask(body, for: user)
      }
      online[user]?.inboxTellings.removeFirst()
      tell(connections(of: user), .inbox(event(of: telling), telling.stand))
    }
  }

  private mutating func ask(_ body: Int, for user: UserRef) {
    let origin = Origin(connection: .none, id: nil, op: nil, bytes: 0)
    ask(.notifications([body]), for: .inboxTelling(body: body), origin, user)
  }

  /// The event, with the item as far as it is known what it says.
  private func event(of telling: InboxTelling) -> InboxEvent {
    let item: (InboxStub) -> InboxItem? = { stub in
      bodies[stub.entry.body].map { registry.item(stub, $0) }
    }
    switch telling.change {
    case .added(let stub):
      return item(stub).map { .added($0) } ?? .marked(ids: [stub.entry.id], stub.entry.state)
    case .updated(let stub):
      return item(stub).map { .updated($0) } ?? .marked(ids: [stub.entry.id], stub.entry.state)
    case .marked(let ids, let state): return .marked(ids: ids, state)
    case .removed(let stubs):
      return .removed(ids: stubs.map(\.entry.id), stubs.count == 1 ? item(stubs[0]) : nil)
    case .cleared: return .cleared
    }
  }

  /// How inboxes were used, in all runs.
  package var inboxUsage: InboxUsage { registry.inboxUsage }

  // MARK: - Expiry

  /// Remembers to look when the next item of somebody who is there expires.
  mutating func watchExpiry(of user: UserRef, at moment: Moment) {
    guard online[user] != nil, let next = registry.users[user.index].inbox.nextExpiry else {
      return
    }
    let due = moment.uptime + max(0, next.milliseconds - moment.wall.milliseconds)
    guard online[user]?.inboxExpiry.map({ due < $0 }) ?? true else { return }
    online[user]?.inboxExpiry = due
    expiries.insert(user, at: due)
  }

  /// Something of a user's inbox may have expired.
  mutating func expireItems(of user: UserRef, at moment: Moment) {
    guard let due = online[user]?.inboxExpiry, due <= moment.uptime else { return }
    online[user]?.inboxExpiry = nil
    guard let next = registry.users[user.index].inbox.nextExpiry else { return }
    // Another item's, or the wall clock was set back.
    guard next <= moment.wall else { return watchExpiry(of: user, at: moment) }
    guard writeRefusal == nil else {
      online[user]?.inboxExpiry = moment.uptime + 1_000
      return expiries.insert(user, at: moment.uptime + 1_000)
    }
    append(.inbox(.trim, user), at: moment)
  }
}

extension Operation {
  /// Whether its answer tells how the caller's inbox stands.
  var isAboutInbox: Bool {
    if case .inboxList = self { return true }
    if case .inboxCounts = self { return true }
    if case .inboxMark = self { return true }
    if case .inboxDelete = self { return true }
    if case .inboxAct = self { return true }
    return false
  }
}

extension InboxList {
  /// The position that the page is below; above all for the first.
  fileprivate func place() throws(Refusal) -> Int {
    guard let cursor else { return .max }
    guard let place = Int(cursor), place >= 0 else { throw .foreignCursor }
    return place
  }
}
