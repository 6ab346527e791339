import HubCore

/// The steps of recovery that look at snapshots and journal.
extension Recovery {
  typealias Base = (registry: Registry, header: SnapshotHeader)

  mutating func loadSnapshot(from snapshots: SnapshotStore) throws(RecoveryRefusal) -> Base? {
    let began = uptime()
    let loaded: SnapshotStore.Loaded
    do {
      loaded = try snapshots.load(windowMemory: settings.registry.windowMemory)
    } catch {
      throw .snapshots(error)
    }
    flawed = loaded.flawed
    steps += flawed.map { .snapshotSetAside($0.sentence) }
    if let (_, header) = loaded.state, let file = loaded.file {
      steps.append(
        .snapshotLoaded(file: file, lsn: header.lsn, milliseconds: uptime() - began))
    }
    return loaded.state
  }

  /// The journal, if there is one that records were kept in since the snapshot was taken.
  mutating func examineJournal(
    above base: Base?
  ) throws(RecoveryRefusal) -> JournalExamination? {
    let found: JournalExamination?
    do {
      found = try place.examine(unneeded: base?.header.lsn ?? LSN(0))
    } catch {
      guard settings.acceptsDataLoss, case .damaged = error else { throw .journal(error) }
      try lose("\(error): what stands in the journal is left out")
      return nil
    }
    guard let found else { return nil }
    steps += found.warnings.map { .journalWarned("\($0)") }
    if let cut = found.cut {
      steps.append(.journalCut(file: cut.file, offset: cut.offset, bytes: cut.bytes))
    }
    // A hub without a journal has gone on since: what stands there is all in the snapshot.
    let isObsolete =
      base.map { !$0.header.isJournaled && found.last < $0.header.lsn } ?? false
    return isObsolete ? nil : found
  }

  /// The journal, if snapshot and journal make a whole; nil when there is none, or when it was
  /// accepted that what stands in it is lost.
  mutating func check(
    _ base: Base?, _ journal: JournalExamination?
  ) throws(RecoveryRefusal) -> JournalExamination? {
    guard let journal else {
      if base == nil, !flawed.isEmpty { try loseSnapshots() }
      if base != nil, !flawed.isEmpty, before == nil { try loseNewestSnapshot() }
      guard let base, base.header.isJournaled, losses.isEmpty else { return nil }
      try lose("\(place.path): the journal of the newest snapshot is missing")
      return nil
    }
    guard let misfit = misfit(of: journal, behind: base?.header) else { return journal }
    if base == nil, !flawed.isEmpty {
      try loseSnapshots()
    } else {
      try lose("\(place.path): \(misfit)")
    }
    return nil
  }

  /// Why a journal cannot be put behind a snapshot, or behind nothing; nil when it can.
  private func misfit(
    of journal: JournalExamination, behind header: SnapshotHeader?
  ) -> String? {
    let (first, last) = (journal.first.number, journal.last.number)
    guard let header else {
      return first == 1
        ? nil : "begins at record \(first), and there is no snapshot of what was before"
    }
    let lsn = header.lsn.number
    if journal.store != header.store { return "belongs to another store than the newest snapshot" }
    if first > lsn + 1 {
      return "begins at record \(first), and the newest good snapshot ends at \(lsn)"
    }
    return last < lsn ? "ends at record \(last), before the newest snapshot's \(lsn)" : nil
  }

  /// The hub before this one stopped in order, and nothing but its last snapshot has what came
  /// after the one before.
  private mutating func loseNewestSnapshot() throws(RecoveryRefusal) {
    let sentences = flawed.map(\.sentence).joined(separator: "; ")
    try lose("what came after an older snapshot is lost: \(sentences)")
  }

