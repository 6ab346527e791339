package import HubCore

/// Place of a record in the log: 1 is the first, without holes.
package struct LSN: Hashable, Comparable, Sendable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }

  package static func < (lhs: LSN, rhs: LSN) -> Bool { lhs.number < rhs.number }
}

/// How far a log is with what was appended last.
package enum LogProgress: Equatable, Sendable {
  /// Everything up to there is durable already.
  case durable(upTo: LSN)
  /// The last record got this LSN; the log tells when it is durable.
  case pending(upTo: LSN)
}

/// The ordered log in front of the registry: what stands in it in this order is what happened. It
/// knows nothing of files, so that several hubs could read one log.
package protocol RecordLog: Sendable {
  /// LSN of the newest record; 0 when there is none.
  var last: LSN { get }

  /// Puts records behind all others, in this order.
  mutating func append(_ records: [Record]) -> LogProgress

  /// Hands every record from `start` on to `body`, in order.
  func replay(from start: LSN, _ body: (LSN, Record) throws -> Void) throws

  /// Has `durable` called, on any thread, whenever what was pending has become durable up to there.
  mutating func notify(durable: @escaping @Sendable (LSN) -> Void)
}
