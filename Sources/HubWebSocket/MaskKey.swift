/// The four bytes a client combines its payload with (RFC 6455 §5.3).
package struct MaskKey: Sendable, Equatable {
  /// The key read as a big-endian number: its highest byte applies to the payload's first.
  package let rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Masks or unmasks `bytes` in place, eight at a time, and says whether all of them are ASCII
  /// afterwards. `offset` is the position of their first byte in the frame's payload.
  // SAFETY: loads and stores stay below `bytes.count`; the caller owns the memory.
  @discardableResult
  package func apply(to bytes: UnsafeMutableRawBufferPointer, offset: Int = 0) -> Bool {
    let turn = UInt32(truncatingIfNeeded: offset & 3) &* 8
    let key = turn == 0 ? self.rawValue : self.rawValue << turn | self.rawValue >> (32 &- turn)
    let half = UInt64(key.bigEndian)
    let word = half | half << 32
    var seen: UInt64 = 0
    var index = 0
    while index &+ 8 <= bytes.count {
      // SAFETY: `index + 8 <= count` keeps load and store inside; neither needs alignment.
      let plain = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
      bytes.storeBytes(of: plain, toByteOffset: index, as: UInt64.self)
      seen |= plain
      index &+= 8
    }
    while index < bytes.count {
      let shift = 24 &- UInt32(truncatingIfNeeded: index & 3) &* 8
      bytes[index] ^= UInt8(truncatingIfNeeded: key >> shift)
      seen |= UInt64(bytes[index])
      index &+= 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }
}
