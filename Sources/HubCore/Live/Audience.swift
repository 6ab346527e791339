/// Who of the connected concerns themselves with a channel.
struct Audience {
  /// Connections that get the channel's events, and whose they are.
  private(set) var subscribers: [ConnectionID: UserRef] = [:]
  /// Members who are there, or were a moment ago.
  private(set) var online: Set<UserRef> = []
  /// Those of them who do not want to be seen.
  private(set) var invisible: Set<UserRef> = []
  /// Subscribed users for whom some events take another form, or none.
  private(set) var special: Set<UserRef> = []
  /// Connections of members that are not subscribed: they get `activity`.
  private(set) var bystanders: Set<ConnectionID> = []

  /// Loops that have a subscriber.
  private(set) var loops = LoopSet()
  private var loopCounts: [UInt16: Int] = [:]

  /// Whether nobody is left, so that the audience may be forgotten.
  var isEmpty: Bool { subscribers.isEmpty && online.isEmpty }

  /// How many members are shown to be there.
  var presentCount: Int { online.count - invisible.count }

  /// Whether a member is shown to be there.
  func isShown(_ user: UserRef) -> Bool { online.contains(user) && !invisible.contains(user) }

  /// A connection subscribes; false when it had.
  mutating func subscribe(_ connection: ConnectionID, of user: UserRef) -> Bool {
    bystanders.remove(connection)
    guard subscribers.updateValue(user, forKey: connection) == nil else { return false }
    loopCounts[connection.loop, default: 0] += 1
    loops.insert(connection.loop)
    return true
  }

  /// A connection of somebody who is a member, or is not, unsubscribes.
  mutating func unsubscribe(_ connection: ConnectionID) -> Bool {
    guard let user = removeSubscriber(connection) else { return false }
    if online.contains(user) { bystanders.insert(connection) }
    return true
  }

  /// A member is there with these connections.
  mutating func enter(_ user: UserRef, on connections: [ConnectionID]) {
    online.insert(user)
    for connection in connections where subscribers[connection] == nil {
      bystanders.insert(connection)
    }
  }

  /// Somebody is no longer a member, or no longer there.
  mutating func exit(_ user: UserRef, on connections: [ConnectionID]) {
    online.remove(user)
    invisible.remove(user)
    bystanders.subtract(connections)
  }

  /// A member who is there wants to be seen, or not.
  mutating func setInvisible(_ user: UserRef, _ isInvisible: Bool) {
    guard isInvisible, online.contains(user) else {
      invisible.remove(user)
      return
    }
    invisible.insert(user)
  }

  /// A user's view of the channel's events differs from others', or no longer.
  mutating func setSpecial(_ user: UserRef, _ isSpecial: Bool) {
    if isSpecial { special.insert(user) } else { special.remove(user) }
  }

  /// A connection ended, whether or not its user has others.
  mutating func disconnect(_ connection: ConnectionID) {
    _ = removeSubscriber(connection)
    bystanders.remove(connection)
  }

  private mutating func removeSubscriber(_ connection: ConnectionID) -> UserRef? {
    guard let user = subscribers.removeValue(forKey: connection) else { return nil }
    loopCounts[connection.loop, default: 1] -= 1
    guard loopCounts[connection.loop] == 0 else { return user }
    loopCounts[connection.loop] = nil
    // Loops that share a bit are put in again.
    loops = LoopSet()
    for loop in loopCounts.keys { loops.insert(loop) }
    return user
  }
}
