import HubProtocol

/// Notifications (protocol, "Inbox").
extension Hub {
  /// A page of the caller's notifications.
  mutating func listInbox(
    _ list: InboxList, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let below = list.cursor.map { Int($0) }
    if let below, below == nil {
      throw .foreignCursor
    }
    let inbox = registry.users[user.index].inbox
    let (items, next) = inbox.page(list, below: below ?? nil, now: moment.wall)
    answer(
      origin,
      .inbox(
        items: items, counts: inbox.counts(now: moment.wall), at: inbox.at,
        cursor: next.map(String.init)))
  }

  mutating func tellInbox(_ notified: Applied.Notified, at moment: Moment) {
    let connections = connections(of: notified.user)
    guard !connections.isEmpty else { return }
    let inbox = registry.users[notified.user.index].inbox
    let counts = inbox.counts(now: moment.wall)
    switch notified.change {
    case .added(let item):
      tell(connections, .inboxAdded(item, counts: counts, at: inbox.at))
    case .updated(let item):
      tell(connections, .inboxUpdated(item, counts: counts, at: inbox.at))
    }
    guard !notified.dropped.isEmpty else { return }
    tell(connections, .inboxRemoved(ids: notified.dropped, counts: counts, at: inbox.at))
  }
}
