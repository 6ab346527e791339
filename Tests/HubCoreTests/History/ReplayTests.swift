import HubCore
import HubProtocol
import HubStage
import SeededRandom
import Testing

@Suite("Architecture, Determinism: the same log gives the same state, and the same history")
struct ReplayTests {
  @Test(
    "whatever people do, with and without memory for it",
    arguments: [1 << 30, 60_000, 12_000], 0..<3)
  func life(memory: Int, part: Int) {
    let seed = TestSeed.value &+ UInt64(part)
    let hub = DrivenHub(windowMemory: memory, seed: seed)
    var life = Life(seed: seed)
    life.happen(1_500, on: hub)
    #expect(hub.replayFlaws == [], "HUB_TEST_SEED=\(seed)")
  }

  @Test("what is answered does not depend on how much is in memory", arguments: 0..<4)
  func memory(part: Int) {
    let seed = TestSeed.value &+ UInt64(part)
    let hubs = [1 << 30, 12_000].map { DrivenHub(windowMemory: $0, seed: seed) }
    var life = Life(seed: seed)
    for name in life.names { for hub in hubs { hub.connect(name) } }
    for step in 0..<1_500 {
      let (name, request) = life.next()
      // A notice that waits is dropped when its message leaves memory meanwhile.
      let answers = hubs.map { hub in
        hub.ask(name, request).split(separator: "\n")
          .filter { !$0.contains(#"{"ev":"notice"#) }.joined(separator: "\n")
      }
      guard answers[0] == answers[1] else {
        let said = answers.joined(separator: "\nnot\n")
        Issue.record("HUB_TEST_SEED=\(seed), step \(step), \(name) asks \(request):\n\(said)")
        return
      }
    }
  }

  @Test("with records that become durable late, answers that come late, and restarts between")
  func late() throws {
    for round in 0..<30 {
      let seed = TestSeed.value &+ UInt64(round)
      var random = SplitMix64(seed: seed)
      let hub = HubDriver(windowMemory: 12_000, seed: seed)
      var life = Life(seed: seed)
      for run in 0..<3 {
        try live(500, on: hub, &life, &random)
        #expect(hub.replayFlaws == [], "HUB_TEST_SEED=\(seed), run \(run)")
        // In the middle of everything.
        try live(200, on: hub, &life, &random, toTheEnd: false)
        try hub.restart()
        hub.isHolding = false
        hub.run()
        #expect(hub.replayFlaws == [], "HUB_TEST_SEED=\(seed), restart \(run)")
      }
      #expect(hub.strayDeliveries == [], "HUB_TEST_SEED=\(seed)")
    }
  }

  private func live(
    _ count: Int, on hub: HubDriver, _ life: inout Life, _ random: inout SplitMix64,
    toTheEnd: Bool = true
  ) throws {
    let clients = life.names.map { name in
      let isAdmin = name.hasPrefix("admin")
      return hub.connect(name, as: name.hasPrefix("bot") ? .bot : isAdmin ? .admin : .person)
    }
    for _ in 0..<count {
      let (name, request) = life.next()
      let inbound = Array(request.utf8).withUnsafeBytes(RequestDecoder.decode)
      guard case .request(let request) = inbound, let place = life.names.firstIndex(of: name)
      else { continue }
      clients[place].ask(request.operation)
      switch random.below(12) {
      case 0: hub.isHolding.toggle()
      case 1: hub.isAsking.toggle()
      case 2: hub.answersEarly.toggle()
      case 3, 4: hub.release(random.below(6))
      case 5, 6: hub.answer()
      case 7: hub.expire(UInt32(random.below(14)), upTo: random.below(30))
      default: break
      }
    }
    guard toTheEnd else { return }
    hub.isHolding = false
    hub.isAsking = false
    hub.run()
    hub.pass(2_000)
  }

  @Test("an image holds everything: written and loaded, it goes on as if nothing had happened")
  func goesOn() throws {
    let seed = TestSeed.value
    let before = DrivenHub(seed: seed)
    var life = Life(seed: seed)
    life.happen(1_200, on: before)
    before.leaveAlone()
    let after = DrivenHub(
      try before.image.loaded(), history: before.history, seed: seed)
    #expect(after.digest == before.digest)
    after.wall = before.wall
    for name in life.names { for hub in [before, after] { hub.connect(name) } }
    for _ in 0..<600 {
      let (name, request) = life.next(mayCreate: false)
      let answers = [before.ask(name, request), after.ask(name, request)]
      guard answers[0] == answers[1] else {
        let said = answers.joined(separator: "\nnot\n")
        Issue.record("HUB_TEST_SEED=\(seed), \(name) asks \(request):\n\(said)")
        return
      }
    }
    #expect(after.digest == before.digest && after.history == before.history)
    #expect(after.replayFlaws == [])
  }

  @Test("a lost history is made again of what is in memory, and begins there")
  func seeded() throws {
    let hub = HubDriver()
    let alice = hub.connect("alice")
    for name in ["room:a", "room:b", "room:c"] { alice.create(name, .group) }
    for _ in 0..<1_005 { alice.send("room:a", "m") }
    for _ in 0..<3 { alice.send("room:b", "m") }
    alice.react("room:a", 900)
    alice.delete("room:c")
    let seeded = ModelHistory(seededFrom: try hub.hub.image.loaded())
    #expect(seeded.flaws == [] && seeded.messageCount == 1_003)
    let (room, other) = (ChannelRef(index: 0), ChannelRef(index: 1))
    #expect(seeded.messages(of: room).map(\.message.seq) == Array(6...1_005))
    let held = hub.history?.messages(of: room).suffix(1_000).map(\.body)
    #expect(seeded.messages(of: room).map(\.body) == held)
    #expect(seeded.messages(of: other).count == 3)
    let registry = try hub.hub.image.loaded()
    let ends = (0..<4).map { registry.newestPosition(of: ChannelRef(index: $0)) }
    #expect(ends.map { $0?.seq } == [1_005, 3, nil, nil], "deleted, and never there")
    #expect(ends.map { $0?.rev } == [1, 0, nil, nil])
    guard case .put(let message) = registry.put(900, of: room) else {
      Issue.record("message 900 is in memory")
      return
    }
    #expect(message.body == hub.history?.messages(of: room)[899].body)
    #expect([5, 1_006].allSatisfy { registry.put($0, of: room) == nil })
  }

  @Test("new epochs are made by a record: nobody recovers across it, and all play it alike")
  func epochs() throws {
    let hub = HubDriver()
    let alice = hub.connect("alice")
    alice.create("room:a", .group)
    let epoch = try #require(alice.summary).epoch
    alice.send("room:a", "m")
    hub.hub.renewEpochs()
    hub.run()
    alice.get("room:a")
    #expect(alice.summary?.epoch != epoch)
    let position = Position(epoch: epoch, seq: 1)
    #expect(alice.subscribe("room:a", since: position) == "subscribed at 1: none")
    #expect(hub.replayFlaws == [])
  }

  @Test("the first record founds the registry; founded again it stays as it is")
  func founded() throws {
    let hub = HubDriver()
    #expect(hub.tape.records.count == 1)
    var registry = try hub.hub.image.loaded()
    let digest = registry.digest
    #expect(registry.isFounded && registry.appliedCount == 1 && registry.userCount == 0)
    let again = Record(
      ts: Timestamp(milliseconds: 0),
      change: .founded(stream: "x", hashKey: .init(low: 1, high: 1)))
    #expect(registry.replay(again).isEmpty)
    #expect(registry.appliedCount == 2 && registry.digest != digest, "a record was counted")
    try hub.restart()
    #expect(hub.tape.records.count == 1, "a hub that is founded is not founded again")
  }
}
