/// A status code that may stand in a close frame (RFC 6455 §7.4): 1000–1003, 1007–1014 and
/// 3000–4999. The codes that are reserved for local use (1004, 1005, 1006, 1015) cannot be made.
package struct CloseCode: Sendable, Hashable {
  package let rawValue: UInt16

  /// `nil` for a number that must not stand on the wire.
  package init?(_ rawValue: UInt16) {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: self.rawValue = rawValue
    default: return nil
    }
  }

  private init(known rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// A code of the application's own range, 3000–4999. Any other number is a bug of the caller
  /// and stops the program.
  package init(application rawValue: UInt16) {
    precondition(3000...4999 ~= rawValue, "an application close code is 3000–4999")
    self.rawValue = rawValue
  }

  /// The purpose of the connection is fulfilled.
  package static let normal = CloseCode(known: 1000)
  /// The endpoint leaves, for instance because it stops.
  package static let goingAway = CloseCode(known: 1001)
  /// A frame or a sequence of frames that RFC 6455 does not allow.
  package static let protocolError = CloseCode(known: 1002)
  /// A kind of message the application does not take.
  package static let unacceptableData = CloseCode(known: 1003)
  /// Text that is not UTF-8.
  package static let invalidPayload = CloseCode(known: 1007)
  /// A message that breaks a rule of the application.
  package static let policyViolation = CloseCode(known: 1008)
  /// A message larger than this endpoint takes.
  package static let messageTooBig = CloseCode(known: 1009)
  /// The server met a condition it did not expect.
  package static let internalError = CloseCode(known: 1011)
}
