import Testing

@Suite("Protocol, Inbox: lists, counts and events are what a plain model says")
struct InboxPropertyTests {
  @Test("with what notifications say at hand", arguments: 0..<4)
  func early(part: Int) {
    run(20, from: part * 20, isLate: false)
  }

  @Test("with a history that answers when others have gone on", arguments: 0..<4)
  func late(part: Int) {
    run(20, from: part * 20, isLate: true)
  }

  private func run(_ count: Int, from start: Int, isLate: Bool) {
    var (compared, questions) = (0, 0)
    for round in 0..<count {
      let seed = TestSeed.value &+ UInt64(start + round)
      let world = InboxWorld(seed: seed, isLate: isLate)
      world.run(400)
      compared += world.compared
      questions += world.questionCount
      guard world.flaws.isEmpty else {
        Issue.record("HUB_TEST_SEED=\(seed): \(world.flaws.prefix(4).joined(separator: "; "))")
        return
      }
    }
    #expect(compared > 200 * count, "\(compared) events")
    #expect(!isLate || questions > count, "\(questions) questions")
  }
}
