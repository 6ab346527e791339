import HubWebSocket
import NIOCore
import NIOHTTP1
import SeededRandom
import Testing

@Suite("RFC 6455 §7 The connection as a value")
struct ConnectionMachineTests {
  @Test("The side that is asked to close echoes the code alone; only the server ends TCP")
  func answers() {
    for (role, isServer) in [
      (WebSocketRole.server, true), (.client(maskKey: { 0 }), false),
    ] {
      var machine = ConnectionMachine(.init(role: role))
      let action = machine.received(.close(CloseFrame(code: .goingAway, reason: "bye")))
      guard case .end(let ending) = action else {
        Issue.record("\(action)")
        return
      }
      #expect(ending.frame == CloseFrame(code: .goingAway))
      #expect(ending.shutsDownOutput == isServer)
      #expect(ending.deadline == (isServer ? .seconds(2) : .seconds(5)))
      let (isOpen, mustRead) = (machine.isOpen, machine.mustRead)
      #expect(!isOpen && mustRead)
    }
  }

  @Test("A deadline that fires late changes nothing")
  func lateDeadline() {
    var machine = ConnectionMachine(.init(role: .server))
    let early = machine.deadlinePassed()
    #expect(early == .none)
    let end = machine.receivedEOF()
    #expect(
      end
        == .closeConnection(report: WebSocketClosed(code: nil, reason: "", initiator: .abrupt)))
    let late = machine.deadlinePassed()
    #expect(late == .none)
  }

  @Test(
    "In any order of events the end is reported once and nothing is said after it",
    arguments: [31, 32, 33] as [UInt64])
  func randomWalks(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for round in 0..<2000 {
      var machine = ConnectionMachine(.init(role: .server))
      var reports = 0
      var hasClosed = false
      for _ in 0..<12 {
        let action = Self.step(&machine, &random)
        let place: Comment = "seed \(seed), round \(round): \(action)"
        switch action {
        case .none: break
        case .deliver, .sendPong, .reportPong: #expect(!hasClosed, place)
        case .sendClose:
          #expect(!hasClosed, place)
          hasClosed = true
        case .end(let ending):
          #expect(ending.frame == nil || !hasClosed, place)
          hasClosed = true
          reports += 1
        case .closeConnection(let report):
          hasClosed = true
          reports += report == nil ? 0 : 1
        }
        #expect(reports <= 1, place)
      }
      if case .closeConnection(report: .some) = machine.receivedEOF() {
        reports += 1
      }
      #expect(reports == 1, "seed \(seed), round \(round)")
    }
  }

  private static func step(
    _ machine: inout ConnectionMachine, _ random: inout SplitMix64
  ) -> ConnectionMachine.Action {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: machine.received(.ping("p"))
    case 1: machine.received(.pong("p"))
    case 2: machine.received(.close(.empty))
    case 3: machine.received(.violation(.reservedBits))
    case 4: machine.close(with: CloseFrame(code: .normal))
    case 5: machine.deadlinePassed()
    case 6: machine.discarded(40 * 1024 * 1024)
    case 7: machine.abort()
    case 8: machine.receivedEOF()
    default: machine.received(.text("a"))
    }
  }
}

@Suite("RFC 9112 §9.3 Requests as a value")
struct RequestMachineTests {
  private let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")

  @Test("Any order of parts, also one no parser would give, leads to at most one last answer")
  func randomParts() {
    var random = SplitMix64(seed: 41)
    for round in 0..<5000 {
      var machine = RequestMachine(maxBodyBytes: 10)
      var hasEnded = false
      for _ in 0..<10 {
        let action: RequestMachine.Action =
          switch Int.random(in: 0..<6, using: &random) {
          case 0: machine.received(self.head, .plain)
          case 1: machine.received(self.head, .refuse(.text(.forbidden, "no")))
          case 2: machine.receivedBody(7)
          case 3: machine.failed(tooLarge: Bool.random(using: &random))
          case 4: machine.readCompleted()
          default: machine.receivedEnd(isWritable: true)
          }
        switch action {
        case .none, .closeConnection: break
        case .answerPlain(_, let closes):
          #expect(!hasEnded, "round \(round)")
          hasEnded = closes
        case .answerAndClose, .upgrade, .stopParsing:
          #expect(!hasEnded, "round \(round)")
          hasEnded = true
        }
      }
    }
  }

  @Test("HTTP behind a handshake, before the connection is handed over, is refused")
  func httpBehindHandshake() throws {
    var head = self.head
    head.headers = ServerHandshakeTests.good
    let acceptance = try UpgradeAcceptance(to: head)
    for part in 0..<3 {
      var machine = RequestMachine(maxBodyBytes: 10)
      let began = machine.received(head, .upgrade(acceptance))
      let ended = machine.receivedEnd(isWritable: true)
      #expect(began == .none && ended == .stopParsing)
      let action =
        switch part {
        case 0: machine.received(self.head, .plain)
        case 1: machine.receivedBody(1)
        default: machine.receivedEnd(isWritable: true)
        }
      guard case .answerAndClose(let answer, toHEAD: false) = action else {
        Issue.record("\(action)")
        continue
      }
      let handedOver = machine.readCompleted()
      #expect(answer.status == .badRequest && handedOver == .none)
    }
  }
}
