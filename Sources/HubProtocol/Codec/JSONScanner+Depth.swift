/// Scanning what is nested so deeply that recursion would be a risk.
extension JSONScanner {
  /// Scans the container at the index, which opens the level `level`, keeping the open ones in a
  /// list.
  mutating func scanDeepContainer(level: Int) throws(NotJSON) {
    var closings: [UInt8] = []
    repeat {
      if let closing = closing(of: byte) {
        closings.append(closing)
        deepest = max(deepest, level + closings.count - 1)
        index += 1
        skipSpace()
        guard byte == closing else {
          try beginMember(in: closing)
          continue
        }
      } else {
        _ = try scanScalar()
      }
      try closeContainers(&closings)
    } while !closings.isEmpty
  }

  /// Passes over what closes containers behind a value, up to the next value.
  private mutating func closeContainers(_ closings: inout [UInt8]) throws(NotJSON) {
    while let closing = closings.last {
      skipSpace()
      let separator = byte
      index += 1
      if separator == closing {
        closings.removeLast()
        continue
      }
      guard separator == JSONByte.comma else { throw NotJSON() }
      skipSpace()
      return try beginMember(in: closing)
    }
  }

  /// Passes over the key in front of an object's value.
  private mutating func beginMember(in closing: UInt8) throws(NotJSON) {
    if closing == JSONByte.closeObject { _ = try scanKey() }
  }

  private func closing(of byte: UInt8) -> UInt8? {
    switch byte {
    case JSONByte.openObject: JSONByte.closeObject
    case JSONByte.openArray: JSONByte.closeArray
    default: nil
    }
  }
}
