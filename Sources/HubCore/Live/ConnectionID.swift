/// One connection: which event loop it lives on, its place in that loop's table, and a number that
/// tells it from others that had the place before.
package struct ConnectionID: Hashable, Sendable {
  /// Index of the event loop.
  package let loop: UInt16
  /// Place in the loop's table of connections.
  package let slot: UInt32
  /// Rises each time the place is given out.
  package let generation: UInt32

  package init(loop: UInt16, slot: UInt32, generation: UInt32) {
    self.loop = loop
    self.slot = slot
    self.generation = generation
  }

  /// Stands where nobody asked.
  static let none = ConnectionID(loop: .max, slot: .max, generation: .max)
}
