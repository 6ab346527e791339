/// The one alphabet of user ids and channel names (protocol, "Envelope").
enum NameRule {
  /// Whether `text` has 1…`bytes` bytes, all of the alphabet, the first not `@`.
  static func allows(_ text: String, bytes: Int) -> Bool {
    JSONSource.read(text) { source in
      guard (1...bytes).contains(source.end), source.byte(at: 0) != UInt8(ascii: "@") else {
        return false
      }
      return (0..<source.end).allSatisfy { isAllowed(source.byte(at: $0)) }
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "#"):
      true
    default:
      false
    }
  }
}
