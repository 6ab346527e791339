import HubStorage
import SimulatedDisk
import Testing

/// What may be wrong with a data directory, and what becomes of it.
struct RecoveryRule: CustomTestStringConvertible, Sendable {
  /// What a start without further ado comes to.
  enum Outcome: Sendable {
    /// It has everything, and says this step.
    case whole(String)
    /// It refuses with a sentence that holds this.
    case refused(String)
  }

  let testDescription: String
  /// Whether the journal goes back to its first record.
  var keepsJournal = false
  let damage: @Sendable (inout StoreScene) throws -> Void
  let outcome: Outcome

  init(
    _ description: String, keepsJournal: Bool = false, _ outcome: Outcome,
    _ damage: @escaping @Sendable (inout StoreScene) throws -> Void
  ) {
    testDescription = description
    self.keepsJournal = keepsJournal
    self.damage = damage
    self.outcome = outcome
  }

  static let all = snapshotRules + journalRules + historyRules

  private static let snapshotRules = [
    RecoveryRule("all is well", .whole("snapshot_loaded")) { _ in },
    RecoveryRule("the newest snapshot is damaged", .whole("snapshot_set_aside")) { scene in
      scene.machine.flip(scene.snapshots[1])
    },
    RecoveryRule("the head of the newest is damaged", .whole("snapshot_set_aside")) { scene in
      scene.machine.flip(scene.snapshots[1], at: 33)
    },
    RecoveryRule("the newest snapshot is empty", .whole("snapshot_set_aside")) { scene in
      scene.machine.disk.damage(scene.snapshots[1], [])
    },
    RecoveryRule("the newest snapshot is missing", .whole("snapshot_loaded")) { scene in
      scene.machine.disk.damage(scene.snapshots[1], nil)
    },
    RecoveryRule("the older snapshot is damaged", .whole("snapshot_loaded")) { scene in
      scene.machine.flip(scene.snapshots[0])
    },
    RecoveryRule("both are damaged, the journal is whole", keepsJournal: true, .whole("replayed")) {
      scene in for file in scene.snapshots { scene.machine.flip(file) }
    },
    RecoveryRule("both are missing, the journal is whole", keepsJournal: true, .whole("replayed")) {
      scene in scene.remove("snapshot-")
    },
    RecoveryRule("both are damaged", .refused("no snapshot can be used (--accept-data-loss")) {
      scene in for file in scene.snapshots { scene.machine.flip(file) }
    },
    RecoveryRule("both are missing", .refused("and there is no snapshot of what was before")) {
      $0.remove("snapshot-")
    },
    RecoveryRule("only history is left", .refused("but neither a snapshot nor a journal")) {
      $0.remove("snapshot-")
      $0.remove("journal/")
    },
  ]

  private static let journalRules = [
    RecoveryRule("the journal is missing", .refused("the journal of the newest snapshot is")) {
      $0.remove("journal/")
    },
    RecoveryRule("the manifest is missing", .refused("it is not there, and there are segments")) {
      $0.remove("journal/manifest")
    },
    RecoveryRule("the manifest is damaged", .refused("manifest: damaged at byte")) { scene in
      scene.machine.flip(scene.machine.journal + "/manifest")
    },
    RecoveryRule("a segment that is needed is missing", .refused("it is listed, and not there")) {
      scene in scene.machine.disk.damage(scene.segments[scene.segments.count - 2], nil)
    },
    RecoveryRule("a segment that is needed is damaged", .refused("damaged at byte")) { scene in
      scene.machine.flip(scene.segments[scene.segments.count - 2], at: 200)
    },
    RecoveryRule("a segment that is not needed is damaged", .whole("journal_warned")) { scene in
      scene.machine.flip(scene.segments[0], at: 200)
    },
    RecoveryRule("a segment that is not needed is missing", .whole("journal_warned")) { scene in
      scene.machine.disk.damage(scene.segments[0], nil)
    },
    RecoveryRule("the journal is another store's", .refused("belongs to another store")) { scene in
      scene.copy("journal/", from: try StoreScene().machine)
    },
    RecoveryRule("the journal begins behind the good snapshot", .refused("begins at record")) {
      scene in
      scene.machine.flip(scene.snapshots[1])
      try scene.deleteSegments(upTo: scene.moments[1].lsn)
    },
    RecoveryRule("the journal is older than the snapshot", .refused("before the newest")) {
      $0.copy("journal/", from: $0.moments[0].machine)
    },
    RecoveryRule("the journal ends before history", .refused("has record")) {
      $0.copy("journal/", from: $0.moments[1].machine)
    },
  ]

  private static let historyRules = [
    RecoveryRule("history is behind, and the journal has the rest", .whole("replayed")) {
      $0.replaceHistory(by: $0.moments[0].machine)
    },
    RecoveryRule("history is damaged, the journal is whole", keepsJournal: true, .whole("replayed"))
    { scene in
      scene.remove("snapshot-")
      scene.remove("history.sqlite")
    },
    RecoveryRule("everything is of an earlier moment, but history", .refused("has record")) {
      let history = $0.machine
      $0.copy("snapshot-", from: $0.moments[1].machine)
      $0.copy("journal/", from: $0.moments[1].machine)
      $0.replaceHistory(by: history)
    },
  ]
}

extension StoreScene {
  /// Lets the journal's segments go as a snapshot would.
  fileprivate func deleteSegments(upTo lsn: Int) throws {
    let place = JournalPlace(path: machine.journal, on: machine.disk, sizes: StoreHub.sizes)
    var writer = try place.recover()?.writer
    try writer?.deleteSegments(upTo: LSN(lsn))
  }
}
