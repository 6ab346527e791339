import Testing

@Suite("Protocol, Receipts and unread: numbers are right whenever they are told")
struct UnreadPropertyTests {
  @Test("each equals a recount at that moment, and all know them in the end", arguments: 0..<4)
  func recount(part: Int) {
    run(400, from: part * 400, isForgetful: false)
  }

  @Test("so they do when what is changed is in history, and others go on while it is looked up")
  func forgetful() {
    run(300, from: 0, isForgetful: true)
  }

  private func run(_ count: Int, from start: Int, isForgetful: Bool) {
    var (compared, questions) = (0, 0)
    for round in 0..<count {
      let seed = TestSeed.value &+ UInt64(start + round)
      let world = UnreadWorld(seed: seed, isForgetful: isForgetful)
      world.run(150)
      compared += world.compared
      questions += world.questionCount
      guard world.flaws.isEmpty else {
        Issue.record("HUB_TEST_SEED=\(seed): \(world.flaws.prefix(4).joined(separator: "; "))")
        return
      }
    }
    #expect(compared > 25 * count, "\(compared) numbers")
    #expect(!isForgetful || questions > count, "\(questions) questions")
  }
}
