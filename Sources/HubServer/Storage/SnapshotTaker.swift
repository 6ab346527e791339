import Dispatch
import HubCore
import HubProtocol
import HubStorage
import Logging
import Synchronization

/// Takes snapshots and backups of a running hub on a thread of its own: the sequencer only hands
/// over a copy, which costs it nothing, and the last reference to the copy is released here.
package final class SnapshotTaker: Sendable {
  private let store: SnapshotStore
  private let storeID: StoreID
  private let log: any RecordLog
  private let journal: JournalLog?
  private let history: HistoryStore
  private let logger: Logger
  private let clock = HubClock()
  private let queue = DispatchQueue(label: "hub.snapshot", qos: .utility)
  /// Bytes of journal when the newest snapshot was taken.
  private let writtenBefore = Mutex(0)

  init(_ stored: StoredState, logger: Logger) {
    store = stored.snapshots
    storeID = stored.storeID
    log = stored.log
    journal = stored.journal
    history = stored.history
    self.logger = logger
  }

  /// Bytes of journal written since the newest snapshot was taken.
  var journalBytes: Int {
    (journal?.figures.written ?? 0) - writtenBefore.withLock { $0 }
  }

  /// Takes one, after those that were asked for before; `completion` is called on the snapshot
  /// thread.
  func take(
    of sequencer: Sequencer, because reason: String,
    completion: @escaping @Sendable (Result<CopyReply, Refusal>) -> Void
  ) {
    queue.async {
      completion(self.write(sequencer, because: reason))
    }
  }

  /// Takes one and waits for it.
  func take(
    of sequencer: Sequencer, because reason: String
  ) async -> Result<CopyReply, Refusal> {
    await withCheckedContinuation { continuation in
      take(of: sequencer, because: reason) { continuation.resume(returning: $0) }
    }
  }

  private func write(
    _ sequencer: Sequencer, because reason: String
  ) -> Result<CopyReply, Refusal> {
    let moment = clock.moment()
    do {
      let written = journal?.figures.written ?? 0
      let (image, lsn) = try sequencer.capture()
      // What a snapshot holds counts only when everything else has it too.
      try log.sync()
      try history.makeDurable(lsn)
      let header = SnapshotHeader(
        store: storeID, lsn: lsn, taken: moment.wall, isJournaled: journal != nil)
      let report = try store.take(image, header)
      writtenBefore.withLock { $0 = written }
      if let older = report.olderLSN { journal?.deleteSegments(upTo: older) }
      history.sweep(image.liveNotifications())
      let took = clock.uptime() - moment.uptime
      logger.info(
        "snapshot taken",
        metadata: [
          "reason": "\(reason)", "file": "\(report.file)", "bytes": "\(report.bytes)",
          "lsn": "\(lsn.number)", "took_ms": "\(took)",
        ])
      return .success(
        CopyReply(
          path: report.file, bytes: report.bytes, lsn: lsn.number, milliseconds: took))
    } catch {
      logger.error(
        "snapshot failed", metadata: ["reason": "\(reason)", "error": "\(error)"])
      return .failure(Refusal(.internal, "the snapshot failed: \(error)"))
    }
  }

  /// Copies everything as of `image` into a directory that is made, or is empty. Called by the
  /// sequencer right behind the records up to `lsn`; `completion` is called on another thread.
  func backUp(
    _ image: RegistryImage, at lsn: LSN, to directory: String,
    completion: @escaping @Sendable (Result<CopyReply, Refusal>) -> Void
  ) {
    let moment = clock.moment()
    let copy: DataDirectory
    do {
      copy = try DataDirectory(forCopy: directory)
    } catch {
      return queue.async { completion(.failure(error.refusal)) }
    }
    let path = directory + "/" + OpenedHistory.fileName
    history.backup(to: path, at: lsn) { result in
      self.queue.async {
        completion(self.finish(result, image, copy, at: lsn, since: moment))
      }
    }
  }

  private func finish(
    _ result: Result<Int, HistoryFailure>, _ image: RegistryImage, _ copy: DataDirectory,
    at lsn: LSN, since moment: Moment
  ) -> Result<CopyReply, Refusal> {
    do {
      let bytes = try result.get()
      // Not journaled: whoever starts from the copy begins a journal of their own.
      let header = SnapshotHeader(store: storeID, lsn: lsn, taken: moment.wall)
      let report = try SnapshotStore(copy).take(image, header)
      // The hub goes on: nobody can vouch that both number alike from here on.
      try RunMark(durability: .none, boot: "copy").write(to: copy)
      let took = clock.uptime() - moment.uptime
      logger.notice(
        "backup taken",
        metadata: [
          "directory": "\(copy.path)", "bytes": "\(bytes + report.bytes)",
          "lsn": "\(lsn.number)", "took_ms": "\(took)",
        ])
      return .success(
        CopyReply(
          path: copy.path, bytes: bytes + report.bytes, lsn: lsn.number, milliseconds: took))
    } catch {
      try? copy.removeAll()
      logger.error(
        "backup failed", metadata: ["directory": "\(copy.path)", "error": "\(error)"])
      return .failure(Refusal(.internal, "the backup failed: \(error)"))
    }
  }
}

extension DataDirectoryError {
  /// What an operator is told who named a directory for a backup.
  fileprivate var refusal: Refusal {
    switch self {
    case .unusable(_, let reason):
      Refusal(.badRequest, "the backup's directory cannot be used: \(reason)")
    case .locked: Refusal(.conflict, "a hub is running on that directory")
    }
  }
}
