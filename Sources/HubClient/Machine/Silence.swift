package import NIOCore

/// Notices that nothing was heard for too long (protocol, "Session", liveness).
///
/// Whether bytes came is looked at five times in the allowed time, so a dead connection is noticed
/// at the latest a fifth of it late.
package struct Silence: Sendable {
  private static let checks: Int64 = 5

  private let limit: TimeAmount
  private var lastHeard: NIODeadline
  /// When to look next.
  package private(set) var nextCheck: NIODeadline

  package init(limit: TimeAmount, _ now: NIODeadline) {
    self.limit = limit
    self.lastHeard = now
    self.nextCheck = now + Self.step(limit)
  }

  /// Whether the connection counts as dead at `now`.
  /// - Parameter hasHeard: whether any bytes came since the last call.
  package mutating func isTooLong(_ now: NIODeadline, hasHeard: Bool) -> Bool {
    if hasHeard { lastHeard = now }
    if nextCheck <= now { nextCheck = now + Self.step(limit) }
    return now - lastHeard >= limit
  }

  private static func step(_ limit: TimeAmount) -> TimeAmount {
    .nanoseconds(max(limit.nanoseconds / checks, 1))
  }
}
