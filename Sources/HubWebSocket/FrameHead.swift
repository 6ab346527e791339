/// A frame's header, complete and checked (RFC 6455 §5.2).
package struct FrameHead: Sendable, Equatable {
  /// Whether the frame is the last of its message.
  package let isFinal: Bool
  package let opcode: Opcode
  /// Bytes of payload the header announces, below 2^63.
  package let length: Int
  /// `nil` for a frame from a server.
  package let mask: MaskKey?
}
