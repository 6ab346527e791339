import GRDB
import HubCore

/// What the thread does that writes: transactions when there is enough to write or somebody waits,
/// and between them indexing, deleting and checkpoints. All of it happens on that one thread.
final class HistoryWriter {
  /// What to do next.
  private enum Step {
    case batch([HistoryDesk.Work])
    case task(@Sendable (HistoryWriter) -> Void)
    case checkpoint
    case index
    case clear
    case sweep
    case finish
  }

  /// Changes for which a transaction is not put off.
  static let fullBatch = 5_000
  /// Pages in the WAL after which it is checkpointed: 32 MiB.
  static let walPages = 8_192
  /// Messages to be indexed that are worth a transaction.
  private static let fullIndexing = 10_000
  /// Messages to be indexed for which others wait: their texts are still in memory.
  private static let mostUnindexed = 20_000
  /// When nothing happens, the file is brought up to date after that time.
  private static let checkpointDelay = Duration.seconds(5)

  let core: HistoryCore
  let database: DatabaseQueue
  /// Prepared on first use, dropped after an error.
  var commands: WriterCommands?
  var progress: HistoryContents.Progress
  var channels: [Int: HistoryContents.Known]
  /// What the entries of `channels` that this transaction changed were before.
  var replaced: [Int: HistoryContents.Known?] = [:]
  /// Of messages that search does not know yet.
  var fresh = FreshTexts()
  /// The sweep that is under way, and the rows that it deleted.
  var sweep: NotificationSweep?
  var swept = 0

  private var lastCommit = ContinuousClock.now
  private var lastIndexing = ContinuousClock.now
  private var lastCheckpoint = ContinuousClock.now
  private var retryAt: ContinuousClock.Instant?
  private var isIndexingNext = false

  init(_ core: HistoryCore, _ file: HistoryFile) {
    self.core = core
    database = file.database
    progress = file.contents.progress
    channels = file.contents.channels
  }

  /// Works until history is closed.
  func run() {
    while true {
      let step = core.desk.next { look(&$0, now: .now) }
      switch step {
      case .batch(let works): commit(works)
      case .task(let task): task(self)
      case .checkpoint: checkpoint()
      case .index: index()
      case .clear: clear()
      case .sweep: sweepSlice()
      case .finish: return finish()
      }
    }
  }

  private func look(_ desk: inout HistoryDesk, now: ContinuousClock.Instant) -> Turn<Step> {
    if case .failed = desk.state { return desk.isClosing ? .go(.finish) : .wait(milliseconds: nil) }
    if case .full = desk.state, let retryAt, now < retryAt, !desk.isClosing {
      return .wait(milliseconds: Self.milliseconds(retryAt - now))
    }
    if desk.walPages >= Self.walPages { return .go(.checkpoint) }
    if isIndexingNext, !desk.searches.isEmpty || desk.unindexed >= Self.mostUnindexed {
      return .go(.index)
    }
    if let work = desk.works.first {
      if case .task(let task) = work {
        desk.works.removeFirst()
        return .go(.task(task))
      }
      let due = lastCommit + .milliseconds(core.options.commitDelayMilliseconds)
      if desk.isUrgent || desk.pendingChanges >= Self.fullBatch || now >= due {
        return .go(.batch(desk.takeBatch(limit: core.options.batchChanges)))
      }
    }
    return lookAtRest(&desk, now: now)
  }

  /// What can wait for messages.
  private func lookAtRest(_ desk: inout HistoryDesk, now: ContinuousClock.Instant) -> Turn<Step> {
    if desk.isClosing { return .go(.finish) }
    if desk.durableWanted > desk.durable { return .go(.checkpoint) }
    if !desk.searches.isEmpty { return .go(.index) }
    if desk.isClearing { return .go(.clear) }
    var wait: Duration?
    func due(_ moment: ContinuousClock.Instant) -> Bool {
      if now < moment { wait = min(wait ?? (moment - now), moment - now) }
      return now >= moment
    }
    if desk.unindexed >= Self.fullIndexing { return .go(.index) }
    let indexing = lastIndexing + .milliseconds(core.options.indexDelayMilliseconds)
    if desk.unindexed > 0, due(indexing) { return .go(.index) }
    if desk.applied > desk.durable, due(lastCheckpoint + Self.checkpointDelay) {
      return .go(.checkpoint)
    }
    if desk.isSweeping { return .go(.sweep) }
    if !desk.works.isEmpty {
      _ = due(lastCommit + .milliseconds(core.options.commitDelayMilliseconds))
    }
    return .wait(milliseconds: wait.map(Self.milliseconds))
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    Int(duration / .milliseconds(1)) + 1
  }