  /// Refuses, before anything of the journal is changed, when history knows of records that were
  /// synced and are gone.
  mutating func check(
    _ history: any RecoveredHistory, _ journal: JournalExamination?, _ newest: SnapshotHeader?
  ) throws(RecoveryRefusal) {
    let last = max(journal?.last ?? LSN(0), newest?.lsn ?? LSN(0))
    guard history.applied > last, promisedAll, losses.isEmpty else { return }
    try lose(
      "\(place.path): ends at record \(last.number), and "
        + "\(directory.path(of: OpenedHistory.fileName)) has record \(history.applied.number)")
    guard let cut = journal?.cut else { return }
    // What is cut off may be what is missing: it stays for somebody to look at.
    try RecoveryRefusal.of { () throws(FileError) in try place.copyAside(cut.file) }
  }

  private mutating func loseSnapshots() throws(RecoveryRefusal) {
    let sentences = flawed.map(\.sentence)
    guard settings.acceptsDataLoss else { throw .snapshots(.noneReadable(sentences)) }
    try lose("no snapshot can be used: " + sentences.joined(separator: "; "))
  }

  /// Applies the records behind the registry's newest, and hands history what they mean. With data
  /// loss accepted it ends before a record that cannot be read.
  mutating func replay(
    _ writer: JournalWriter, into registry: inout Registry, _ history: any RecoveredHistory
  ) throws(RecoveryRefusal) {
    let began = uptime()
    let start = registry.appliedCount + 1
    var changes: [HistoryChange] = []
    do {
      try writer.replay(from: LSN(start)) { lsn, bytes, version in
        changes += try replay(lsn, bytes, version, into: &registry)
        guard lsn.number.isMultiple(of: Self.batchRecords) else { return }
        history.append(changes, upTo: lsn)
        changes = []
        // So that what waits stays bounded.
        if lsn.number.isMultiple(of: Self.durableRecords) { try history.makeDurable(lsn) }
      }
    } catch RecoveryRefusal.incomplete(let sentence) {
      try lose(sentence)
    } catch JournalFlaw.damaged(let file, let offset, let what) {
      let flaw = JournalFlaw.damaged(file: file, offset: offset, what)
      guard settings.acceptsDataLoss else { throw .journal(flaw) }
      try lose("\(flaw): what follows in the journal is left out")
    } catch let flaw as JournalFlaw {
      throw .journal(flaw)
    } catch {
      throw .history("\(error)")
    }
    history.append(changes, upTo: LSN(registry.appliedCount))
    steps.append(
      .replayed(
        records: registry.appliedCount - start + 1, upTo: LSN(registry.appliedCount),
        milliseconds: uptime() - began))
  }

  private func replay(
    _ lsn: LSN, _ bytes: ArraySlice<UInt8>, _ version: UInt8, into registry: inout Registry
  ) throws(RecoveryRefusal) -> [HistoryChange] {
    guard version == Record.version else {
      throw .incomplete("\(place.path): record \(lsn.number) is of version \(version)")
    }
    do {
      return registry.replay(try Record(bytes, userCount: registry.userCount))
    } catch {
      throw .incomplete("\(place.path): record \(lsn.number): \(error)")
    }
  }

  /// Records after which history is told.
  private static let batchRecords = 1_000
  /// Records after which history is waited for.
  private static let durableRecords = 50_000

  /// The journal to go on with, a new one where there is none that fits; nil with durability
  /// `none`. What is left out of one, because that was accepted, is kept.
  func writer(
    _ journal: JournalRecovery?, _ store: StoreID, _ registry: Registry
  ) throws(RecoveryRefusal) -> JournalWriter? {
    let isWhole = journal.map { $0.writer.last.number == registry.appliedCount } ?? false
    if !isWhole, !losses.isEmpty {
      try RecoveryRefusal.of { () throws(FileError) in try place.setAside() }
    }
    guard settings.durability != .none else { return nil }
    if isWhole, let journal { return journal.writer }
    do {
      return try place.create(store: store, firstLSN: LSN(registry.appliedCount + 1))
    } catch {
      throw .journal(error)
    }
  }
}
