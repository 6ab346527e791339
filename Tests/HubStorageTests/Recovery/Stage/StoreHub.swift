import HubCore
import HubProtocol
import HubStage
import HubStorage
import SimulatedDisk

/// One run of a hub on a simulated machine: all that the shell does with what it stores, without
/// threads, so that it can be stopped at any operation of the disk.
final class StoreHub {
  /// How small everything is, so that everything happens in a short life.
  static let sizes = JournalSizes(first: 1_500, most: 6_000)
  static let windowMemory = 3_000
  static let hashSeed: (UInt64, UInt64) = (5, 6)

  let machine: StoreMachine
  /// Held for its lock; nil when the hub is gone.
  private var directory: DataDirectory?
  let durability: Durability
  let history: SimulatedHistory
  let chronicle: Chronicle
  let clients: StoreClients
  let steps: [RecoveryStep]
  let needsEpochs: Bool
  private let store: StoreID
  private var needsSnapshot: Bool
  var hub: Hub
  var writer: JournalWriter?
  /// What was admitted and is not written.
  var waiting: [Record] = []
  var batch: FrameBatch
  /// LSN before the first record of this run.
  let base: Int
  /// Records of this run that are as durable as was asked for.
  var durable = 0
  private var toldHistory: Int
  /// Whether somebody may be connected.
  private var isServing = false
  private var effects: [Effect] = []
  private var changes: [HistoryChange] = []

  /// Recovers what is on the machine.
  /// - Parameter windowMemory: bytes of messages in memory above which the coldest leave it.
  init(
    on machine: StoreMachine, _ durability: Durability = .commit, acceptsDataLoss: Bool = false,
    _ chronicle: Chronicle = Chronicle(), _ clients: StoreClients = StoreClients(),
    windowMemory: Int = 1 << 30
  ) throws {
    (self.durability, self.chronicle, self.clients) = (durability, chronicle, clients)
    let directory = try DataDirectory(path: machine.path, files: machine.disk)
    self.directory = directory
    let registry = Registry.Configuration(windowMemory: windowMemory, hashSeed: Self.hashSeed)
    let settings = Recovery.Settings(
      registry: registry, durability: durability, acceptsDataLoss: acceptsDataLoss,
      boot: "boot-\(machine.boot)")
    var recovery = Recovery(directory, settings, sizes: Self.sizes) { 0 }
    let (disk, path) = (machine.disk, machine.path)
    var opened = machine.history
    let outcome = try recovery.run { (store) throws(RecoveryRefusal) in
      let found = try Self.openHistory(of: store, machine.history, disk, path)
      opened = found.history
      return OpenedHistory(history: found.history, setAside: found.setAside)
    }
    history = opened
    self.machine = machine.with(opened)
    store = outcome.store
    writer = outcome.writer
    steps = outcome.steps
    (needsEpochs, needsSnapshot) = (outcome.needsEpochs, outcome.needsSnapshot)
    base = outcome.registry.appliedCount
    toldHistory = base
    batch = FrameBatch(store: store)
    hub = Hub(
      configuration: Hub.Configuration(
        registry: registry, requestsPerSecond: nil, heartbeatMilliseconds: 25_000,
        zones: FixedZones(), idSeed: (UInt64(base), 7)),
      registry: outcome.registry)
  }

  /// The file of history says whose it is; when it is not there, or another's, one is begun.
  private static func openHistory(
    of store: StoreID, _ known: SimulatedHistory, _ disk: SimulatedDisk, _ directory: String
  ) throws(RecoveryRefusal) -> (history: SimulatedHistory, setAside: String?) {
    let path = directory + "/" + OpenedHistory.fileName
    let name = Array(store.description.utf8)
    let found = disk.bytes(of: path)
    if found == name { return (known, nil) }
    do {
      if found != nil { try disk.rename(path, to: path + ".bad-1") }
      let file = try disk.open(path, .creating)
      try file.write(name, at: 0)
      try file.sync()
    } catch {
      throw .file(error)
    }
    return (SimulatedHistory(), found.map { _ in "\(path) was set aside: it is another store's" })
  }

  /// What must be on the disk before the first request comes.
  func begin() throws {
    if needsEpochs { hub.renewEpochs() }
    run()
    try writer?.sync()
    if needsSnapshot { try takeSnapshot() }
    guard let directory else { return }
    try RunMark(durability: durability, boot: "boot-\(machine.boot)").write(to: directory)
    isServing = true
    chronicle.tell(base + durable)
  }

  /// Whether nothing is ever written again.
  var hasFailed: Bool {
    guard case .failed = writer?.state else { return false }
    return true
  }

  // MARK: - The sequencer

  /// Logs what was admitted, as one group, and lets what is durable take effect.
  func run() {
    repeat {
      hub.receiveReleased(at: clients.moment)
      let records = hub.takeRecords()
      chronicle.append(records)
      waiting += records
      write()
      hub.advance(durable: durable, at: clients.moment)
      takeEffects()
    } while hub.hasReleased
    tellHistory()
  }

  private func tellHistory() {
    let count = hub.takeHistoryChanges(into: &changes)
    guard count > toldHistory else { return }
    toldHistory = count
    history.append(changes, upTo: LSN(count))
    changes.removeAll()
  }

  private func takeEffects() {
    if isServing { chronicle.tell(base + durable) }
    hub.takeEffects(into: &effects)
    tellHistory()
    // What history answers may lead to more.
    while !effects.isEmpty {
      for effect in effects {
        if case .ask(let query, let read) = effect {
          hub.resume(read, with: history.answer(query), at: clients.moment)
        } else {
          clients.hear(effect)
        }
      }
      effects.removeAll()
      hub.takeEffects(into: &effects)
    }
  }

  /// Takes requests, all in one group.
  func receive(_ requests: [(name: String, request: String)]) {
    for (name, request) in requests {
      for arrival in clients.arrivals(name, request) { hub.receive(arrival, at: clients.moment) }
      // What waits for `hello` or for history.
      if hub.hasReleased { run() }
    }
    run()
  }

  /// Lets the oldest messages of every channel go.
  func expire(upTo seq: Int) {
    let channels = hub.channels(from: 0, 100)?.channels ?? []
    hub.expire(channels.map { Record.Expiry(channel: $0.ref, seq: seq) })
    run()
  }

  // MARK: - Snapshots

  /// - Parameter deletes: whether segments of the journal go that are not needed any more.
  func takeSnapshot(deleting deletes: Bool = true) throws {
    guard let directory else { return }
    let (image, lsn) = (hub.image, LSN(hub.appliedCount))
    if !batch.isEmpty || !waiting.isEmpty { throw LogFailure.full }
    try writer?.sync()
    if let writer { chronicle.keep(writer.synced.number) }
    try history.makeDurable(lsn)
    hub.historyHas(lsn.number)
    let header = SnapshotHeader(
      store: store, lsn: lsn, taken: clients.moment.wall, isJournaled: writer != nil)
    let report = try SnapshotStore(directory).take(image, header)
    chronicle.keep(lsn.number)
    if deletes, let older = report.olderLSN { try? writer?.deleteSegments(upTo: older) }
    needsSnapshot = false
  }

  /// The hub is gone, in whatever way; answers what it leaves.
  func leave() -> StoreMachine {
    directory = nil
    return machine
  }

  /// Stops in order; false when something could not be written.
  func stop() -> Bool {
    run()
    var isStopped = true
    do { try takeSnapshot() } catch { isStopped = false }
    try? writer?.seal(isFinal: true)
    guard isStopped, !hasFailed, let directory else { return false }
    do { try RunMark.remove(from: directory) } catch { return false }
    return true
  }
}