  private func commit(_ works: [HistoryDesk.Work]) {
    let start = ContinuousClock.now
    let isDone = attempt(works) { db in try self.write(works, db) }
    lastCommit = .now
    guard isDone else { return }
    isIndexingNext = true
    let took = lastCommit - start
    let hasCaughtUp = core.desk.with { desk in
      desk.commits += 1
      desk.commitTime += took
      return desk.finished(works, options: core.options)
    }
    publish()
    if hasCaughtUp { core.notice(.behind(false)) }
  }

  private func index() {
    isIndexingNext = false
    lastIndexing = .now
    if attempt([], { db in try self.indexChunk(db) }) { publish() }
  }

  private func clear() {
    if attempt([], { db in try self.clearChunk(db) }) { publish() }
  }

  private func checkpoint() {
    lastCheckpoint = .now
    bringToDisk()
  }

  /// Has everything seen that was committed.
  func publish() {
    let grown = walGrowth()
    let ready = core.desk.with { desk in
      desk.applied = progress.state.applied
      desk.isClearing = !progress.clearing.isEmpty
      desk.queuedUpTo = progress.state.number
      desk.indexedUpTo = progress.indexedUpTo
      desk.unindexed = progress.unindexed
      desk.walPages = grown
      return desk.ready()
    }
    for job in ready { core.dispatch(job) }
  }

  /// Runs `body` in a transaction. When that fails, what it was to write waits for room on the
  /// disk, or history has failed.
  func attempt(_ works: [HistoryDesk.Work], _ body: (Database) throws -> Void) -> Bool {
    do {
      try transact(body)
      becomeWritable()
      return true
    } catch {
      fail(error, putBack: works)
      return false
    }
  }

  /// Runs `body` in a transaction; after an error everything is as it was.
  func transact(_ body: (Database) throws -> Void) throws {
    let saved = progress
    replaced = [:]
    do {
      try database.inDatabase { db in
        try db.inTransaction {
          try body(db)
          return .commit
        }
      }
    } catch {
      commands = nil
      fresh.removeAll()
      progress = saved
      for (channel, known) in replaced { channels[channel] = known }
      throw error
    }
  }

  private func becomeWritable() {
    guard retryAt != nil else { return }
    retryAt = nil
    core.desk.with { $0.state = .writable }
    core.notice(.writable)
  }

  private func finish() {
    commands = nil
    if retryAt == nil {
      var chunks = 5
      while chunks > 0, core.desk.with({ $0.unindexed > 0 && $0.state == .writable }) {
        index()
        chunks -= 1
      }
      bringToDisk()
    }
    commands = nil
    let left = core.desk.with { desk in
      if desk.state == .writable { desk.state = .closed }
      let left = desk.queries.map(\.job) + desk.searches.map(\.job)
      desk.queries = []
      desk.searches = []
      return left
    }
    core.desk.wake()
    for job in left { job.fail(.closed) }
  }
}

extension HistoryWriter {
  /// What an error means for history.
  func fail(_ error: any Error, putBack works: [HistoryDesk.Work]) {
    let sentence = "\(core.path): \(error)"
    guard Self.isFull(error) else { return failForGood(sentence, dropping: works) }
    let isFirst = retryAt == nil
    retryAt = .now + .milliseconds(core.options.retryMilliseconds)
    let (failed, tasks) = core.desk.with { desk -> ([ReadJob], [HistoryDesk.Work]) in
      desk.state = .full(sentence)
      desk.works.insert(contentsOf: works, at: 0)
      // Nobody can say when: better an answer.
      let failed = desk.queries.map(\.job) + desk.searches.map(\.job)
      desk.queries = []
      desk.searches = []
      guard desk.isClosing else { return (failed, []) }
      // What was not written comes again from the log.
      let tasks = desk.works.filter(\.isTask)
      desk.works = []
      return (failed, tasks)
    }
    core.desk.wake()
    for job in failed { job.fail(.full(sentence)) }
    for case .task(let task) in tasks { task(self) }
    if isFirst { core.notice(.full(sentence)) }
  }

  func failForGood(_ sentence: String, dropping works: [HistoryDesk.Work]) {
    let (failed, tasks) = core.desk.with { desk in
      desk.state = .failed(sentence)
      _ = desk.finished(works + desk.works, options: core.options)
      let tasks = desk.works.filter(\.isTask)
      desk.works = []
      let failed = desk.queries.map(\.job) + desk.searches.map(\.job)
      desk.queries = []
      desk.searches = []
      return (failed, tasks)
    }
    core.desk.wake()
    for job in failed { job.fail(.failed(sentence)) }
    for case .task(let task) in tasks { task(self) }
    core.notice(.failed(sentence))
  }

  private static func isFull(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return error.resultCode == .SQLITE_FULL
      || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
  }
}
