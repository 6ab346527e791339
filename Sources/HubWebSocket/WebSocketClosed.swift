package import NIOCore

/// Fired as a user inbound event exactly once for every connection whose ``WebSocketHandler`` was
/// in a pipeline, at the first of these moments:
///
/// - a close frame of the peer arrives while we have sent none: `.peer`, with its code (`nil` if
///   it has none) and reason; our answer is already written;
/// - the peer breaks the protocol or a limit: `.us`, with 1002, 1007 or 1009; that close frame is
///   already written, and nothing further will be delivered;
/// - after `sendClose`: `.us`, with the code and reason we sent, once the peer has answered, or
///   broken the protocol, or TCP ended, or the deadline passed;
/// - `abort()`: `.us`, with no code unless `sendClose` came first;
/// - TCP ends with no close frame either way: `.abrupt`, no code (what RFC 6455 §7.1.5 calls 1006).
///
/// Frames written after it are not allowed to reach the peer: write none.
package struct WebSocketClosed: Sendable, Equatable {
  package enum Initiator: Sendable {
    case peer, us, abrupt
  }

  package let code: UInt16?
  package let reason: String
  package let initiator: Initiator

  package init(code: UInt16?, reason: String, initiator: Initiator) {
    self.code = code
    self.reason = reason
    self.initiator = initiator
  }

  init(_ frame: CloseFrame, initiator: Initiator) {
    self.init(code: frame.code?.rawValue, reason: frame.reason, initiator: initiator)
  }
}

/// Fired as a user inbound event when a pong arrives, asked for or not (RFC 6455 §5.5.3).
package struct WebSocketPong: Sendable, Equatable {
  /// At most 125 bytes; the payload of the ping it answers.
  package let payload: ByteBuffer
}
