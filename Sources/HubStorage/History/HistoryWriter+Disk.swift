import GRDB
import GRDBSQLite
import HubCore

/// Checkpoints.
extension HistoryWriter {
  /// Pages that were written to the WAL since the last checkpoint.
  func walGrowth() -> Int { pagesWritten(isCountedAnew: false) }

  private func pagesWritten(isCountedAnew: Bool) -> Int {
    database.inDatabase { db in
      var count: CInt = 0
      var highest: CInt = 0
      let code = sqlite3_db_status(
        db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest,
        isCountedAnew ? 1 : 0)
      return code == SQLITE_OK ? Int(count) : 0
    }
  }

  /// Copies what was committed from the WAL into the file. When a long reader is in the way, the
  /// WAL itself is synced, which holds as well when power fails.
  func bringToDisk() {
    let start = ContinuousClock.now
    let applied = progress.state.applied
    let flaw = checkpointFlaw()
    _ = pagesWritten(isCountedAnew: true)
    let took = ContinuousClock.now - start
    // Before those who wait for it go on.
    if flaw == nil { core.notice(.durable(applied)) }
    core.desk.with { desk in
      desk.checkpoints += 1
      desk.checkpointTime += took
      desk.walPages = 0
      if flaw == nil { desk.durable = max(desk.durable, applied) }
    }
    core.desk.wake()
    if let flaw { failForGood(flaw, dropping: []) }
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
