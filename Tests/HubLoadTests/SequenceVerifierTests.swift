import HubLoad
import SeededRandom
import Testing

@Suite("Verification: order, gaps and duplicates of one channel")
struct SequenceVerifierTests {
  @Test("what comes in order is in order, from the subscription on")
  func inOrder() {
    var verifier = SequenceVerifier(after: 41)
    #expect((42...45).map { verifier.received($0) } == Array(repeating: .inOrder, count: 4))
    #expect(verifier.missingCount == 0)
  }

  @Test("a hole is told with its size, and what fills it is late once and a duplicate after that")
  func hole() {
    var verifier = SequenceVerifier(after: 0)
    #expect(verifier.received(1) == .inOrder)
    #expect(verifier.received(5) == .gap(3))
    #expect(verifier.missingCount == 3)
    #expect(verifier.received(3) == .late)
    #expect(verifier.received(3) == .duplicate)
    #expect(verifier.received(6) == .inOrder)
    #expect(verifier.missingCount == 2)
  }

  @Test("what was sent before the subscription is a duplicate of what its reply covered")
  func beforeTheSubscription() {
    var verifier = SequenceVerifier(after: 10)
    #expect(verifier.received(10) == .duplicate)
    #expect(verifier.received(11) == .inOrder)
  }

  @Test("agrees with a set of all that was received", arguments: 0..<200 as Range<UInt64>)
  func model(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var verifier = SequenceVerifier(after: 0)
    var received: Set<Int> = []
    for _ in 0..<100 {
      let highest = received.max() ?? 0
      let seq = Int.random(in: max(1, highest - 4)...highest + 3, using: &random)
      let expected: SequenceVerifier.Verdict =
        if received.contains(seq) {
          .duplicate
        } else if seq < highest {
          .late
        } else {
          seq == highest + 1 ? .inOrder : .gap(seq - highest - 1)
        }
      #expect(verifier.received(seq) == expected, "seed \(seed), seq \(seq)")
      received.insert(seq)
    }
    let missing = (received.max() ?? 0) - received.count
    #expect(verifier.missingCount == missing, "seed \(seed)")
  }
}
