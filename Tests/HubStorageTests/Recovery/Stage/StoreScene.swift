import HubCore
import HubStorage
import SimulatedDisk
import Testing

/// A data directory with everything in it: two snapshots, several segments of journal, records
/// behind the newest snapshot, and what it looked like on the way there.
struct StoreScene {
  /// What a directory and a history were at some moment.
  struct Moment {
    let machine: StoreMachine
    let lsn: Int

    init(_ hub: StoreHub) {
      machine = hub.machine.restart()
      lsn = hub.hub.appliedCount
    }
  }

  let chronicle = Chronicle()
  /// Behind the first snapshot, the second, and at the end; each as a killed hub leaves it.
  private(set) var moments: [Moment] = []
  /// As it is found.
  private(set) var machine: StoreMachine

  /// - Parameter keepsJournal: whether all of the journal is there, back to its first record.
  init(
    _ durability: Durability = .commit, ended end: StoreEnd = .killed, keepsJournal: Bool = false,
    snapshots: Int = 2
  ) throws {
    machine = try StoreMachine()
    let hub = try StoreHub(
      on: machine, durability, chronicle, windowMemory: StoreHub.windowMemory)
    try hub.begin()
    var workload = StoreWorkload(seed: 11)
    for _ in 0..<snapshots {
      workload.talk(30, on: hub)
      try hub.takeSnapshot(deleting: !keepsJournal)
      moments.append(Moment(hub))
    }
    workload.talk(20, on: hub)
    moments.append(Moment(hub))
    if end == .stopped { #expect(hub.stop()) }
    machine = hub.leave()
    machine = end == .crashed ? machine.crash(seed: 5) : machine.restart()
  }

  /// The same, to be damaged by itself.
  func copied() -> StoreScene {
    var copy = self
    copy.machine = machine.restart()
    return copy
  }

  var last: Int { moments.last?.lsn ?? 0 }

  /// Starts a hub on it, as the next one would be.
  func start(
    _ durability: Durability = .commit, acceptsDataLoss: Bool = false
  ) throws -> StoreHub {
    try StoreHub(on: machine, durability, acceptsDataLoss: acceptsDataLoss, chronicle)
  }

  mutating func replaceHistory(by other: StoreMachine) {
    machine = machine.with(other.history)
  }

  /// Puts the files of another directory, or of another moment, in the place of those there are.
  func copy(_ prefix: String, from other: StoreMachine) {
    for file in machine.files(prefix) { machine.disk.damage(file, nil) }
    for file in other.files(prefix) {
      let path = machine.path + file.dropFirst(other.path.count)
      let opened = try? machine.disk.open(path, .creating)
      try? opened?.write(other.disk.bytes(of: file) ?? [], at: 0)
      try? opened?.sync()
    }
    for directory in [machine.path, machine.journal] { try? machine.disk.syncDirectory(directory) }
  }

  func remove(_ prefix: String) {
    for file in machine.files(prefix) { machine.disk.damage(file, nil) }
  }

  /// The segments of the journal, oldest first.
  var segments: [String] { machine.files("journal/segment-") }
  /// The snapshots, oldest first.
  var snapshots: [String] { machine.files("snapshot-") }
}
