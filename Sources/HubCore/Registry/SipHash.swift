/// SipHash-2-4 with a result of 128 bits (Aumasson and Bernstein, 2012): a keyed hash for tables
/// whose keys peers choose. Unlike the standard library's `Hasher` it gives the same result in
/// every process, so that it may be stored.
package struct SipHash {
  /// The secret that makes results unpredictable to peers.
  package struct Key: Hashable, Sendable {
    package let low: UInt64
    package let high: UInt64

    package init(low: UInt64, high: UInt64) {
      self.low = low
      self.high = high
    }
  }

  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  private var tail: UInt64 = 0
  private var byteCount = 0

  package init(key: Key) {
    v0 = key.low ^ 0x736f_6d65_7073_6575
    v1 = key.high ^ 0x646f_7261_6e64_6f6d ^ 0xee
    v2 = key.low ^ 0x6c79_6765_6e65_7261
    v3 = key.high ^ 0x7465_6462_7974_6573
  }

  /// Adds one byte to what is hashed.
  package mutating func add(_ byte: UInt8) {
    tail |= UInt64(byte) << UInt64((byteCount & 7) * 8)
    byteCount += 1
    guard byteCount & 7 == 0 else { return }
    compress(tail)
    tail = 0
  }

  /// Adds the four bytes of a number, lowest first.
  package mutating func add(_ number: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      add(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// The hash of all that was added.
  package consuming func finish() -> (low: UInt64, high: UInt64) {
    compress(tail | UInt64(UInt8(truncatingIfNeeded: byteCount)) << 56)
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (low, v0 ^ v1 ^ v2 ^ v3)
  }

  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 &+= v1
    v1 = Self.rotate(v1, 13) ^ v0
    v0 = Self.rotate(v0, 32)
    v2 &+= v3
    v3 = Self.rotate(v3, 16) ^ v2
    v0 &+= v3
    v3 = Self.rotate(v3, 21) ^ v0
    v2 &+= v1
    v1 = Self.rotate(v1, 17) ^ v2
    v2 = Self.rotate(v2, 32)
  }

  private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word << bits | word >> (64 - bits)
  }
}
