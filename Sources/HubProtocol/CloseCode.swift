/// Why the hub ends a connection (protocol, "Errors and close codes"). Codes 44xx may come back,
/// 45xx should not.
package enum CloseCode: UInt16, Sendable, CaseIterable {
  case goingAway = 1001
  case unacceptableData = 1003
  case tokenExpired = 4401
  case noHello = 4408
  case noSignOfLife = 4410
  case slowConsumer = 4413
  case tooManyRequests = 4429
  case draining = 4430
  case badToken = 4500
  case notAnObject = 4501
  case removedByOperator = 4503
  case connectionLimit = 4504

  /// The reason in the close frame: a sentence for people, below 123 bytes.
  package var reason: String {
    switch self {
    case .goingAway: "the hub is going away"
    case .unacceptableData: "binary messages are not part of this protocol"
    case .tokenExpired: "the token has expired"
    case .noHello: "no hello within 10 s"
    case .noSignOfLife: "no sign of life"
    case .slowConsumer: "no progress for 10 s"
    case .tooManyRequests: "over the request rate for 10 s"
    case .draining: "the hub is draining"
    case .badToken: "the token is not valid"
    case .notAnObject: "a message must be one JSON object"
    case .removedByOperator: "removed by an operator"
    case .connectionLimit: "too many connections"
    }
  }
}
