import Dispatch
import HubCore
import HubProtocol
package import HubStorage
package import Logging

/// Takes snapshots of a running hub on a thread of its own: the sequencer only hands over a copy,
/// which costs it nothing, and the last reference to the copy is released here.
package final class SnapshotTaker: Sendable {
  private let store: SnapshotStore
  private let storeID: StoreID
  private let logger: Logger
  private let clock = HubClock()
  private let queue = DispatchQueue(label: "hub.snapshot", qos: .utility)

  package init(store: SnapshotStore, storeID: StoreID, logger: Logger) {
    self.store = store
    self.storeID = storeID
    self.logger = logger
  }

  /// Takes one, after those that were asked for before; `completion` is called on the snapshot
  /// thread.
  func take(
    of sequencer: Sequencer, because reason: String,
    completion: @escaping @Sendable (Result<SnapshotReply, Refusal>) -> Void
  ) {
    queue.async {
      completion(self.write(sequencer, because: reason))
    }
  }

  /// Takes one and waits for it.
  func take(
    of sequencer: Sequencer, because reason: String
  ) async -> Result<SnapshotReply, Refusal> {
    await withCheckedContinuation { continuation in
      take(of: sequencer, because: reason) { continuation.resume(returning: $0) }
    }
  }

  private func write(
    _ sequencer: Sequencer, because reason: String
  ) -> Result<SnapshotReply, Refusal> {
    let moment = clock.moment()
    do {
      let (image, lsn) = try sequencer.capture()
      let header = SnapshotHeader(store: storeID, lsn: lsn, taken: moment.wall)
      let report = try store.take(image, header)
      let took = clock.uptime() - moment.uptime
      logger.info(
        "snapshot taken",
        metadata: [
          "reason": "\(reason)", "file": "\(report.file)", "bytes": "\(report.bytes)",
          "lsn": "\(lsn.number)", "took_ms": "\(took)",
        ])
      return .success(
        SnapshotReply(
          file: report.file, bytes: report.bytes, lsn: lsn.number, milliseconds: took))
    } catch {
      logger.error(
        "snapshot failed", metadata: ["reason": "\(reason)", "error": "\(error)"])
      return .failure(Refusal(.internal, "the snapshot failed: \(error)"))
    }
  }
}
