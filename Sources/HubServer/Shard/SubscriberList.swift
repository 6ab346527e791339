/// Who of one loop's connections gets a channel's events: quick to walk, and quick to leave.
package struct SubscriberList {
  package private(set) var connections: [ConnectionHandler] = []
  /// Where the channel stands, as far as is known here: what a connection that does not keep up is
  /// told of what it missed is counted from there.
  private(set) var position = ChannelPosition.start
  private var places: [ObjectIdentifier: Int] = [:]

  package init() {}

  /// Puts a connection in, once.
  package mutating func insert(_ connection: ConnectionHandler) {
    let id = ObjectIdentifier(connection)
    guard places[id] == nil else { return }
    places[id] = connections.count
    connections.append(connection)
  }

  /// Takes a connection out, if it is there.
  package mutating func remove(_ connection: ConnectionHandler) {
    guard let place = places.removeValue(forKey: ObjectIdentifier(connection)) else { return }
    let last = connections.removeLast()
    guard place < connections.count else { return }
    connections[place] = last
    places[ObjectIdentifier(last)] = place
  }

  /// A subscriber was told where the channel stands.
  mutating func advance(to position: ChannelPosition) {
    self.position.advance(to: position)
  }

  /// A frame is published; answers where the channel stood before it.
  mutating func pass(_ mark: Mark) -> ChannelPosition {
    defer { position.pass(mark) }
    return position
  }
}
