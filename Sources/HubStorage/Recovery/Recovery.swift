package import HubCore

/// What is found in a data directory and made of it: the newest good snapshot, the records behind
/// it replayed, history brought to the same point; or a sentence that says why not. Blocks.
package struct Recovery {
  /// How to go about it.
  package struct Settings: Sendable {
    package let registry: Registry.Configuration
    package let durability: Durability
    package let acceptsDataLoss: Bool
    /// Names the time since the machine was started.
    package let boot: String

    package init(
      registry: Registry.Configuration, durability: Durability, acceptsDataLoss: Bool,
      boot: String
    ) {
      self.registry = registry
      self.durability = durability
      self.acceptsDataLoss = acceptsDataLoss
      self.boot = boot
    }
  }

  /// What a hub goes on with.
  package struct Outcome {
    package let registry: Registry
    /// Nil with durability `none`.
    package let writer: JournalWriter?
    /// Whether epochs must be renewed, because what was answered last may be lost.
    package let needsEpochs: Bool
    /// Whether a snapshot must be taken before anything new is answered: the newest one does not
    /// say how its records are kept from now on.
    package let needsSnapshot: Bool
    package let store: StoreID
    package let steps: [RecoveryStep]
    /// Notifications, by number, up to which history may not know what they say: it was lost, and
    /// the journal does not reach so far back. 0 when it knows all.
    package let doubtedNotifications: Int
  }

  package let directory: DataDirectory
  let settings: Settings
  let place: JournalPlace
  let uptime: () -> Int
  var steps: [RecoveryStep] = []
  /// What the hub before this one left behind, unless it stopped in order.
  var before: RunMark?
  /// Whether every answer of the hub before this one meant that its record was synced.
  var promisedAll = true
  /// Whether the mark of this start is there.
  private var isMarked = false
  /// What is lost, as far as it is known by now; empty when nothing is.
  var losses: [String] = []
  /// Snapshots that cannot be used.
  var flawed: [SnapshotStore.Flawed] = []

  /// `uptime` tells milliseconds, for the log.
  package init(
    _ directory: DataDirectory, _ settings: Settings, sizes: JournalSizes = JournalSizes(),
    uptime: @escaping () -> Int
  ) {
    self.directory = directory
    self.settings = settings
    self.uptime = uptime
    place = JournalPlace(directory, sizes: sizes)
  }

  /// Recovers. `openHistory` is called once with the store's name, when that is known; whether it
  /// is a new one is told too.
  package mutating func run(
    history openHistory: (StoreID) throws(RecoveryRefusal) -> OpenedHistory
  ) throws(RecoveryRefusal) -> Outcome {
    before = try RecoveryRefusal.of { () throws(FileError) in try RunMark(in: directory) }
    promisedAll = before.map { !$0.mayHaveLost(boot: settings.boot) } ?? true
    let snapshots = SnapshotStore(directory)
    var base = try loadSnapshot(from: snapshots)
    let newest = base?.header
    let examined = try check(base, examineJournal(above: base))
    let store = newest?.store ?? examined?.store ?? Self.randomID()
    if base == nil, examined == nil { try begin() }

    let opened = try openHistory(store)
    if let sentence = opened.setAside { steps.append(.historySetAside(sentence)) }
    let history = opened.history
    try check(history, examined, newest)
    let journal = try makeReady(examined)
    if let newest, history.applied < newest.lsn {
      base = try older(than: newest, journal, in: snapshots) ?? base
    }
    var registry = base?.registry ?? Registry(configuration: settings.registry)
    var doubted = 0
    if let base, history.applied < base.header.lsn {
      try rebuild(history, from: registry)
      doubted = registry.notificationCount
    }
    if let writer = journal?.writer { try replay(writer, into: &registry, history) }
    try bring(history, to: registry)
    // Once they are out of the way, nobody knows of them.
    if journal == nil, !flawed.isEmpty { try promiseNothing() }
    try RecoveryRefusal.of { () throws(FileError) in try snapshots.setAside(flawed) }
    try putMark()
    let isJournaled = settings.durability != .none
    return Outcome(
      registry: registry,
      writer: try writer(journal, store, registry),
      needsEpochs: tellEpochs(registry, isJournaled: journal != nil),
      // One that says how its records are kept; and `none` keeps nothing but snapshots.
      needsSnapshot: newest.map { $0.isJournaled != isJournaled }
        ?? (journal != nil || !isJournaled) || !losses.isEmpty,
      store: store, steps: steps, doubtedNotifications: doubted)
  }

  private func makeReady(
    _ examined: JournalExamination?
  ) throws(RecoveryRefusal) -> JournalRecovery? {
    do throws(JournalFlaw) {
      return try examined.map { (examined) throws(JournalFlaw) in try place.makeReady(examined) }
    } catch {
      throw .journal(error)
    }
  }

  /// The older snapshot, where the journal reaches back to it and is good all the way.
  private func older(
    than newest: SnapshotHeader, _ journal: JournalRecovery?, in snapshots: SnapshotStore
  ) throws(RecoveryRefusal) -> Base? {
    guard let journal, journal.warnings.isEmpty else { return nil }
    return try RecoveryRefusal.of { () throws(FileError) in
      try snapshots.loadOlder(
        windowMemory: settings.registry.windowMemory,
        atLeast: LSN(journal.writer.first.number - 1), below: newest.lsn)
    }
  }

  private static func randomID() -> StoreID {
    var random = SystemRandomNumberGenerator()
    return StoreID(high: random.next(), low: random.next())
  }

  /// There is nothing to go on with: then there must not be a history either, unless a hub was
  /// interrupted when it began.
  private mutating func begin() throws(RecoveryRefusal) {
    steps.append(.begun)
    if before != .starting, directory.contains(OpenedHistory.fileName) {
      try lose(
        "\(directory.path(of: OpenedHistory.fileName)) is there, "
          + "but neither a snapshot nor a journal")
    }
    try promiseNothing()
  }

  /// Goes on without something, if that was accepted.
  mutating func lose(_ sentence: String) throws(RecoveryRefusal) {
    guard settings.acceptsDataLoss else { throw .incomplete(sentence) }
    losses.append(sentence)
    steps.append(.lossAccepted(sentence))
    try promiseNothing()
  }

  /// From now on, and also if this start is interrupted, nothing counts as promised: what is here
  /// fits together then, and does not tell what is missing.
  private mutating func promiseNothing() throws(RecoveryRefusal) {
    isMarked = true
    try RecoveryRefusal.of { () throws(FileError) in try RunMark.starting.write(to: directory) }
  }

  /// What this run tells history is no promise either, from its first record on: should it be
  /// interrupted before it has put its mark there, history may be ahead.
  private func putMark() throws(RecoveryRefusal) {
    guard promisedAll, !isMarked, settings.durability != .commit else { return }
    try RecoveryRefusal.of { () throws(FileError) in
      try RunMark(durability: settings.durability, boot: settings.boot).write(to: directory)
    }
  }

  private mutating func tellEpochs(_ registry: Registry, isJournaled: Bool) -> Bool {
    guard registry.isFounded else { return false }
    var reason: String?
    if !flawed.isEmpty, !isJournaled { reason = "new: what came after an older snapshot is lost" }
    if before?.mayHaveLost(boot: settings.boot) == true {
      reason = "new: the hub before this one did not stop in order"
    }
    if !losses.isEmpty { reason = "new: data loss was accepted" }
    if let reason { steps.append(.epochsRenewed(reason)) }
    return reason != nil
  }
}

/// A history that was opened for a store.
package struct OpenedHistory {
  /// What the file is called in a data directory.
  package static let fileName = "history.sqlite"

  package let history: any RecoveredHistory
  /// What became of one that could not be used.
  package let setAside: String?

  package init(history: any RecoveredHistory, setAside: String?) {
    self.history = history
    self.setAside = setAside
  }
}
