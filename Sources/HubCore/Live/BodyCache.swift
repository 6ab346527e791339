import DequeModule
import HubProtocol

/// What notifications say, as far as it was needed of late: those that came for somebody who is
/// there, and those that were loaded. The oldest go first.
struct BodyCache {
  /// Bytes of notifications that are kept, about.
  static let capacity = 32 << 20

  private var bodies: [Int: StoredNotification] = [:]
  private var order: Deque<Int> = []
  private var weight = 0
  /// Up to that number history may not have them, so that each inbox is looked through before it
  /// is told of.
  var doubtedUpTo = 0
  /// Numbers of what history does not have.
  private(set) var lost: Set<Int> = []

  subscript(_ number: Int) -> StoredNotification? { bodies[number] }

  /// Whether it is known what there is to know.
  func isSettled(_ number: Int) -> Bool { bodies[number] != nil || lost.contains(number) }

  mutating func insert(_ body: StoredNotification) {
    lost.remove(body.number)
    guard bodies.updateValue(body, forKey: body.number) == nil else { return }
    order.append(body.number)
    weight += body.notification.weight
    while weight > Self.capacity, let oldest = order.popFirst() {
      weight -= bodies.removeValue(forKey: oldest)?.notification.weight ?? 0
    }
  }

  /// Notes that history does not have it.
  mutating func lose(_ number: Int) { lost.insert(number) }
}
