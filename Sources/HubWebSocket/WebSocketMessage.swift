package import NIOCore

/// One complete message (RFC 6455 §5.6), its fragments joined and unmasked.
package struct WebSocketMessage: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// UTF-8, already checked.
    case text
    case binary
  }

  // The order matters: 23 bytes and 1 fill the three words an existential holds without a box.
  /// The content. It may be a slice of the buffer that was read from the socket and keeps that
  /// alive, so copy what is to be kept for long.
  package let payload: ByteBuffer
  package let kind: Kind

  package init(kind: Kind, payload: ByteBuffer) {
    self.kind = kind
    self.payload = payload
  }
}
