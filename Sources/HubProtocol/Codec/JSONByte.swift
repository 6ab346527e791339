/// The bytes that JSON's grammar names (RFC 8259 §2, §7).
enum JSONByte {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let openObject = UInt8(ascii: "{")
  static let closeObject = UInt8(ascii: "}")
  static let openArray = UInt8(ascii: "[")
  static let closeArray = UInt8(ascii: "]")
  static let minus = UInt8(ascii: "-")
  static let zero = UInt8(ascii: "0")
  static let nine = UInt8(ascii: "9")

  /// The value of a hexadecimal digit of either case, nil for another byte.
  static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case zero...nine: UInt32(byte &- zero)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- 87)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- 55)
    default: nil
    }
  }
}

/// Eight bytes of a string looked at together, the first in the lowest eight bits.
enum JSONWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// How many bytes at the front are ASCII that stands for itself, 8 when all are.
  static func plainPrefix(_ word: UInt64) -> Int {
    let special = word | (word &- ones &* 0x20) | differs(word, JSONByte.quote)
    return prefix(special | differs(word, JSONByte.backslash))
  }

  /// How many bytes at the front go into a string without an escape, 8 when all do.
  static func unescapedPrefix(_ word: UInt64) -> Int {
    let control = (word &- ones &* 0x20) & ~word
    let quote = zeroes(word ^ (ones &* UInt64(JSONByte.quote)))
    return prefix(control | quote | zeroes(word ^ (ones &* UInt64(JSONByte.backslash))))
  }

  /// Sets the high bit of each byte that equals `byte`; exact up to the first one if `word` is
  /// ASCII.
  private static func differs(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    (word ^ (ones &* UInt64(byte))) &- ones
  }

  /// Sets the high bit of the first zero byte; above it bits may be set wrongly.
  private static func zeroes(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word
  }

  private static func prefix(_ special: UInt64) -> Int {
    (special & highs).trailingZeroBitCount / 8
  }
}
