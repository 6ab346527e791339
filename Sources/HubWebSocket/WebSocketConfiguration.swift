package import NIOCore

/// Which end of the connection we are (RFC 6455 §5.1).
package enum WebSocketRole: Sendable {
  /// Our frames are not masked, the peer's must be.
  case server
  /// Our frames are masked, each with a fresh key from `maskKey`, which must not be predictable
  /// (§10.3); the peer's must not be masked.
  case client(maskKey: @Sendable () -> UInt32)
}

/// The limits and deadlines of one WebSocket connection.
package struct WebSocketConfiguration: Sendable {
  package var role: WebSocketRole

  /// The most payload bytes of a received message, over all its fragments. A larger one closes
  /// with 1009 when the header that passes the limit arrives. Defaults to 256 KiB.
  package var maxMessageBytes: Int = 256 * 1024

  /// How long we wait, after sending a close frame, for the peer's; and a client, after both, for
  /// the server to close TCP (§7.1.1). Defaults to 5 s.
  package var closeDeadline: TimeAmount = .seconds(5)

  /// How long we discard input after shutting down our side, so that the peer can still read our
  /// close frame before TCP is reset. Defaults to 2 s.
  package var discardDeadline: TimeAmount = .seconds(2)

  /// The most bytes discarded in that time; one more closes TCP at once. Defaults to 64 MiB.
  package var discardBytes: Int = 64 * 1024 * 1024

  package init(role: WebSocketRole) {
    self.role = role
  }

  /// Every value that is out of range; empty when the configuration can be used.
  package func validate() -> [LimitProblem] {
    var problems: [LimitProblem] = []
    if !(125...(1 << 30) ~= self.maxMessageBytes) {
      problems.append(
        .init(key: "maxMessageBytes", value: self.maxMessageBytes, rule: "125 to 1073741824"))
    }
    for (key, time) in [
      ("closeDeadline", self.closeDeadline), ("discardDeadline", self.discardDeadline),
    ] where !(.milliseconds(1) ... .minutes(10) ~= time) {
      problems.append(.init(key: key, value: Int(time.nanoseconds), rule: "1 ms to 10 min, in ns"))
    }
    if self.discardBytes < 0 {
      problems.append(.init(key: "discardBytes", value: self.discardBytes, rule: "0 or more"))
    }
    return problems
  }
}

/// One value of a configuration that cannot be used.
package struct LimitProblem: Error, Sendable, Equatable {
  package let key: String
  package let value: Int
  package let rule: String
}
