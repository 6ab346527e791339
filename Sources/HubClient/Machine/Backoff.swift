internal import NIOCore

/// Draws the time until the next attempt (``HubBackoff``).
package struct Backoff: Sendable {
  private let rule: HubBackoff
  private var failures = 0

  package init(_ rule: HubBackoff) {
    self.rule = rule
  }

  /// The time to wait after one more failure: more than half of the bound, at most the bound.
  package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
    // 2^20 times the least `first`, a millisecond, is beyond the greatest `longest`, an hour.
    let bound = min(rule.first * (1 << min(failures, 22)), rule.longest)
    failures += 1
    let half = bound / 2
    return half + half * Double.random(in: 0..<1, using: &random)
  }

  /// What is known after a connection that lasted `duration`.
  package mutating func ended(after duration: Duration) {
    if duration >= rule.settledAfter { failures = 0 }
  }
}
