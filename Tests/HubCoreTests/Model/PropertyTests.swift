import HubProtocol
import Testing

@Suite("The hub does what the protocol says, whatever is asked in whatever order")
struct PropertyTests {
  private static let manners = [
    RandomWorld.Manner(), .init(mayDelay: true), .init(memory: 4_200),
    .init(memory: 4_200, isInterrupted: true),
  ]

  @Test("every reply and event comes once, in order, to the right connections", arguments: manners)
  func lines(manner: RandomWorld.Manner) {
    var (questions, interruptions, stale) = (0, 0, 0)
    // Memory is full only after a while.
    let (rounds, steps) = manner.isForgetful ? (120, 700) : (1_000, 80)
    for round in 0..<rounds {
      let seed = TestSeed.value &+ UInt64(round)
      let world = RandomWorld(seed: seed, manner, looksAtState: round % 10 == 0)
      world.run(steps)
      questions += world.hub.questionCount
      interruptions += world.interruptions
      stale += world.staleCount
      let flaws = flaws(in: world)
      guard flaws.isEmpty else {
        let list = flaws.prefix(6).joined(separator: "; ")
        Issue.record("HUB_TEST_SEED=\(seed), \(manner.testDescription): \(list)")
        return
      }
    }
    #expect(!manner.isForgetful || questions > 500, "\(questions) questions")
    #expect(!manner.isInterrupted || interruptions > 200, "\(interruptions) interruptions")
    #expect(stale * 5 <= interruptions, "\(stale) of \(interruptions) interrupted were stale")
  }

  @Test("long histories too", arguments: [manners[1], .init(memory: 6_000)])
  func long(manner: RandomWorld.Manner) {
    for round in 0..<8 {
      let seed = TestSeed.value &+ UInt64(round)
      let world = RandomWorld(seed: seed, manner)
      world.run(2_000)
      #expect(flaws(in: world) == [], "HUB_TEST_SEED=\(seed)")
    }
  }

  private func flaws(in world: RandomWorld) -> [String] {
    var flaws = world.hub.strayDeliveries + world.flaws
    for (index, client) in world.clients.enumerated() {
      let connection = world.model.connections[index]
      let lines = client.received.map(\.detail).filter { line in
        !line.hasPrefix("unread ") && !line.hasPrefix("inbox.")
      }
      // What was pending when a connection closed, it missed.
      let count = connection.isOpen ? connection.lines.count : lines.count
      let expected = Array(connection.lines.prefix(count))
      let flaw =
        world.manner.mayDelay
        ? difference(lines.map(withoutPresent), expected.map(withoutPresent))
        : difference(lines, expected)
      if let flaw { flaws.append("connection \(index): \(flaw)") }
      if connection.isOpen { flaws += unreadFlaws(of: client, connection.user, world.model) }
    }
    return flaws
  }

  /// The line without how many are there: while what is durable lags behind, they are there longer.
  private func withoutPresent(_ line: String) -> String {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let places = words.indices.filter { $0 > 0 && words[$0].hasPrefix("present") }
    var kept = words
    for place in places.reversed() { kept.removeSubrange((place - 1)...place) }
    return kept.joined(separator: " ")
  }

  private func difference(_ lines: [String], _ expected: [String]) -> String? {
    let pairs = zip(lines, expected).enumerated()
    if let (place, pair) = pairs.first(where: { $1.0 != $1.1 }) {
      return "line \(place) is `\(pair.0)`, expected `\(pair.1)`"
    }
    guard lines.count != expected.count else { return nil }
    let rest = lines.count > expected.count ? lines[expected.count] : expected[lines.count]
    return "\(lines.count) lines instead of \(expected.count): `\(rest)`"
  }

  /// The numbers that a connection was told last must be those of a recount.
  private func unreadFlaws(of client: Client, _ user: String, _ model: Model) -> [String] {
    let rooms = model.rooms.values.filter { $0.kind != .broadcast && $0.place(of: user) != nil }
    let known = KnownCounts(client.received)
    var flaws = rooms.compactMap { room -> String? in
      let (unread, mentions) = room.unread(user)
      let told = known.counts[room.name] ?? "0/0"
      return told == "\(unread)/\(mentions)"
        ? nil
        : "\(user) knows \(told) in \(room.name), not \(unread)/\(mentions), after "
          + client.received.map(\.detail).filter { $0.contains(room.name) }.suffix(12)
          .joined(separator: " | ")
    }
    let total = rooms.reduce(0) { $0 + $1.unread(user).unread }
    if let told = known.total, told != total { flaws.append("\(user) knows \(told) of \(total)") }
    return flaws
  }
}

/// What a connection knows of unread numbers.
private struct KnownCounts {
  var counts: [String: String] = [:]
  var total: Int?

  init(_ received: [Received]) {
    for item in received {
      switch item {
      case .reply(_, .hello(let hello)):
        for channel in hello.userStream.channels {
          let standing = channel.standing
          counts[channel.channel.text] = "\(standing?.unread ?? 0)/\(standing?.mentions ?? 0)"
        }
      case .event(.unread(let told)):
        counts[told.channel.text] = "\(told.unread)/\(told.mentions)"
        total = told.total
      case .reply(_, .channel(let channel)):
        // Whoever joins again begins again.
        if channel.standing?.unread == 0 { counts[channel.channel.text] = nil }
      case .event(.channelCreated(let summary)):
        counts[summary.channel.text] = nil
      case .reply, .refusal, .event, .closed:
        break
      }
    }
  }
}
