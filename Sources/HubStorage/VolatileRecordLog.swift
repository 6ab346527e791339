package import HubCore
import Synchronization

/// The log of durability `none`: it only counts. Everything is as durable as it will get at once.
package final class VolatileRecordLog: RecordLog {
  private let newest: Mutex<LSN>

  package var last: LSN { newest.withLock { $0 } }

  /// A log whose next record gets the LSN after `last`.
  package init(last: LSN = LSN(0)) {
    newest = Mutex(last)
  }

  package func append(_ records: [Record]) -> LogProgress {
    newest.withLock { newest in
      newest = LSN(newest.number + records.count)
      return .durable(upTo: newest)
    }
  }

  /// Nothing is ever told: `append` has said it all.
  package func notify(_ body: @escaping @Sendable (LogNotice) -> Void) {}

  package func sync() throws(LogFailure) {}

  package func close() {}
}
