import HubClient
import HubProtocol
import NIOCore
import Testing

@Suite("A client's connections, one after the other")
struct ClientMachineTests {
  @Test("connecting opens, says hello, and is connected when the hub said yes")
  func connects() {
    var harness = MachineHarness()
    #expect(harness.machine.connect() == [.change(.connecting), .open(attempt: 1)])
    #expect(harness.machine.connect() == [])
    let hello = Sent.all(in: harness.machine.opened(harness.now))
    #expect(hello.map(\.json) == [#"{"id":1,"op":"hello","token":"dev:ana"}"#])
    let actions = harness.hear(#"{"id":1,"ok":\#(MachineHarness.session)}"#)
    guard case .change(.connected(let session))? = actions.first else {
      Issue.record("not connected: \(actions)")
      return
    }
    #expect((session.user, session.session, session.heartbeat) == ("ana", "s1", .seconds(25)))
  }

  @Test("the first attempt is not repeated")
  func firstAttempt() {
    var harness = MachineHarness()
    _ = harness.machine.connect()
    let error = HubError(HubError.unreachable, "refused")
    #expect(harness.lose(.unreachable("refused")) == [.change(.closed(error))])
    #expect(harness.machine.connect() == [.change(.connecting), .open(attempt: 2)])
  }

  @Test("a token that the hub does not accept ends it")
  func badToken() {
    var harness = MachineHarness()
    _ = harness.machine.connect()
    _ = harness.machine.opened(harness.now)
    let said = #"{"id":1,"error":{"code":"unauthenticated","message":"no"}}"#
    #expect(harness.hear(said) == [.sendClose])
    let actions = harness.lose(.closedByHub(code: 4500, reason: "bad token"))
    guard case .change(.closed(let error?))? = actions.last else {
      Issue.record("not closed: \(actions)")
      return
    }
    #expect((error.code, error.origin) == ("unauthenticated", .hub))
  }

  @Test("answers find their requests in any order; unknown ids and texts are ignored")
  func matches() {
    var harness = MachineHarness.connected()
    let (first, _) = harness.send("a")
    let (second, _) = harness.send("b")
    let two = harness.hear(#"{"id":\#(second.number),"ok":{"b":2}}"#)
    #expect(two == [.finish(second, .success(HubJSON(checked: [UInt8](#"{"b":2}"#.utf8))))])
    #expect(harness.hear(#"{"id":\#(second.number),"ok":{}}"#) == [])
    #expect(harness.hear(#"{"id":999,"ok":{}}"#) == [])
    #expect(harness.hear("nonsense") == [])
    #expect(harness.hear("{}") == [])
    let one = harness.hear(
      #"{"id":\#(first.number),"error":{"code":"x","message":"y","retry_after_ms":500}}"#)
    let error = HubError(
      code: "x", message: "y", retryAfter: .milliseconds(500), origin: .hub)
    #expect(one == [.finish(first, .failure(error))])
  }

  @Test("after a loss repeatable requests go out again with their bytes, the others fail")
  func resends() {
    var harness = MachineHarness.connected()
    let (safe, sent) = harness.send("a")
    let (unsafe, _) = harness.send("b", repeatable: false)
    let lost = harness.lose()
    guard case .finish(unsafe, .failure(let error))? = lost.first else {
      Issue.record("not failed: \(lost)")
      return
    }
    #expect(error.code == HubError.connectionLost)
    let (later, nothing) = harness.send("c", repeatable: false)
    #expect(nothing == [])
    #expect(harness.wait(.seconds(1)).contains(.open(attempt: 2)))
    let resent = harness.open()
    #expect(resent.map(\.id) == [safe.number, later.number])
    #expect(resent.first == Sent.all(in: sent).first)
  }

  @Test("a request fails at its deadline, connected or not")
  func deadline() {
    var harness = MachineHarness.connected()
    let (first, _) = harness.send("a")
    #expect(harness.wait(.seconds(9)) == [])
    let actions = harness.wait(.seconds(1))
    guard case .finish(first, .failure(let error))? = actions.first else {
      Issue.record("not failed: \(actions)")
      return
    }
    #expect(error.code == HubError.timedOut)
    #expect(harness.hear(#"{"id":\#(first.number),"ok":{}}"#) == [])
  }

  @Test("unanswered requests are bounded, and too long ones are not sent")
  func limits() {
    var configuration = HubConfiguration()
    configuration.maxPendingRequests = 2
    var harness = MachineHarness.connected(configuration)
    _ = harness.send("a")
    _ = harness.send("b")
    let (_, refused) = harness.send("c")
    #expect(codes(refused) == [HubError.tooManyRequests])
    let bytes = [UInt8](repeating: 0x20, count: Limits.messageBytes + 1)
    let long = harness.machine.request(
      harness.machine.makeID(), bytes: bytes, isRepeatable: true, harness.now)
    #expect(codes(long) == ["too_large"])
  }

  @Test(
    "44xx comes back after a wait, 45xx does not",
    arguments: [
      (UInt16(4413), true), (4429, true), (4503, false), (4500, false),
    ])
  func closeCodes(code: UInt16, comesBack: Bool) {
    var harness = MachineHarness.connected()
    let actions = harness.lose(.closedByHub(code: code, reason: ""))
    switch actions.last {
    case .change(.waiting(let delay)): #expect(comesBack && delay <= .milliseconds(500))
    case .change(.closed(let error)): #expect(!comesBack && error?.code == HubError.ended)
    default: Issue.record("neither: \(actions)")
    }
  }

  @Test("drain names the delay")
  func drain() {
    var harness = MachineHarness.connected()
    _ = harness.hear(#"{"ev":"drain","reconnect_after_ms":1234,"ticket":"t"}"#)
    let actions = harness.lose(.closedByHub(code: 4430, reason: ""))
    #expect(actions == [.change(.waiting(for: .milliseconds(1234)))])
  }

  @Test("silence beyond heartbeat and allowance is death; any bytes are life")
  func silence() {
    var harness = MachineHarness.connected()
    for _ in 0..<20 { #expect(harness.wait(.seconds(7)) == []) }
    for _ in 0..<4 { #expect(harness.wait(.seconds(7), hasHeard: false) == []) }
    let actions = harness.wait(.seconds(7), hasHeard: false)
    guard case .abort? = actions.first else {
      Issue.record("still alive: \(actions)")
      return
    }
    #expect(
      harness.lose().last.map { if case .change(.waiting) = $0 { true } else { false } } == true)
  }

  @Test("closing sends a close frame, fails what waits, and is over when the hub answered")
  func closes() {
    var harness = MachineHarness.connected()
    let (id, _) = harness.send("a")
    #expect(harness.machine.close() == [.sendClose])
    #expect(harness.machine.close() == [])
    let actions = harness.lose(.closedByUs)
    #expect(codes(actions) == [HubError.closed])
    #expect(actions.last == .change(.closed(nil)))
    let isResting = harness.machine.isResting
    #expect(isResting)
    let (_, refused) = harness.send("b")
    #expect(codes(refused) == [HubError.closed])
    #expect(id.number > 0)
  }

  @Test("closing while waiting or connecting is at once")
  func closesEarly() {
    var harness = MachineHarness.connected()
    _ = harness.lose()
    #expect(harness.machine.close() == [.change(.closed(nil))])
    _ = harness.machine.connect()
    guard case .abort? = harness.machine.close().first else {
      Issue.record("not aborted")
      return
    }
    #expect(harness.lose() == [.change(.closed(nil))])
  }

  @Test("a cancelled request is answered at once, its late answer ignored")
  func cancels() {
    var harness = MachineHarness.connected()
    let (id, _) = harness.send("a")
    #expect(codes(harness.machine.cancel(id)) == [HubError.cancelled])
    #expect(harness.machine.cancel(id) == [])
    #expect(harness.hear(#"{"id":\#(id.number),"ok":{}}"#) == [])
  }

  private func codes(_ actions: [ClientMachine.Action]) -> [String] {
    actions.compactMap { action in
      if case .finish(_, .failure(let error)) = action { error.code } else { nil }
    }
  }
}
