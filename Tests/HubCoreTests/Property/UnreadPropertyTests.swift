import Testing

@Suite("Protocol, Receipts and unread: numbers are right whenever they are told")
struct UnreadPropertyTests {
  @Test("each equals a recount at that moment, and all know them in the end", arguments: 0..<4)
  func recount(part: Int) {
    var compared = 0
    for round in 0..<400 {
      let seed = TestSeed.value &+ UInt64(part * 400 + round)
      var world = UnreadWorld(seed: seed)
      world.run(150)
      compared += world.compared
      guard world.flaws.isEmpty else {
        Issue.record("HUB_TEST_SEED=\(seed): \(world.flaws.prefix(4).joined(separator: "; "))")
        return
      }
    }
    #expect(compared > 10_000)
  }
}
