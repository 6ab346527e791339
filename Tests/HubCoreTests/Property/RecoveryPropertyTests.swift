import Testing

@Suite("Protocol, Subscribing and recovery: whoever stops anywhere ends with the truth")
struct RecoveryPropertyTests {
  @Test("events, `messages` and `changed` together give each message as it is", arguments: 0..<4)
  func truth(part: Int) {
    var (recoveries, losses) = (0, 0)
    for round in 0..<500 {
      let seed = TestSeed.value &+ UInt64(part * 500 + round)
      let world = RecoveryWorld(seed: seed)
      world.run(120)
      recoveries += world.recoveries
      losses += world.losses
      guard isRight(world, seed) else { return }
    }
    #expect(recoveries > 2_000 && losses > 500, "\(recoveries) recoveries, \(losses) losses")
  }

  @Test("so they do when others go on while history looks, but for the few who must ask again")
  func interrupted() {
    var (interruptions, stale) = (0, 0)
    for round in 0..<400 {
      let seed = TestSeed.value &+ UInt64(round)
      let world = RecoveryWorld(seed: seed, mayInterrupt: true)
      world.run(120)
      interruptions += world.interruptions
      stale += world.staleCount
      guard isRight(world, seed) else { return }
    }
    #expect(interruptions > 1_000, "\(interruptions) interruptions")
    #expect(stale * 5 < interruptions, "\(stale) of \(interruptions)")
  }

  private func isRight(_ world: RecoveryWorld, _ seed: UInt64) -> Bool {
    guard !world.flaws.isEmpty else { return true }
    Issue.record("HUB_TEST_SEED=\(seed): \(world.flaws.prefix(5).joined(separator: "; "))")
    return false
  }
}
