/// A set of event loops, by index. Above 64 loops those that share a bit are taken together, which
/// costs a needless wake-up and nothing else.
package struct LoopSet: Sendable {
  private var bits: UInt64 = 0

  package init() {}

  /// Whether the loop may be in the set; never wrong when it is.
  package func contains(_ loop: Int) -> Bool {
    bits & 1 << UInt64(loop & 63) != 0
  }

  /// Puts a loop in.
  mutating func insert(_ loop: UInt16) {
    bits |= 1 << UInt64(loop & 63)
  }
}
