internal import NIOCore

/// Limits and deadlines of one connection.
public struct HubConfiguration: Sendable {
  /// What the program calls itself in `hello`.
  public var clientName: String = "HubClient"

  /// The program's version in `hello`.
  public var clientVersion: String = "1.0"

  /// How long reaching the hub and opening the WebSocket may take, each. Defaults to 10 s.
  public var connectDeadline: Duration = .seconds(10)

  /// How long a request may go unanswered, from the call on, reconnects included. Defaults to 10 s.
  public var requestDeadline: Duration = .seconds(10)

  /// How long ``HubConnection/close()`` waits for the hub's answer. Defaults to 5 s.
  public var closeDeadline: Duration = .seconds(5)

  /// How long nothing at all may be heard, beyond the hub's own heartbeat, before the connection
  /// counts as dead and is made anew. Defaults to 10 s (protocol, "Session").
  public var silenceAllowance: Duration = .seconds(10)

  /// How long the client waits before it comes back.
  public var backoff = HubBackoff()

  /// The most requests that may be unanswered or waiting for a connection; one more fails with
  /// ``HubError/tooManyRequests``. Defaults to 1,024.
  public var maxPendingRequests: Int = 1_024

  /// The most updates that wait for a slow reader of one subscription or event stream. Beyond it
  /// they are dropped, and the reader is told how many (``HubUpdate/missed(_:)``). Defaults to
  /// 4,096.
  public var maxWaitingUpdates: Int = 4_096

  /// The defaults.
  public init() {}

  /// Every value that is out of range, as a sentence; empty when the configuration can be used.
  package func problems() -> [String] {
    var problems: [String] = []
    let durations: [(String, Duration)] = [
      ("connectDeadline", connectDeadline), ("requestDeadline", requestDeadline),
      ("closeDeadline", closeDeadline), ("silenceAllowance", silenceAllowance),
      ("backoff.first", backoff.first), ("backoff.longest", backoff.longest),
    ]
    for (key, value) in durations where value < .milliseconds(1) || value > .seconds(3_600) {
      problems.append("\(key) is \(value) and must be 1 ms to 1 h")
    }
    if backoff.longest < backoff.first {
      problems.append("backoff.longest must not be below backoff.first")
    }
    for (key, value) in [
      ("maxPendingRequests", maxPendingRequests), ("maxWaitingUpdates", maxWaitingUpdates),
    ] where value < 1 {
      problems.append("\(key) is \(value) and must be at least 1")
    }
    return problems
  }
}

/// How the waiting time grows from one failed attempt to the next. Each is drawn at random from
/// between half of `first` · 2ⁿ and the whole of it, so that clients that were cut off together do
/// not come back together.
public struct HubBackoff: Hashable, Sendable {
  /// The longest wait after the first failure. Defaults to 500 ms.
  public var first: Duration = .milliseconds(500)

  /// The longest wait ever. Defaults to 30 s.
  public var longest: Duration = .seconds(30)

  /// How long a connection must have lasted for the next failure to count as the first again.
  /// Defaults to 10 s.
  public var settledAfter: Duration = .seconds(10)

  /// The defaults.
  public init() {}
}
