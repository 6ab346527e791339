package import HubCore

/// The log of durability `none`: it only counts. Everything is as durable as it will get at once,
/// and nothing can be replayed.
package struct VolatileRecordLog: RecordLog {
  package private(set) var last: LSN

  /// A log whose next record gets the LSN after `last`.
  package init(last: LSN = LSN(0)) {
    self.last = last
  }

  package mutating func append(_ records: [Record]) -> LogProgress {
    last = LSN(last.number + records.count)
    return .durable(upTo: last)
  }

  package func replay(from start: LSN, _ body: (LSN, Record) throws -> Void) {}

  package mutating func notify(durable: @escaping @Sendable (LSN) -> Void) {}
}
