import HashTreeCollections
import HubProtocol

/// Notifications (protocol, "Inbox").
extension Registry {
  mutating func notify(
    _ notify: Notify, by publisher: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    guard users[publisher.index].privilege != .person else {
      throw Refusal(.forbidden, "only bots and admins notify")
    }
    let (recipients, unknown) = try audience(of: notify, by: publisher, at: ts)
    var notified: [Applied.Notified] = []
    for user in recipients where users[user.index].id != notify.notification.actor {
      let change = users[user.index].inbox.add(
        notify, publisher: users[publisher.index].id, ts: ts)
      guard let change else { continue }
      let dropped = users[user.index].inbox.trim(now: ts)
      notified.append(Applied.Notified(user: user, change: change, dropped: dropped))
    }
    return .notified(notified, unknown: unknown)
  }

  private func audience(
    of notify: Notify, by publisher: UserRef, at ts: Timestamp
  ) throws(Refusal) -> (users: [UserRef], unknown: [UserID]) {
    switch notify.audience {
    case .users(let ids):
      var refs: [UserRef] = []
      var unknown: [UserID] = []
      for id in ids {
        if let ref = userRefs[id] { refs.append(ref) } else { unknown.append(id) }
      }
      return (refs, unknown)
    case .channel(let name):
      guard let ref = channelRefs[name] else { throw .noChannel(name) }
      if users[publisher.index].privilege != .admin {
        _ = try visibleChannel(name, to: publisher, at: ts)
      }
      return (channels[ref.index].members.keys.sorted(), [])
    }
  }
}
