import HubCore
import HubProtocol
import HubStorage
import Logging

/// What a hub finds in its data directory when it starts, and what it writes to from then on.
struct StoredState {
  let registry: Registry
  /// Where records go first.
  let log: any RecordLog
  /// The same where it has files; nil with durability `none`.
  let journal: JournalLog?
  let history: HistoryStore
  /// What history tells of itself.
  let historyNotices: NoticeRelay<HistoryNotice>
  let snapshots: SnapshotStore
  let storeID: StoreID
  /// What was found and done.
  let steps: [RecoveryStep]
  /// Whether epochs must be renewed, because what was answered last may be lost.
  let needsEpochs: Bool
  /// Whether a snapshot must be taken before anything new is answered.
  let needsSnapshot: Bool
  /// Notifications up to which history may not know what they say.
  let doubtedNotifications: Int
  // Held for its lock.
  let directory: DataDirectory
  private let mark: RunMark

  /// Opens the directory and recovers what is there; says in the log what was found and done.
  init(
    _ configuration: ServerConfiguration, hashSeed: (UInt64, UInt64), logger: Logger
  ) throws(StartError) {
    do {
      directory = try DataDirectory(path: configuration.dataDirectory)
    } catch {
      throw .dataDirectory(error)
    }
    let boot = MachineBoot.name
    mark = RunMark(durability: configuration.durability, boot: boot)
    let settings = Recovery.Settings(
      registry: Registry.Configuration(
        windowMemory: configuration.windowMemory.bytes, hashSeed: hashSeed),
      durability: configuration.durability, acceptsDataLoss: configuration.acceptsDataLoss,
      boot: boot)
    let clock = HubClock()
    let relay = NoticeRelay<HistoryNotice>()
    var recovery = Recovery(directory, settings) { clock.uptime() }
    do {
      let (outcome, history) = try recovery.run(notices: relay)
      for step in outcome.steps { Self.tell(step, logger) }
      steps = outcome.steps
      registry = outcome.registry
      storeID = outcome.store
      needsEpochs = outcome.needsEpochs
      needsSnapshot = outcome.needsSnapshot
      doubtedNotifications = outcome.doubtedNotifications
      self.history = history
      journal = outcome.writer.map { JournalLog(writer: $0, configuration.durability) }
      log = journal ?? VolatileRecordLog(last: LSN(outcome.registry.appliedCount))
    } catch {
      throw .recovery(error)
    }
    historyNotices = relay
    snapshots = SnapshotStore(directory)
  }

  private static func tell(_ step: RecoveryStep, _ logger: Logger) {
    logger.log(
      level: step.isWarning ? .warning : .notice, "recovery: \(step.name)",
      metadata: ["what": "\(step)"])
  }

  /// Notes that a hub runs here.
  func markRunning() throws(StartError) {
    do {
      try mark.write(to: directory)
    } catch {
      throw .recovery(.file(error))
    }
  }

  /// Ends what runs.
  func close() {
    log.close()
    history.close()
  }

  /// Ends what runs in order. The mark stays when neither the last snapshot nor the journal holds
  /// everything that was answered.
  func close(hasSnapshot: Bool) throws {
    close()
    let figures = journal?.figures
    let isSynced = figures.map { $0.state == .writable && $0.synced == $0.last } ?? true
    if hasSnapshot || isSynced { try RunMark.remove(from: directory) }
  }
}

extension Recovery {
  /// Recovers, with history in the data directory.
  fileprivate mutating func run(
    notices: NoticeRelay<HistoryNotice>
  ) throws(RecoveryRefusal) -> (Outcome, HistoryStore) {
    var opened: HistoryStore?
    let path = directory.path
    let outcome = try run { (store) throws(RecoveryRefusal) in
      do throws(HistoryRefusal) {
        let (history, found) = try HistoryStore.open(
          directory: path, store: store, notice: { notices.tell($0) })
        opened = history
        return OpenedHistory(history: history, setAside: found.setAside)
      } catch {
        throw .history("\(error)")
      }
    }
    guard let opened else { preconditionFailure("recovery opens history") }
    return (outcome, opened)
  }
}

extension JournalLog {
  fileprivate convenience init(
    writer: JournalWriter, _ durability: HubStorage.Durability
  ) {
    let when: Durability =
      switch durability {
      case .commit, .none: .commit
      case .interval: .interval(milliseconds: 100)
      }
    self.init(writer: writer, durability: when) { record, bytes in
      record.write(to: &bytes)
      return Record.version
    }
  }
}
