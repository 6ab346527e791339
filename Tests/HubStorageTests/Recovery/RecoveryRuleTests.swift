import HubCore
import HubProtocol
import HubStage
import HubStorage
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: what is found when a hub starts")
struct RecoveryRuleTests {
  @Test("it starts with everything, or refuses and says why", arguments: RecoveryRule.all)
  func rule(_ rule: RecoveryRule) throws {
    var scene = try StoreScene(keepsJournal: rule.keepsJournal)
    try rule.damage(&scene)
    switch rule.outcome {
    case .whole(let step):
      let hub = try scene.start()
      try expectWhole(hub, scene)
      #expect(hub.steps.contains { $0.name == step })
      #expect(!hub.needsEpochs)
    case .refused(let words):
      let thrown = #expect(throws: RecoveryRefusal.self) { _ = try scene.start() }
      let refusal = try #require(thrown)
      #expect(refusal.description.contains(words))
      #expect(refusal.description.contains("--accept-data-loss"))
      #expect(refusal.description.contains(scene.machine.path))
    }
  }

  private func expectWhole(_ hub: StoreHub, _ scene: StoreScene) throws {
    let state = try scene.chronicle.state(at: scene.last)
    #expect(hub.base == scene.last)
    #expect(hub.hub.image.digest == state.registry.digest)
    #expect(hub.history.contents == state.history)
  }

  @Test(
    "with data loss accepted it always starts, says what was lost, and the next start is clean",
    arguments: RecoveryRule.all, [Durability.commit, .none])
  func accepted(_ rule: RecoveryRule, durability: Durability) throws {
    var scene = try StoreScene(keepsJournal: rule.keepsJournal)
    try rule.damage(&scene)
    let bytes = content(of: scene.machine)
    let (machine, digest, steps) = try accept(rule, scene, durability)
    // One that was replayed is gone on with.
    if !steps.contains(where: { $0.name == "replayed" }) { expectKept(bytes, on: machine) }
    let second = try StoreHub(on: machine, durability)
    #expect(second.hub.image.digest == digest)
    #expect(second.history.applied.number == second.base)
    #expect(!second.needsEpochs)
    guard case .refused = rule.outcome else { return }
    #expect(!second.steps.contains { $0.isWarning })
  }

  /// No segment went: it is still in use, or has another name.
  private func expectKept(_ bytes: [String: [UInt8]], on machine: StoreMachine) {
    let kept = Set(machine.disk.paths.compactMap { machine.disk.bytes(of: $0) })
    for (path, bytes) in bytes where path.contains("segment-") {
      let isInUse = machine.disk.bytes(of: path)?.prefix(64) == bytes.prefix(64)
      #expect(isInUse || kept.contains(bytes), "\(path) is gone")
    }
  }

  private func content(of machine: StoreMachine) -> [String: [UInt8]] {
    Dictionary(
      machine.disk.paths.map { ($0, machine.disk.bytes(of: $0) ?? []) }
    ) { first, _ in first }
  }

  private func accept(
    _ rule: RecoveryRule, _ scene: StoreScene, _ durability: Durability
  ) throws -> (StoreMachine, digest: [UInt8], [RecoveryStep]) {
    let hub = try scene.start(durability, acceptsDataLoss: true)
    let losses = hub.steps.filter { $0.name == "loss_accepted" }
    switch rule.outcome {
    case .whole:
      try expectWhole(hub, scene)
      #expect(losses.isEmpty && !hub.needsEpochs)
    case .refused(let words):
      // The advice is not repeated.
      let word = words.split(separator: " (")[0]
      #expect(losses.contains { $0.description.contains(word) })
      #expect(losses.allSatisfy { $0.isWarning })
      #expect(hub.needsEpochs || hub.base == 0)
      #expect(hub.history.applied.number == hub.base)
    }
    try hub.begin()
    // Without a journal only a stop in order keeps epochs.
    if durability == .none { #expect(hub.stop()) }
    return (hub.leave().restart(), hub.hub.image.digest, hub.steps)
  }

  @Test("nothing there: it begins")
  func nothing() throws {
    for durability in Durability.allCases {
      let hub = try StoreHub(on: StoreMachine(), durability)
      #expect(hub.steps == [.begun] && hub.base == 0 && !hub.needsEpochs)
    }
  }

  @Test("history is lost: it gets back what the older snapshot and the journal have")
  func lostHistory() throws {
    let scene = try StoreScene()
    scene.remove("history.sqlite")
    let hub = try scene.start()
    #expect(hub.steps.contains(.historyRebuilt(from: LSN(scene.moments[0].lsn))))
    let state = try scene.chronicle.state(at: scene.last)
    #expect(hub.base == scene.last && !hub.needsEpochs)
    #expect(hub.hub.image.digest == state.registry.digest)
    try expectRebuilt(hub.history.contents, from: scene.moments[0].lsn, scene)
  }

  @Test("history is older than both snapshots: what it lacks is told, and nothing else is missing")
  func oldHistory() throws {
    var scene = try StoreScene()
    let early = SimulatedHistory([try scene.chronicle.state(at: 9).history])
    scene.replaceHistory(by: scene.machine.with(early))
    let hub = try scene.start()
    #expect(hub.steps.contains(.historyRebuilt(from: LSN(scene.moments[0].lsn))))
    try expectRebuilt(hub.history.contents, from: scene.moments[0].lsn, scene)
  }

  /// Everything above the floors is there, and floors are where memory began.
  private func expectRebuilt(
    _ contents: SimulatedHistory.Contents, from lsn: Int, _ scene: StoreScene
  ) throws {
    let state = try scene.chronicle.state(at: scene.last)
    #expect(contents.applied == state.history.applied)
    var count = 0
    for (channel, rows) in state.history.rows {
      let floor = contents.floors[channel] ?? 0
      #expect(contents.rows[channel] ?? [:] == rows.filter { $0.key > floor })
      count += contents.rows[channel]?.count ?? 0
    }
    #expect(contents.floors.values.contains { 0 < $0 && $0 < .max })
    #expect(count > 10)
  }

  @Test(
    "history is ahead: taken back where that was possible, with new epochs, and for good",
    arguments: [Durability.interval, .none])
  func ahead(durability: Durability) throws {
    var scene = try StoreScene(durability)
    let history = scene.machine
    scene.copy("snapshot-", from: scene.moments[1].machine)
    scene.copy("journal/", from: scene.moments[1].machine)
    scene.replaceHistory(by: history)
    let machine = scene.machine.crash(seed: 4).with(scene.machine.history)
    let hub = try StoreHub(on: machine, durability)
    #expect(hub.base == scene.moments[1].lsn && hub.needsEpochs)
    #expect(hub.steps.contains { $0.name == "history_rewound" })
    let state = try scene.chronicle.state(at: hub.base)
    #expect(hub.history.contents.isWithin(state.history))
    // Whatever a crash leaves of it now, it is not ahead again.
    for seed in 1...8 {
      #expect(hub.machine.crash(seed: UInt64(seed)).history.applied.number == hub.base)
    }
  }
}
