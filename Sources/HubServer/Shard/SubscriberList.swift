/// Who of one loop's connections gets a channel's events: quick to walk, and quick to leave.
package struct SubscriberList {
  package private(set) var connections: [ConnectionHandler] = []
  private var positions: [ObjectIdentifier: Int] = [:]

  package init() {}

  /// Puts a connection in, once.
  package mutating func insert(_ connection: ConnectionHandler) {
    let id = ObjectIdentifier(connection)
    guard positions[id] == nil else { return }
    positions[id] = connections.count
    connections.append(connection)
  }

  /// Takes a connection out, if it is there.
  package mutating func remove(_ connection: ConnectionHandler) {
    guard let position = positions.removeValue(forKey: ObjectIdentifier(connection)) else { return }
    let last = connections.removeLast()
    guard position < connections.count else { return }
    connections[position] = last
    positions[ObjectIdentifier(last)] = position
  }
}
