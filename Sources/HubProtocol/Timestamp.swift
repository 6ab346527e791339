/// A moment: milliseconds since the Unix epoch, UTC (protocol, "Envelope": `ts`, `*_ts`).
package struct Timestamp: Hashable, Sendable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package let milliseconds: Int

  package init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    lhs.milliseconds < rhs.milliseconds
  }

  /// The moment `milliseconds` later.
  package func advanced(byMilliseconds milliseconds: Int) -> Timestamp {
    Timestamp(milliseconds: self.milliseconds + milliseconds)
  }
}
