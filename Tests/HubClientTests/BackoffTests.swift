import HubClient
import SeededRandom
import Testing

@Suite("Back-off between attempts")
struct BackoffTests {
  /// Printed by a failing case as its argument.
  static let seeds: [UInt64] = (0..<50).map { $0 &* 0x9E37_79B9 &+ 1 }

  @Test("every wait lies between half of its bound and the bound", arguments: seeds)
  func bounds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let rule = HubBackoff()
    var backoff = Backoff(rule)
    for failure in 0..<100 {
      let delay = backoff.next(using: &random)
      let bound = min(rule.first * (1 << min(failure, 20)), rule.longest)
      #expect(delay >= bound / 2 && delay <= bound, "failure \(failure), seed \(seed)")
    }
  }

  @Test("two clients that were cut off together come back apart")
  func jitter() {
    var random = SplitMix64(seed: 7)
    let delays = (0..<1_000).map { _ in
      var backoff = Backoff(HubBackoff())
      return backoff.next(using: &random)
    }
    #expect(Set(delays).count > 900)
  }

  @Test("a connection that lasted makes the next failure the first again")
  func settled() {
    var random = SplitMix64(seed: 1)
    var backoff = Backoff(HubBackoff())
    for _ in 0..<10 { _ = backoff.next(using: &random) }
    backoff.ended(after: .seconds(9))
    #expect(backoff.next(using: &random) >= .seconds(15))
    backoff.ended(after: .seconds(10))
    #expect(backoff.next(using: &random) <= .milliseconds(500))
  }

  @Test("extreme rules do not trap")
  func extremes() {
    var rule = HubBackoff()
    rule.first = .seconds(3_600)
    rule.longest = .seconds(3_600)
    var random = SplitMix64(seed: 1)
    var backoff = Backoff(rule)
    for _ in 0..<100 { #expect(backoff.next(using: &random) <= .seconds(3_600)) }
  }
}

@Suite("Errors and close codes: who comes back")
struct ClosePolicyTests {
  @Test(
    "44xx, restarts and broken connections come back",
    arguments: [
      LinkEnd.closedByHub(code: 4401, reason: "token expired"),
      .closedByHub(code: 4408, reason: ""), .closedByHub(code: 4410, reason: ""),
      .closedByHub(code: 4413, reason: ""), .closedByHub(code: 4429, reason: ""),
      .closedByHub(code: 4430, reason: ""), .closedByHub(code: 4499, reason: ""),
      .closedByHub(code: 1000, reason: ""), .closedByHub(code: 1001, reason: ""),
      .closedByHub(code: 1011, reason: ""), .closedByHub(code: 1012, reason: ""),
      .closedByHub(code: nil, reason: ""), .abrupt("broken"), .unreachable("refused"),
      .refused(status: 503, ""), .refused(status: 500, ""), .refused(status: 429, ""),
    ])
  func comesBack(end: LinkEnd) {
    #expect(ClosePolicy.verdict(on: end) == nil)
  }

  @Test(
    "45xx and what says that our bytes are wrong stay away",
    arguments: [
      LinkEnd.closedByHub(code: 4500, reason: "bad token"),
      .closedByHub(code: 4501, reason: ""), .closedByHub(code: 4503, reason: ""),
      .closedByHub(code: 4504, reason: ""), .closedByHub(code: 4599, reason: ""),
      .closedByHub(code: 1002, reason: ""), .closedByHub(code: 1003, reason: ""),
      .closedByHub(code: 1007, reason: ""), .closedByHub(code: 1008, reason: ""),
      .closedByHub(code: 1009, reason: ""), .refused(status: 403, "Origin"),
      .refused(status: 404, ""), .refused(status: 301, ""), .noHub("no HTTP"),
    ])
  func staysAway(end: LinkEnd) {
    #expect(ClosePolicy.verdict(on: end) != nil)
  }

  @Test("the reason of the close frame is told")
  func reason() {
    let error = ClosePolicy.verdict(on: .closedByHub(code: 4503, reason: "removed"))
    #expect(error?.code == HubError.ended)
    #expect(error?.message == "the hub ended the connection: removed (4503)")
  }
}
