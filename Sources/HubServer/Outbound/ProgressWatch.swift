/// Whether a peer for which something waits still takes what it is sent: who takes nothing for 10 s
/// is closed 4413, who takes little is not. Times are milliseconds of uptime.
package struct ProgressWatch {
  /// Milliseconds that a peer may take nothing.
  package static let patience = 10_000

  /// When something was taken last; nil before the first look.
  private var takenAt: Int?
  private var waiting = 0

  package init() {}

  /// Decides at `now`: true when the peer has taken nothing for too long.
  /// - Parameters:
  ///   - waiting: bytes that are on their way to the peer and that it has not taken yet.
  ///   - hasWritten: whether the system has taken a whole write since the last call.
  package mutating func tick(now: Int, waiting: Int, hasWritten: Bool) -> Bool {
    defer { self.waiting = waiting }
    guard let takenAt, !hasWritten, waiting >= self.waiting else {
      takenAt = now
      return false
    }
    return now - takenAt >= Self.patience
  }
}
