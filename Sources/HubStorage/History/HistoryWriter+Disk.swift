import GRDB
import HubCore

/// Checkpoints.
extension HistoryWriter {
  /// Bytes that the WAL grew by since the last checkpoint.
  func walGrowth() -> Int {
    let size = HistoryFile.size(of: core.path + "-wal")
    if size < walBase { walBase = 0 }
    return size - walBase
  }

  /// Copies what was committed from the WAL into the file. When a long reader is in the way, the
  /// WAL itself is synced, which holds as well when power fails.
  func bringToDisk() {
    let start = ContinuousClock.now
    let applied = progress.state.applied
    let flaw = checkpointFlaw()
    walBase = HistoryFile.size(of: core.path + "-wal")
    let took = ContinuousClock.now - start
    core.desk.with { desk in
      desk.checkpoints += 1
      desk.checkpointTime += took
      desk.walPages = 0
      if flaw == nil { desk.durable = max(desk.durable, applied) }
    }
    core.desk.wake()
    guard let flaw else { return core.notice(.durable(applied)) }
    failForGood(flaw, dropping: [])
  }

  private func checkpointFlaw() -> String? {
    do {
      let frames = try database.inDatabase { try $0.checkpoint(.passive) }
      if frames.walFrameCount == frames.checkpointedFrameCount { return nil }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Another connection reads from the very start of the WAL.
    } catch {
      return "\(core.path): the checkpoint failed: \(error)"
    }
    let isSynced = HistoryFile.sync(core.path + "-wal")
    return isSynced ? nil : "\(core.path)-wal: it cannot be synced"
  }
}
