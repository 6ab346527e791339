import Testing

@Suite("Protocol, Ephemeral: everybody knows who is there and who types")
struct LivePropertyTests {
  @Test("each connection is told every change that it may see, once, and nothing else")
  func told() {
    for round in 0..<2_000 {
      let seed = TestSeed.value &+ UInt64(round)
      var world = LiveWorld(seed: seed)
      world.run(100)
      guard world.flaws.isEmpty else {
        Issue.record("HUB_TEST_SEED=\(seed): \(world.flaws.prefix(4).joined(separator: "; "))")
        return
      }
    }
  }
}
