import GRDB
package import HubCore

/// What was found when history was opened.
package struct HistoryOpened: Equatable, Sendable {
  /// The file.
  package let path: String
  /// The newest record in it; 0 when it was just begun.
  package let applied: LSN
  /// Whether it was just begun.
  package let isFresh: Bool
  /// What was wrong with the file that was there before, and where it is now.
  package let setAside: String?
}

/// All messages, in a file of their own: a view of the log that is written behind it, in the order
/// of the log, and that queries see as of the record at which they were made.
package final class HistoryStore: Sendable {
  private let core: HistoryCore
  private let writer: BlockingThread
  private let readers: [BlockingThread]
  private let database: DatabaseQueue

  /// Opens the history of a data directory, or begins one. A file that is damaged or not this
  /// store's gets another name. `notice` is called on any thread, also within `append`; it must not
  /// block, nor call history. Blocks.
  package static func open(
    directory: String, store: StoreID, options: HistoryOptions = HistoryOptions(),
    notice: @escaping @Sendable (HistoryNotice) -> Void
  ) throws(HistoryRefusal) -> (store: HistoryStore, opened: HistoryOpened) {
    let file = try HistoryFile.open(directory: directory, store: store, options: options)
    let core = HistoryCore(file: file, options: options, notice: notice)
    let history = try HistoryStore(core, file)
    if let flaw = file.searchFlaw { notice(.damaged("\(file.path): \(flaw)")) }
    let opened = HistoryOpened(
      path: file.path, applied: file.contents.progress.state.applied, isFresh: file.isFresh,
      setAside: file.setAside)
    return (history, opened)
  }

  private init(_ core: HistoryCore, _ file: HistoryFile) throws(HistoryRefusal) {
    self.core = core
    database = file.database
    writer = BlockingThread()
    readers = [BlockingThread(), BlockingThread(), BlockingThread()]
    var isStarted = writer.start {
      HistoryWriter(core, file).run()
    }
    for (index, thread) in readers.enumerated() {
      let lane = index == 0 ? core.searches : core.pages
      do {
        let database = try HistoryFile.reader(core.path)
        isStarted = thread.start { HistoryReader(core, database).run(lane) } && isStarted
      } catch {
        throw .unusable(file: core.path, reason: "\(error)")
      }
    }
    guard isStarted else { throw .unusable(file: core.path, reason: "there are no threads") }
  }

  /// Takes the changes of the records up to `lsn`, all of a record in one call. What lies at or
  /// below the newest LSN taken before is left out, so that a replay can be handed over as it is.
  /// For event loops: holds one lock shortly.
  package func append(_ changes: [HistoryChange], upTo lsn: LSN) { add(changes, upTo: lsn) }

  /// Takes messages that no record brings: those of a snapshot. A seed ends with
  /// `append([], upTo:)` and the LSN of the snapshot; until then a restart begins anew.
  package func seed(_ changes: [HistoryChange]) { add(changes, upTo: nil) }

  private func add(_ changes: [HistoryChange], upTo lsn: LSN?) {
    let (isWaking, isBehind) = core.desk.with { desk -> (Bool, Bool) in
      if case .failed = desk.state { return (false, false) }
      guard !desk.isClosing, lsn ?? LSN(.max) > desk.appended else { return (false, false) }
      if let lsn { desk.appended = lsn }
      let before = desk.works.isEmpty ? -1 : desk.pendingChanges
      let isBehind = desk.came(changes, upTo: lsn, options: core.options)
      // Once to wait for more, and once when there is enough.
      let isEnough = desk.pendingChanges >= HistoryWriter.fullBatch
      return (before < 0 || (before < HistoryWriter.fullBatch && isEnough), isBehind)
    }
    if isWaking { core.desk.wake() }
    if isBehind { core.notice(.behind(true)) }
  }

  /// Answers once, on a thread of history's, as of `lsn` or later. For event loops.
  package func ask(
    _ query: HistoryQuery, after lsn: LSN,
    completion: @escaping @Sendable (HistoryAnswer) -> Void
  ) {
    core.ask(.query(query, completion), after: lsn)
  }

  /// What is to expire: for each channel where something is, up to where. For event loops.
  package func expiries(
    _ rules: [RetentionRule],
    completion: @escaping @Sendable (Result<[Expiry], HistoryFailure>) -> Void
  ) {
    core.ask(.expiries(rules, completion), after: LSN(0))
  }

  /// Deletes in the background, some rows at a time, what notifications say that are not in `live`
  /// and were made before it. Does nothing when less than a quarter of the rows and fewer than
  /// 10,000 would go. Takes the place of a sweep that is under way. For event loops.
  package func sweep(_ live: LiveNotifications) {
    // One that does not work any more has nothing to be deleted.
    _ = perform { $0.begin(NotificationSweep(live)) }
  }

  /// Blocks until everything up to `lsn`, which must have been taken, survives a loss of power.
  package func makeDurable(_ lsn: LSN) throws(HistoryFailure) {
    let isKnown = core.desk.with { desk in
      guard lsn <= desk.appended else { return false }
      desk.durableWanted = max(desk.durableWanted, lsn)
      return true
    }
    guard isKnown else {
      throw .misplaced("\(core.path): nothing was taken up to record \(lsn.number)")
    }
    core.desk.wake()
    let flaw = core.desk.next { desk -> Turn<HistoryFailure?> in
      if desk.durable >= lsn { return .go(nil) }
      switch desk.state {
      case .full(let reason): return .go(.full(reason))
      case .failed(let reason): return .go(.failed(reason))
      case .closed: return .go(.closed)
      case .writable: return .wait(milliseconds: nil)
      }
    }
    if let flaw { throw flaw }
  }

  /// Applies everything, indexes as much as some seconds allow, writes it to the disk and ends.
  /// Blocks.
  package func close() {
    core.desk.with { $0.isClosing = true }
    core.desk.wake()
    writer.join()
    core.pages.close()
    core.searches.close()
    for reader in readers { reader.join() }
    // The last one to close takes the WAL away, which a reader may not.
    try? database.close()
  }

  /// Has something done between two transactions, in order with `append`; false when history does
  /// not work any more.
  func perform(_ task: @escaping @Sendable (HistoryWriter) -> Void) -> Bool {
    let isTaken = core.desk.with { desk in
      guard !desk.isClosing else { return false }
      if case .failed = desk.state { return false }
      desk.works.append(.task(task))
      return true
    }
    if isTaken { core.desk.wake() }
    return isTaken
  }

  /// Figures for metrics.
  package var figures: HistoryFigures {
    let bytes = HistoryFile.size(of: core.path) + HistoryFile.size(of: core.path + "-wal")
    return core.desk.with { $0.figures(fileBytes: bytes) }
  }
}

extension HistoryDesk {
  fileprivate func figures(fileBytes: Int) -> HistoryFigures {
    HistoryFigures(
      state: state, applied: applied, durable: durable,
      pendingChanges: pendingChanges, pendingBytes: pendingBytes,
      isBehind: isBehind, fileBytes: fileBytes, unindexed: unindexed,
      commits: commits, commitNanoseconds: Int(commitTime / .nanoseconds(1)),
      checkpoints: checkpoints,
      checkpointNanoseconds: Int(checkpointTime / .nanoseconds(1)))
  }
}
