/// What an update says of one member of an object: absent keeps, an empty value clears (protocol,
/// "Envelope").
package enum Update<Value: Equatable & Sendable>: Equatable, Sendable {
  case keep
  case clear
  case set(Value)

  /// The member after the update.
  package func applied(to value: Value?) -> Value? {
    switch self {
    case .keep: value
    case .clear: nil
    case .set(let new): new
    }
  }

  /// The member after the update, where a cleared one has a value too.
  package func applied(to value: Value, cleared: Value) -> Value {
    switch self {
    case .keep: value
    case .clear: cleared
    case .set(let new): new
    }
  }
}
