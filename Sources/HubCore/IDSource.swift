/// Names nobody can guess, drawn from a seed that the shell took from the system's random source.
struct IDSource {
  private let key: SipHash.Key
  private var count: UInt64 = 0

  init(seed: (UInt64, UInt64)) {
    key = SipHash.Key(low: seed.0, high: seed.1)
  }

  /// 128 random bits in at most 27 characters.
  mutating func next() -> String {
    count += 1
    var hash = SipHash(key: key)
    hash.add(UInt32(truncatingIfNeeded: count))
    hash.add(UInt32(truncatingIfNeeded: count >> 32))
    let (low, high) = hash.finish()
    return String(high, radix: 32) + "." + String(low, radix: 32)
  }
}
