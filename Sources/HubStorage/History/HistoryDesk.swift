import HubCore
import HubProtocol

/// What waits in front of the thread that writes, and how far that one is.
struct HistoryDesk: Sendable {
  /// One thing to do, in the order in which it came.
  enum Work: Sendable {
    /// Changes of records up to an LSN, or of none.
    case changes([HistoryChange], LSN?, weight: Int)
    /// Something to be done between two transactions.
    case task(@Sendable (HistoryWriter) -> Void)
  }

  /// A query whose LSN is not committed yet.
  struct Waiting: Sendable {
    let lsn: LSN
    let job: ReadJob
  }

  /// A search until the messages before it are indexed.
  struct WaitingSearch: Sendable {
    let number: Int
    let job: ReadJob
  }

  var works: [Work] = []
  var pendingChanges = 0
  var pendingBytes = 0
  var isBehind = false
  var state = HistoryState.writable
  /// The newest record that was given.
  var appended: LSN
  var applied: LSN
  var durable: LSN
  /// What somebody waits for on the disk.
  var durableWanted: LSN
  var queries: [Waiting] = []
  var searches: [WaitingSearch] = []
  var isClosing = false

  /// The highest number that was given to a message, and up to which search knows all.
  var queuedUpTo = 0
  var indexedUpTo = 0
  var unindexed = 0
  /// Whether what search knows is to be made anew.
  var isSearchDamaged = false
  /// Whether there are rows to be deleted.
  var isClearing = false
  /// Whether notifications are being swept.
  var isSweeping = false
  /// Pages in the WAL that are not in the file yet, about.
  var walPages = 0

  var commits = 0
  var commitTime = Duration.zero
  var checkpoints = 0
  var checkpointTime = Duration.zero

  init(_ progress: HistoryContents.Progress) {
    appended = progress.state.applied
    applied = progress.state.applied
    queuedUpTo = progress.state.number
    indexedUpTo = progress.indexedUpTo
    unindexed = progress.unindexed
    isClearing = !progress.clearing.isEmpty
    // What was found may be in the WAL only.
    durable = LSN(0)
    durableWanted = LSN(0)
  }

  /// Whether somebody waits for what is not committed yet.
  var isUrgent: Bool {
    isClosing || !queries.isEmpty || durableWanted > applied || works.contains { $0.isTask }
  }

  /// Takes the works of one transaction: changes up to a task, `limit` of them or a single append.
  mutating func takeBatch(limit: Int) -> [Work] {
    var count = 0
    var taken = 0
    for work in works {
      guard case .changes(let changes, _, _) = work else { break }
      guard taken == 0 || count + changes.count <= limit else { break }
      count += changes.count
      taken += 1
    }
    let batch = Array(works[..<taken])
    works.removeFirst(taken)
    return batch
  }

  /// Counts what was committed or dropped out; whether history has caught up by that.
  mutating func finished(_ batch: [Work], options: HistoryOptions) -> Bool {
    for case .changes(let changes, _, let weight) in batch {
      pendingChanges -= changes.count
      pendingBytes -= weight
    }
    guard isBehind, pendingChanges <= options.behindChanges / 2,
      pendingBytes <= options.behindBytes / 2
    else { return false }
    isBehind = false
    return true
  }

  /// Counts what came; whether history is behind from now on.
  mutating func came(_ changes: [HistoryChange], upTo lsn: LSN?, options: HistoryOptions) -> Bool {
    var weight = 0
    for change in changes { weight += change.weight }
    works.append(.changes(changes, lsn, weight: weight))
    pendingChanges += changes.count
    pendingBytes += weight
    guard !isBehind,
      pendingChanges > options.behindChanges || pendingBytes > options.behindBytes
    else { return false }
    isBehind = true
    return true
  }

  /// The queries that may run now: their LSN is committed, and for searches everything is indexed.
  mutating func ready() -> [ReadJob] {
    var ready: [ReadJob] = []
    var rest: [Waiting] = []
    for waiting in queries {
      guard waiting.lsn <= applied else {
        rest.append(waiting)
        continue
      }
      if waiting.job.isSearch, unindexed > 0 {
        searches.append(WaitingSearch(number: queuedUpTo, job: waiting.job))
      } else {
        ready.append(waiting.job)
      }
    }
    queries = rest
    ready += searches.filter { $0.number <= indexedUpTo || unindexed == 0 }.map(\.job)
    searches.removeAll { $0.number <= indexedUpTo || unindexed == 0 }
    return ready
  }
}

extension HistoryChange {
  /// The most bytes that it takes in memory, about.
  fileprivate var weight: Int {
    switch self {
    case .put(let stored): stored.message.weight
    case .notified(let stored): stored.notification.weight
    case .removed, .expired: 0
    }
  }
}

extension HistoryDesk.Work {
  var isTask: Bool {
    switch self {
    case .changes: false
    case .task: true
    }
  }
}
