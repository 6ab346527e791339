/// Checks UTF-8 as it arrives, in pieces cut anywhere, and fails at the first byte that no
/// continuation could make right (RFC 6455 §8.1, RFC 3629 §4): overlong forms, surrogates and
/// values above U+10FFFF are refused at their second byte at the latest.
package struct UTF8Validator: Sendable {
  /// Continuation bytes the current character still lacks, 0–3.
  private var missing: UInt8 = 0
  /// The least and greatest value the next continuation byte may have.
  private var lower: UInt8 = 0x80
  private var upper: UInt8 = 0xBF

  package init() {}

  /// Whether the text so far ends at the end of a character: a message may end here.
  package var isComplete: Bool { self.missing == 0 }

  /// Takes the next bytes of the text. `false` once they cannot be the beginning of valid UTF-8;
  /// the validator must not be used after that.
  // SAFETY: reads stay below `bytes.count`, and nothing of them is kept.
  package mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var state = self
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if state.missing > 0 {
        guard state.next(byte) else { return false }
        index &+= 1
      } else if byte < 0x80 {
        index = Self.endOfASCII(in: bytes, from: index)
      } else {
        index = Self.endOfCharacters(in: bytes, from: index)
        guard index < bytes.count, bytes[index] >= 0x80 else { continue }
        guard state.begin(bytes[index]) else { return false }
        index &+= 1
      }
    }
    self = state
    return true
  }

  /// The first position at or behind `start` whose byte is not ASCII, eight bytes at a time.
  // SAFETY: reads stay below `bytes.count`.
  private static func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count {
      // SAFETY: `index + 8 <= count` keeps the load inside the buffer; it need not be aligned.
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let high = word.littleEndian & 0x8080_8080_8080_8080
      guard high == 0 else {
        return index &+ high.trailingZeroBitCount / 8
      }
      index &+= 8
    }
    while index < bytes.count, bytes[index] < 0x80 {
      index &+= 1
    }
    return index
  }

  /// The first position at or behind `start` that does not begin a whole character of two or three
  /// bytes: the common ones, judged without the detour over the state.
  // SAFETY: reads stay below `bytes.count`.
  private static func endOfCharacters(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index &+ 2 < bytes.count {
      let (first, second, third) = (bytes[index], bytes[index &+ 1], bytes[index &+ 2])
      if 0xC2...0xDF ~= first {
        guard second & 0xC0 == 0x80 else { break }
        index &+= 2
      } else if 0xE1...0xEC ~= first {
        guard second & 0xC0 == 0x80, third & 0xC0 == 0x80 else { break }
        index &+= 3
      } else {
        break
      }
    }
    return index
  }

  /// Takes the first byte of a character that is not ASCII.
  private mutating func begin(_ byte: UInt8) -> Bool {
    self.lower = 0x80
    self.upper = 0xBF
    switch byte {
    case 0xC2...0xDF: self.missing = 1
    case 0xE0: (self.missing, self.lower) = (2, 0xA0)
    case 0xED: (self.missing, self.upper) = (2, 0x9F)
    case 0xE1...0xEF: self.missing = 2
    case 0xF0: (self.missing, self.lower) = (3, 0x90)
    case 0xF1...0xF3: self.missing = 3
    case 0xF4: (self.missing, self.upper) = (3, 0x8F)
    default: return false
    }
    return true
  }

  /// Takes a byte behind the first of a character.
  private mutating func next(_ byte: UInt8) -> Bool {
    guard self.lower <= byte, byte <= self.upper else { return false }
    self.missing &-= 1
    self.lower = 0x80
    self.upper = 0xBF
    return true
  }
}
