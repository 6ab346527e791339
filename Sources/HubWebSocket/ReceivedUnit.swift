package import NIOCore

/// What a peer's bytes amount to once framing is off: a whole message, a control frame, or the
/// point where they break a rule. Nothing follows a close or a violation.
package enum ReceivedUnit: Sendable, Equatable {
  case message(WebSocketMessage)
  case ping(ByteBuffer)
  case pong(ByteBuffer)
  case close(CloseFrame)
  case violation(Violation)
}
