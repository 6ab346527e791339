/// What a message's text says about itself, so that every listener can check it.
///
/// The text is `hub` and, in hex, a checksum of the rest, when the message was due or sent, its
/// number and its channel's number; filling follows. All of it is ASCII that JSON does not escape.
package struct Stamp: Sendable, Equatable {
  /// What a text turned out to be.
  package enum Check: Sendable, Equatable {
    case valid(Stamp)
    /// Intact, but of another channel.
    case misrouted
    case corrupt
  }

  /// Nanoseconds of the client's monotonic clock.
  package let time: UInt64
  /// Counts the messages of a run from 0.
  package let number: UInt64
  package let channel: Int

  /// Bytes of the shortest text.
  package static let byteCount = filling
  private static let mark: StaticString = "hub"
  private static let checksum = 3
  private static let fields = checksum + 16
  private static let filling = fields + 16 + 16 + 8

  package init(time: UInt64, number: UInt64, channel: Int) {
    self.time = time
    self.number = number
    self.channel = channel
  }

  /// The text of `bytes` bytes that carries this stamp.
  package func text(bytes: Int, seed: UInt64) -> [UInt8] {
    var text = [UInt8](repeating: UInt8(ascii: "h"), count: max(bytes, Self.byteCount))
    text[1] = UInt8(ascii: "u")
    text[2] = UInt8(ascii: "b")
    Hex.write(time, digits: 16, at: Self.fields, of: &text)
    Hex.write(number, digits: 16, at: Self.fields + 16, of: &text)
    Hex.write(
      UInt64(UInt32(truncatingIfNeeded: channel)), digits: 8, at: Self.fields + 32, of: &text)
    var random = SplitMix64(seed: seed ^ number)
    var letters = random.next()
    for index in Self.filling..<text.count {
      if index & 7 == 0 { letters = random.next() }
      text[index] = UInt8(ascii: "a") + UInt8(letters & 15)
      letters >>= 8
    }
    // SAFETY: the pointer does not leave the closure.
    let sum = text.withUnsafeBytes { Self.sum($0) }
    Hex.write(sum, digits: 16, at: Self.checksum, of: &text)
    return text
  }

  /// Checks a text that should have `bytes` bytes and belong to `channel`.
  // SAFETY: every index and offset lies within the count, which is checked first; the pointer is
  // not kept.
  package static func check(
    _ text: UnsafeRawBufferPointer, bytes: Int, channel: Int
  ) -> Check {
    guard text.count == bytes, bytes >= byteCount,
      text[0] == UInt8(ascii: "h"), text[1] == UInt8(ascii: "u"), text[2] == UInt8(ascii: "b"),
      let expected = Hex.read(text, at: checksum, digits: 16), sum(text) == expected,
      let time = Hex.read(text, at: fields, digits: 16),
      let number = Hex.read(text, at: fields + 16, digits: 16),
      let written = Hex.read(text, at: fields + 32, digits: 8)
    else { return .corrupt }
    guard written == UInt64(UInt32(truncatingIfNeeded: channel)) else { return .misrouted }
    return .valid(Stamp(time: time, number: number, channel: channel))
  }

  /// A sum that every byte behind the checksum, and their order, goes into.
  // SAFETY: `index + 8` is at most the count at every load, which needs no alignment.
  private static func sum(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var sum = UInt64(text.count)
    var index = fields
    while index + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      sum = SplitMix64.mixed(sum ^ word)
      index += 8
    }
    while index < text.count {
      sum = SplitMix64.mixed(sum ^ UInt64(text[index]))
      index += 1
    }
    return sum
  }
}
