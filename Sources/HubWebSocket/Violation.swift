/// A way in which received bytes break RFC 6455 or our limits. Every one fails the connection
/// (§7.1.7) with ``closeCode``.
package enum Violation: Error, Sendable, Equatable, CaseIterable {
  /// A reserved bit is set though no extension was negotiated (§5.2).
  case reservedBits
  /// An opcode 3–7 or 11–15 (§5.2).
  case reservedOpcode
  /// A control frame without FIN (§5.5).
  case fragmentedControl
  /// A control frame of more than 125 bytes (§5.5).
  case oversizedControl
  /// A client's frame without mask (§5.1).
  case unmaskedFrame
  /// A server's frame with mask (§5.1).
  case maskedFrame
  /// A length in more bytes than it needs (§5.2).
  case lengthNotMinimal
  /// A 64-bit length with its highest bit set (§5.2).
  case lengthOutOfRange
  /// A continuation frame with no message to continue (§5.4).
  case unexpectedContinuation
  /// A new message before the fragmented one was finished (§5.4).
  case expectedContinuation
  /// A close frame of one byte (§5.5.1).
  case malformedClose
  /// A close code that must not be sent (§7.4).
  case invalidCloseCode
  /// Text or a close reason that is not UTF-8 (§8.1).
  case invalidUTF8
  /// A message above ``WebSocketConfiguration/maxMessageBytes`` (§7.4.1, 1009).
  case messageTooBig

  /// The code we close with.
  package var closeCode: CloseCode {
    switch self {
    case .reservedBits, .reservedOpcode, .fragmentedControl, .oversizedControl, .unmaskedFrame,
      .maskedFrame, .lengthNotMinimal, .lengthOutOfRange, .unexpectedContinuation,
      .expectedContinuation, .malformedClose, .invalidCloseCode:
      .protocolError
    case .invalidUTF8: .invalidPayload
    case .messageTooBig: .messageTooBig
    }
  }

  /// One sentence for people, sent as the reason.
  package var sentence: String {
    switch self {
    case .reservedBits: "a reserved bit is set"
    case .reservedOpcode: "the opcode is reserved"
    case .fragmentedControl: "a control frame is fragmented"
    case .oversizedControl: "a control frame has more than 125 bytes"
    case .unmaskedFrame: "a client's frame is not masked"
    case .maskedFrame: "a server's frame is masked"
    case .lengthNotMinimal: "a length is not in its shortest form"
    case .lengthOutOfRange: "a length has its highest bit set"
    case .unexpectedContinuation: "there is no message to continue"
    case .expectedContinuation: "the message before is not finished"
    case .malformedClose: "a close frame has one byte"
    case .invalidCloseCode: "the close code must not be sent"
    case .invalidUTF8: "the text is not UTF-8"
    case .messageTooBig: "the message is too big"
    }
  }
}
