import Testing

@Suite("Protocol, Subscribing and recovery: whoever stops anywhere ends with the truth")
struct RecoveryPropertyTests {
  @Test("events, `messages` and `changed` together give each message as it is", arguments: 0..<4)
  func truth(part: Int) {
    var (recoveries, losses) = (0, 0)
    for round in 0..<500 {
      let seed = TestSeed.value &+ UInt64(part * 500 + round)
      var world = RecoveryWorld(seed: seed)
      world.run(120)
      recoveries += world.recoveries
      losses += world.losses
      guard world.flaws.isEmpty else {
        Issue.record("HUB_TEST_SEED=\(seed): \(world.flaws.prefix(5).joined(separator: "; "))")
        return
      }
    }
    #expect(recoveries > 2_000 && losses > 500, "\(recoveries) recoveries, \(losses) losses")
  }
}
