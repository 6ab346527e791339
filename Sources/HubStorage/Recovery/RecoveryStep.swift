/// One thing that recovery did or found, to be logged and counted.
package enum RecoveryStep: Equatable, Sendable, CustomStringConvertible {
  /// There was nothing.
  case begun
  case snapshotLoaded(file: String, lsn: LSN, milliseconds: Int)
  /// A damaged snapshot is out of the way.
  case snapshotSetAside(String)
  /// Damage among records that nobody needs.
  case journalWarned(String)
  /// A write that a crash interrupted is gone.
  case journalCut(file: String, offset: Int, bytes: Int)
  case replayed(records: Int, upTo: LSN, milliseconds: Int)
  /// A damaged history is out of the way.
  case historySetAside(String)
  /// History was lost and got back what memory and journal have.
  case historyRebuilt(from: LSN)
  /// History was ahead of what is vouched for.
  case historyRewound(to: LSN, deleted: Int)
  /// What was answered last may be lost.
  case epochsRenewed(String)
  /// The operator accepted that something is lost.
  case lossAccepted(String)

  /// The step's name in logs and metrics.
  package var name: String {
    switch self {
    case .begun: "begun"
    case .snapshotLoaded: "snapshot_loaded"
    case .snapshotSetAside: "snapshot_set_aside"
    case .journalWarned: "journal_warned"
    case .journalCut: "journal_cut"
    case .replayed: "replayed"
    case .historySetAside: "history_set_aside"
    case .historyRebuilt: "history_rebuilt"
    case .historyRewound: "history_rewound"
    case .epochsRenewed: "epochs_renewed"
    case .lossAccepted: "loss_accepted"
    }
  }

  /// The names of all steps there are.
  package static let names = [
    "begun", "snapshot_loaded", "snapshot_set_aside", "journal_warned", "journal_cut", "replayed",
    "history_set_aside", "history_rebuilt", "history_rewound", "epochs_renewed", "loss_accepted",
  ]

  package var description: String {
    switch self {
    case .begun: "a new store"
    case .snapshotLoaded(let file, let lsn, let time):
      "\(file): loaded up to record \(lsn.number) in \(time) ms"
    case .snapshotSetAside(let flaw): "set aside: \(flaw)"
    case .journalWarned(let flaw): "not needed, but damaged: \(flaw)"
    case .journalCut(let file, let offset, let bytes):
      "\(file): cut an interrupted write of \(bytes) bytes at byte \(offset)"
    case .replayed(let records, let lsn, let time):
      "\(records) records up to \(lsn.number) in \(time) ms"
    case .historySetAside(let sentence): sentence
    case .historyRebuilt(let lsn): "given back what is known since record \(lsn.number)"
    case .historyRewound(let lsn, let deleted):
      "taken back to record \(lsn.number), \(deleted) messages less"
    case .epochsRenewed(let reason): reason
    case .lossAccepted(let sentence): sentence
    }
  }

  /// Whether an operator should look at it.
  package var isWarning: Bool {
    switch self {
    case .begun, .snapshotLoaded, .replayed: false
    case .snapshotSetAside, .journalWarned, .journalCut, .historySetAside, .historyRebuilt,
      .historyRewound, .epochsRenewed, .lossAccepted:
      true
    }
  }
}
