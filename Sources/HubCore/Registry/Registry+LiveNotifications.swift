/// What of history is still needed.
extension Registry {
  /// Which notifications are in some inbox, or on their way into one.
  package func liveNotifications() -> LiveNotifications {
    var live = LiveNotifications(next: bodyCount + 1, numbers: runs.compactMap(\.arrival?.body))
    for index in 0..<UInt32(users.count) {
      let inbox = users[index].inbox
      live.insert(inbox.entries.lazy.map(\.body))
      live.insert(inbox.details.lazy.flatMap(\.members).map(\.body))
    }
    return live
  }
}
