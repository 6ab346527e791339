import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Session: over the rate")
struct RateLimiterTests {
  /// The verdicts of requests at these times.
  private func verdicts(
    perSecond: Int = 10, at times: some Sequence<Int>
  ) -> [RateLimiter.Verdict] {
    var limiter = RateLimiter(perSecond: perSecond, uptime: 0)
    return times.map { limiter.admit(uptime: $0) }
  }

  @Test("a burst of twice a second's worth passes, the next does not")
  func burst() {
    let verdicts = verdicts(at: Array(repeating: 0, count: 21))
    #expect(verdicts.prefix(20).allSatisfy { $0 == .pass })
    #expect(verdicts.last == .refuse(retryAfterMilliseconds: 100))
  }

  @Test("the allowed rate passes for ever", arguments: [1, 3, 7, 50, 1_000])
  func steady(perSecond: Int) {
    let times = (0..<5_000).map { $0 * 1_000 / perSecond + $0 % 2 }
    #expect(verdicts(perSecond: perSecond, at: times).allSatisfy { $0 == .pass })
  }

  @Test("`retry_after_ms` is true: then it passes, a millisecond sooner it does not")
  func retryAfter() {
    for perSecond in [1, 3, 7, 10, 333] {
      var limiter = RateLimiter(perSecond: perSecond, uptime: 0)
      for _ in 0..<(2 * perSecond) { _ = limiter.admit(uptime: 17) }
      guard case .refuse(let wait) = limiter.admit(uptime: 17) else {
        Issue.record("not refused at \(perSecond)")
        continue
      }
      var (early, punctual) = (limiter, limiter)
      let verdicts = [
        early.admit(uptime: 17 + wait - 1) == .pass, punctual.admit(uptime: 17 + wait) == .pass,
      ]
      #expect(verdicts == [false, true])
    }
  }

  @Test("after 10 s of excess it closes, not sooner")
  func closes() {
    let times = Array(stride(from: 0, through: 13_000, by: 50))
    let verdicts = verdicts(at: times)
    let firstRefused = zip(times, verdicts).first { $1 != .pass }?.0 ?? 0
    let closed = zip(times, verdicts).first { $1 == .close }?.0 ?? 0
    #expect(closed - firstRefused >= 10_000)
    #expect(closed - firstRefused <= 10_100)
  }

  @Test("a second within the rate forgets the excess")
  func calm() {
    var limiter = RateLimiter(perSecond: 10, uptime: 0)
    var verdicts: [RateLimiter.Verdict] = []
    for round in 0..<10 {
      let start = round * 6_000
      verdicts += stride(from: start, to: start + 4_900, by: 20).map { limiter.admit(uptime: $0) }
    }
    #expect(!verdicts.contains(.close))
    #expect(verdicts.contains { $0 != .pass })
  }

  @Test("what is over the rate is not done, and the connection is closed 4429 in the end")
  func hub() {
    let hub = HubDriver(requestsPerSecond: 10)
    let alice = hub.connect("alice")
    alice.create("room:a", .group)
    for _ in 0..<18 { alice.send("room:a", "m") }
    #expect(alice.send("room:a", "over") == "refused rate_limited")
    hub.pass(100)
    #expect(alice.send("room:a", "m") == "sent 19")
    for _ in 0..<250 where !alice.lines.contains("closed 4429") {
      alice.ask(.ping)
      hub.pass(50)
    }
    #expect(alice.lines.last == "closed 4429")
  }
}
