import HubServer
import Testing

@Suite("protocol, Session: hello in time, and signs of life")
struct LivenessTests {
  /// The actions other than `nothing` of ticks every 250 ms, with the time of each since the start.
  private func actions(
    _ liveness: inout Liveness, until end: Int, hears: (Int) -> Bool = { _ in false }
  ) -> [Int: Liveness.Action] {
    var actions: [Int: Liveness.Action] = [:]
    for now in stride(from: 250, through: end, by: 250) {
      let action = liveness.tick(now: 5_000 + now, hasHeard: hears(now))
      if action != .nothing { actions[now] = action }
    }
    return actions
  }

  private func liveness(isGreeted: Bool, hasBadToken: Bool = false) -> Liveness {
    var liveness = Liveness(heartbeat: 25_000, hasBadToken: hasBadToken, now: 5_000)
    if isGreeted { liveness.greeted() }
    return liveness
  }

  @Test("a connection that says no hello is closed 10 s after the upgrade, once")
  func helloDeadline() {
    var liveness = liveness(isGreeted: false)
    #expect(actions(&liveness, until: 20_000) { _ in true } == [10_000: .closeWithoutHello])
  }

  @Test(
    "the deadline is 10 s to the millisecond",
    arguments: [
      (9_999, Liveness.Action.nothing), (10_000, .closeWithoutHello), (60_000, .closeWithoutHello),
    ])
  func exactHelloDeadline(elapsed: Int, action: Liveness.Action) {
    var liveness = liveness(isGreeted: false)
    #expect(liveness.tick(now: 5_000 + elapsed, hasHeard: true) == action)
  }

  @Test(
    "a bad token in the upgrade waits 1 s for a hello to be answered",
    arguments: [
      (999, Liveness.Action.nothing), (1_000, .refuseToken),
    ])
  func badToken(elapsed: Int, action: Liveness.Action) {
    var liveness = liveness(isGreeted: false, hasBadToken: true)
    #expect(liveness.tick(now: 5_000 + elapsed, hasHeard: true) == action)
  }

  @Test("a bad token is refused once, and not closed for want of a hello as well")
  func badTokenOnce() {
    var liveness = liveness(isGreeted: false, hasBadToken: true)
    #expect(actions(&liveness, until: 20_000) { _ in true } == [1_000: .refuseToken])
  }

  @Test("hello ends the deadline", arguments: [false, true])
  func greeted(hasBadToken: Bool) {
    var liveness = liveness(isGreeted: true, hasBadToken: hasBadToken)
    #expect(actions(&liveness, until: 20_000) { _ in true } == [:])
  }

  @Test("pings every heartbeat, whatever is heard")
  func pings() {
    var liveness = liveness(isGreeted: true)
    #expect(
      actions(&liveness, until: 80_000) { _ in true }
        == [25_000: .ping, 50_000: .ping, 75_000: .ping])
  }

  @Test("silence for heartbeat + 10 s closes")
  func silence() {
    var liveness = liveness(isGreeted: true)
    #expect(actions(&liveness, until: 35_000) == [25_000: .ping, 35_000: .closeSilent])
  }

  @Test("any bytes count as life, and silence is counted from the last of them")
  func anyBytes() {
    var liveness = liveness(isGreeted: true)
    let actions = actions(&liveness, until: 69_000) { $0 == 34_000 }
    #expect(actions == [25_000: .ping, 50_000: .ping, 69_000: .closeSilent])
  }

  @Test("a pong before the grace is over keeps a connection for ever")
  func pongs() {
    var liveness = liveness(isGreeted: true)
    let actions = actions(&liveness, until: 600_000) { $0 % 25_000 == 9_750 }
    #expect(actions.values.allSatisfy { $0 == .ping })
    #expect(actions.count == 24)
  }

  @Test("a shorter heartbeat shortens both", arguments: [1_000, 5_000, 60_000])
  func heartbeat(heartbeat: Int) {
    var liveness = Liveness(heartbeat: heartbeat, hasBadToken: false, now: 0)
    liveness.greeted()
    #expect(liveness.tick(now: heartbeat - 1, hasHeard: false) == .nothing)
    #expect(liveness.tick(now: heartbeat, hasHeard: false) == .ping)
    #expect(liveness.tick(now: heartbeat + 1, hasHeard: false) == .nothing)
    #expect(liveness.tick(now: heartbeat + 10_000, hasHeard: false) == .closeSilent)
  }
}
