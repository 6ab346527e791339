/// How many requests a connection may make: a bucket that fills at the allowed rate and holds twice
/// a second's worth (cli, `--rate-limit`; protocol, "Session").
package struct RateLimiter: Sendable {
  /// What becomes of a request.
  package enum Verdict: Equatable, Sendable {
    case pass
    /// Not to be done; the next may pass after that many milliseconds.
    case refuse(retryAfterMilliseconds: Int)
    /// Over the rate for too long: close 4429.
    case close
  }

  /// How long a connection may keep exceeding the rate before it is closed.
  package static let patienceMilliseconds = 10_000
  /// How long a connection must stay within the rate for its excess to be forgotten.
  package static let calmMilliseconds = 1_000

  private let perSecond: Int
  /// Thousandths of a request.
  private var tokens: Int
  private var filledAt: Int
  private var excess: (since: Int, last: Int)?

  /// A full bucket at `uptime`, in milliseconds.
  package init(perSecond: Int, uptime: Int) {
    self.perSecond = perSecond
    tokens = perSecond * 2_000
    filledAt = uptime
  }

  /// Decides about one request made at `uptime`.
  package mutating func admit(uptime: Int) -> Verdict {
    let elapsed = min(max(0, uptime - filledAt), 2_000)
    tokens = min(perSecond * 2_000, tokens + elapsed * perSecond)
    filledAt = uptime
    if tokens >= 1_000 {
      tokens -= 1_000
      return .pass
    }
    let since = excess.flatMap { uptime - $0.last <= Self.calmMilliseconds ? $0.since : nil }
    excess = (since ?? uptime, uptime)
    if let since, uptime - since >= Self.patienceMilliseconds { return .close }
    return .refuse(retryAfterMilliseconds: (1_000 - tokens + perSecond - 1) / perSecond)
  }
}
