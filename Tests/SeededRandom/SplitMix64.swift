/// Random numbers that a printed seed brings back, for every random test.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Below `bound`, which is above 0.
  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// True once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of the elements; `list` is not empty.
  package mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  /// That many bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  /// What `make` makes, or nil half of the time.
  package mutating func maybe<Value>(_ make: (inout SplitMix64) -> Value) -> Value? {
    oneIn(2) ? make(&self) : nil
  }

  /// Up to `limit` of what `make` makes.
  package mutating func list<Value>(
    upTo limit: Int, _ make: (inout SplitMix64) -> Value
  ) -> [Value] {
    (0..<below(limit + 1)).map { _ in make(&self) }
  }
}
