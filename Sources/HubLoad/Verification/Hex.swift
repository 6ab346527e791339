/// Numbers of fixed width in lower-case hex.
enum Hex {
  static func write(_ value: UInt64, digits: Int, at start: Int, of text: inout [UInt8]) {
    var rest = value
    for index in (start..<start + digits).reversed() {
      let digit = UInt8(rest & 15)
      text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      rest >>= 4
    }
  }

  /// Nil when one of the bytes is no digit. `start + digits` must lie within the text.
  // SAFETY: reads only what the caller has checked to lie within the text.
  static func read(_ text: UnsafeRawBufferPointer, at start: Int, digits: Int) -> UInt64? {
    var value: UInt64 = 0
    for index in start..<start + digits {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte - 87)
      default: return nil
      }
    }
    return value
  }
}
