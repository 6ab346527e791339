import HubCore
import HubProtocol
import HubStage
import HubStorage
import SeededRandom
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: a start that is interrupted")
struct RecoveryInterruptionTests {
  @Test(
    "whatever is wrong, and wherever it crashes: nothing is lost without new epochs",
    arguments: RecoveryRule.all, [Durability.commit, .none])
  func interrupted(_ rule: RecoveryRule, durability: Durability) throws {
    var random = SplitMix64(seed: 5)
    var damaged = try StoreScene(keepsJournal: rule.keepsJournal)
    try rule.damage(&damaged)
    for operation in 1...200 {
      let scene = damaged.copied()
      let epochs = Self.epochs(in: try scene.chronicle.state(at: scene.last).registry)
      scene.machine.disk.crashAtOperation(operation)
      guard try !begins(scene, durability) else { return }
      let machine = scene.machine.crash(seed: random.next())
      // What was accepted once is not accepted again.
      let comment: Comment = "\(rule.testDescription), operation \(operation)"
      if let hub = try start(machine, durability, scene.chronicle, comment) {
        try expectHonest(hub, scene, epochs, comment)
      }
      let hub = try StoreHub(
        on: machine, durability, acceptsDataLoss: true, Chronicle())
      try expectHonest(hub, scene, epochs, comment)
      try hub.begin()
    }
    Issue.record("a start is longer than that")
  }

  /// Whether a start with data loss accepted comes to its end; its machine may crash meanwhile.
  private func begins(_ scene: StoreScene, _ durability: Durability) throws -> Bool {
    do {
      let hub = try StoreHub(
        on: scene.machine, durability, acceptsDataLoss: true, Chronicle())
      try hub.begin()
      return !scene.machine.disk.hasCrashed
    } catch {
      guard scene.machine.disk.hasCrashed else { throw error }
      return false
    }
  }

  /// A hub on what is there, unless it refuses.
  private func start(
    _ machine: StoreMachine, _ durability: Durability, _ chronicle: Chronicle, _ comment: Comment
  ) throws -> StoreHub? {
    do {
      return try StoreHub(on: machine.restart(), durability, Chronicle())
    } catch let refusal as RecoveryRefusal {
      #expect(refusal.description.contains("--accept-data-loss"), comment)
      return nil
    }
  }

  /// Everything is there, or nobody who was told something else goes on from there.
  private func expectHonest(
    _ hub: StoreHub, _ scene: StoreScene, _ epochs: Set<String>, _ comment: Comment
  ) throws {
    let whole = try scene.chronicle.state(at: scene.last)
    let isWhole = hub.hub.image.digest == whole.registry.digest
    let renewed = Self.epochs(in: hub.hub)
    #expect(isWhole || hub.needsEpochs || renewed.isDisjoint(with: epochs), comment)
    #expect(hub.history.applied.number == hub.base, comment)
  }

  private static func epochs(in registry: Registry) -> Set<String> {
    epochs(
      in: Hub(
        configuration: Hub.Configuration(
          registry: .init(windowMemory: 1, hashSeed: StoreHub.hashSeed), requestsPerSecond: nil,
          heartbeatMilliseconds: 1, zones: FixedZones(), idSeed: (1, 2)), registry: registry))
  }

  private static func epochs(in hub: Hub) -> Set<String> {
    let clients = StoreClients()
    var hub = hub
    var effects: [Effect] = []
    var epochs: Set<String> = []
    let look = #"{"op":"channel.list","scope":"all","limit":100}"#
    for arrival in clients.arrivals("a", look) { hub.receive(arrival, at: clients.moment) }
    var logged = 0
    repeat {
      hub.receiveReleased(at: clients.moment)
      logged += hub.takeRecords().count
      hub.advance(durable: logged, at: clients.moment)
    } while hub.hasReleased
    hub.takeEffects(into: &effects)
    for case .answer(_, .reply(_, .channels(let channels, _)), _) in effects {
      epochs.formUnion(channels.map(\.epoch))
    }
    return epochs
  }

  @Test(
    "a first start that crashes at any operation is followed by one that works",
    arguments: Durability.allCases)
  func first(durability: Durability) throws {
    for operation in 1...200 {
      let machine = try StoreMachine()
      machine.disk.crashAtOperation(operation)
      let isDone = try StoreJudge().start(on: machine, as: durability, "") != nil
      guard !isDone else { return }
      for seed in 1...4 as ClosedRange<UInt64> {
        let found = machine.crash(seed: seed)
        let hub = try StoreHub(on: found, durability)
        try hub.begin()
        #expect(hub.base <= 1 && !hub.hasFailed, "\(durability), operation \(operation)")
      }
    }
    Issue.record("a start is longer than that")
  }

  @Test("a disk that fails or is full during a start: it says so, and the next start works")
  func failing() throws {
    let whole = try StoreScene()
    for failure in [SimulatedDisk.Failure.inputOutput, .noSpace] {
      for operation in 1...40 {
        let comment: Comment = "\(failure), operation \(operation)"
        let scene = whole.copied()
        scene.machine.disk.failOperation(operation, failure)
        var left = scene.machine
        do {
          let hub = try scene.start()
          try hub.begin()
          left = hub.leave()
        } catch {
          #expect("\(error)".contains(scene.machine.path) || error is LogFailure, comment)
        }
        let hub = try StoreHub(on: left.crash(seed: 1))
        let whole = try scene.chronicle.state(at: scene.last)
        #expect(hub.hub.image.digest == whole.registry.digest, comment)
        #expect(hub.history.contents == whole.history && !hub.needsEpochs, comment)
      }
    }
  }

  @Test("history that is being rebuilt when the machine crashes: it is rebuilt by the next start")
  func rebuilding() throws {
    let damaged = try StoreScene()
    damaged.remove("history.sqlite")
    for operation in 1...40 {
      let scene = damaged.copied()
      scene.machine.disk.crashAtOperation(operation)
      if try begins(scene, .commit) { return }
      for seed in 1...4 as ClosedRange<UInt64> {
        let comment: Comment = "operation \(operation), seed \(seed)"
        let hub = try StoreHub(on: scene.machine.crash(seed: seed))
        let whole = try scene.chronicle.state(at: scene.last)
        #expect(hub.hub.image.digest == whole.registry.digest && !hub.needsEpochs, comment)
        let contents = hub.history.contents
        #expect(contents.applied == whole.history.applied, comment)
        for (channel, rows) in whole.history.rows {
          let kept = rows.filter { $0.key > contents.floors[channel] ?? 0 }
          #expect(contents.rows[channel] ?? [:] == kept, comment)
        }
      }
    }
    Issue.record("a start is longer than that")
  }
}
