/// Where `seq` and `text` stand in a `message` event, found by a scan of the bytes: several
/// thousand listeners in one process cannot parse every frame.
package struct MessageScan: Sendable, Equatable {
  package let seq: Int
  /// Offsets of the text between its quotation marks; empty when the event has none. Nothing in it
  /// is escaped if it is ours.
  package let text: Range<Int>

  /// Nil when the bytes do not begin as the hub begins a `message` event, or hold no `seq`; the
  /// codec has to look at them then.
  // SAFETY: every index is compared with the count before it is used; the pointer is not kept.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard Self.has(bytes, at: 0, "{\"ev\":\"message\",") else { return nil }
    guard let seq = Self.end(of: "\"seq\":", in: bytes, from: 15) else { return nil }
    var number = 0
    var index = seq
    while index < bytes.count, index < seq + 16, 0x30...0x39 ~= bytes[index] {
      number = number * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    guard index > seq else { return nil }
    self.seq = number
    guard let start = Self.end(of: "\"text\":\"", in: bytes, from: index) else {
      text = index..<index
      return
    }
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += 1 }
    text = start..<end
  }

  /// Where the first `pattern` at or behind `start` ends.
  // SAFETY: the loop's condition keeps the index within the bytes.
  private static func end(
    of pattern: StaticString, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    var index = start
    while index + pattern.utf8CodeUnitCount <= bytes.count {
      if bytes[index] == UInt8(ascii: "\""), has(bytes, at: index, pattern) {
        return index + pattern.utf8CodeUnitCount
      }
      index += 1
    }
    return nil
  }

  // SAFETY: the guard keeps every index within the bytes and within the pattern.
  private static func has(
    _ bytes: UnsafeRawBufferPointer, at start: Int, _ pattern: StaticString
  ) -> Bool {
    let count = pattern.utf8CodeUnitCount
    guard start + count <= bytes.count else { return false }
    for offset in 0..<count {
      guard bytes[start + offset] == pattern.utf8Start[offset] else { return false }
    }
    return true
  }
}
