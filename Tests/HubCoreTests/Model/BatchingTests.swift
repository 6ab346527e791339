import HubProtocol
import SeededRandom
import Testing

@Suite("Architecture, Determinism: what happens does not depend on how it is batched")
struct BatchingTests {
  /// How arrivals reach the hub and records become durable.
  enum Manner: CaseIterable {
    case oneByOne, inBatches, lateAndInPieces, allAtTheEnd
  }

  @Test("the same requests give everybody the same lines, and the same state", arguments: 0..<40)
  func batches(round: Int) {
    let seed = TestSeed.value &+ UInt64(round)
    let results = Manner.allCases.map { run($0, seed: seed) }
    for (manner, result) in zip(Manner.allCases, results) {
      #expect(result.lines == results[0].lines, "\(manner), HUB_TEST_SEED=\(seed)")
      #expect(result.state == results[0].state, "\(manner), HUB_TEST_SEED=\(seed)")
    }
  }

  private func run(_ manner: Manner, seed: UInt64) -> (lines: [[String]], state: [UInt8]) {
    let hub = HubDriver(seed: seed)
    var random = SplitMix64(seed: seed)
    var rhythm = SplitMix64(seed: seed &+ 1)
    let clients = RandomWorld.names.flatMap { [hub.connect($0), hub.connect($0)] }
    hub.isHolding = manner == .lateAndInPieces || manner == .allAtTheEnd
    hub.isGathering = manner == .inBatches || manner == .allAtTheEnd
    for number in 0..<400 {
      Self.step(number, &random).ask(random.pick(clients))
      switch manner {
      case .inBatches where rhythm.oneIn(20): hub.run()
      case .lateAndInPieces where rhythm.oneIn(5): hub.release(rhythm.below(9))
      case .oneByOne, .inBatches, .lateAndInPieces, .allAtTheEnd: break
      }
    }
    hub.isGathering = false
    hub.isHolding = false
    hub.run()
    hub.release()
    let lines = clients.map { client in client.lines.filter { !$0.hasPrefix("unread ") } }
    let seen = seen(by: RandomWorld.names.map { hub.connect($0) })
    return (lines + [seen], hub.state)
  }

  private static func step(_ number: Int, _ random: inout SplitMix64) -> Step {
    let room = random.pick(RandomWorld.rooms)
    let names = RandomWorld.names
    // No history: what is not in memory answers when it is ready, which is another moment in each
    // manner, and may find that its reader has left.
    switch random.below(16) {
    case 0: return .create(room, random.pick([.group, .public, .broadcast]), [random.pick(names)])
    case 1: return .join(room)
    case 2: return random.oneIn(4) ? .delete(room) : .leave(room)
    case 3: return .read(room, random.below(number + 1) / 8)
    case 4, 5: return .subscribe(room, limit: random.below(20))
    case 6: return .moderate(room, .random(of: names, &random))
    case 7: return .readUnread(room, random.below(number + 1) / 8)
    case 8, 9, 10: return .change(room, random.below(number + 1) / 8, .random(of: names, &random))
    default:
      let text = String(repeating: "x", count: 1 + random.below(4_000))
      let replyTo = random.oneIn(5) ? random.below(number + 1) / 8 : nil
      return .send(
        room, text, key: random.oneIn(2) ? "k\(random.below(9))" : nil, mention: nil,
        replyTo: replyTo)
    }
  }

  private func seen(by clients: [Client]) -> [String] {
    clients.flatMap { client in
      [client.lines.joined(), client.list(.joined), client.list(.all, sort: .activity)]
        + RandomWorld.rooms.flatMap { room in
          [client.get(room), client.history(room, .before(1_000), limit: 100)]
            + client.messages.map { Line.of($0) }
        }
    }
  }
}
