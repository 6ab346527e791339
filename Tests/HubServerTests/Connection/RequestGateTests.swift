import HubCore
import HubProtocol
import HubServer
import SeededRandom
import Testing

/// An arrival that its number can be read from again.
private func arrival(_ number: Int) -> Arrival {
  .closed(ConnectionID(loop: 0, slot: UInt32(number), generation: 0))
}

private func number(_ arrival: Arrival?) -> Int? {
  guard case .closed(let connection) = arrival else { return nil }
  return Int(connection.slot)
}

/// A gate and the connection around it: requests come, go on, and are answered.
private struct GateModel {
  var gate = RequestGate()
  var isWritable = true
  private var isLarge: [Bool] = []
  /// Numbers of the requests that are under way, oldest first.
  private(set) var underWay: [Int] = []
  private(set) var started = 0
  private(set) var faults: [String] = []

  var count: Int { isLarge.count }

  mutating func ask(isLarge: Bool) {
    self.isLarge.append(isLarge)
    let next = gate.admit(arrival(count - 1), isLarge: isLarge, isWritable: isWritable)
    if let next { start(next) }
  }

  mutating func answer(at index: Int) {
    underWay.remove(at: index)
    gate.answered()
    goOn()
  }

  mutating func setWritable(_ isWritable: Bool) {
    self.isWritable = isWritable
    goOn()
  }

  private mutating func goOn() {
    while let next = gate.next(isWritable: isWritable) { start(next) }
  }

  private mutating func start(_ arrival: Arrival) {
    if number(arrival) != started { faults.append("\(started) was overtaken") }
    if !isWritable { faults.append("\(started) began while the peer took nothing") }
    underWay.append(started)
    started += 1
    if underWay.count > RequestGate.requests { faults.append("\(started) is one too many") }
    if underWay.filter({ isLarge[$0] }).count > RequestGate.largeAnswers {
      faults.append("\(started) is one large answer too many")
    }
  }
}

@Suite("answers of one connection never pile up: the request gate")
struct RequestGateTests {
  @Test("lets 64 small requests through at once, and each other when one is answered")
  func small() {
    var gate = RequestGate()
    for index in 0..<200 {
      let next = gate.admit(arrival(index), isLarge: false, isWritable: true)
      #expect(number(next) == (index < RequestGate.requests ? index : nil))
    }
    for index in RequestGate.requests..<200 {
      gate.answered()
      #expect(number(gate.next(isWritable: true)) == index)
      #expect(number(gate.next(isWritable: true)) == nil)
    }
  }

  @Test("lets nothing through behind a hello that is under way")
  func hello() {
    var gate = RequestGate()
    let refusal = Refusal(.unauthenticated, "no")
    let hello = Arrival.hello(
      ConnectionID(loop: 0, slot: 0, generation: 0), nil, .failure(refusal), since: nil,
      bytes: 0)
    #expect(gate.admit(hello, isLarge: true, isWritable: true) != nil)
    #expect(number(gate.admit(arrival(1), isLarge: false, isWritable: true)) == nil)
    #expect(number(gate.admit(arrival(2), isLarge: false, isWritable: true)) == nil)
    gate.answered()
    #expect(number(gate.next(isWritable: true)) == 1)
    #expect(number(gate.next(isWritable: true)) == 2)
  }

  @Test("gives back what it kept when the peer has gone, without what would only be answered")
  func held() throws {
    var gate = RequestGate()
    let texts = [
      #"{"op":"ping"}"#, #"{"op":"channel.join","channel":"a"}"#,
      #"{"op":"message.history","channel":"a","before":1}"#,
      #"{"op":"message.send","channel":"a","text":"a"}"#, #"{"op":"channel.list"}"#,
    ]
    for text in texts {
      let request = try request(text)
      let arrival = Arrival.request(
        ConnectionID(loop: 0, slot: 0, generation: 0), request, bytes: 1)
      let isLarge = request.operation.hasLargeAnswer
      #expect(gate.admit(arrival, isLarge: isLarge, isWritable: false) == nil)
    }
    let held = gate.takeHeld().map { arrival in
      if case .request(_, let request, _) = arrival { request.operation.name } else { "" }
    }
    #expect(held == ["channel.join", "message.send"])
    #expect(gate.takeHeld().isEmpty)
  }

  @Test("lets a third large answer begin when the first two are given, and no sooner")
  func thirdLarge() {
    var gate = RequestGate()
    #expect(number(gate.admit(arrival(0), isLarge: true, isWritable: true)) == 0)
    #expect(number(gate.admit(arrival(1), isLarge: true, isWritable: true)) == 1)
    #expect(number(gate.admit(arrival(2), isLarge: true, isWritable: true)) == nil)
    gate.answered()
    gate.answered()
    #expect(number(gate.next(isWritable: true)) == 2)
    #expect(number(gate.next(isWritable: true)) == nil)
  }

  @Test("keeps small requests behind the large one that waits")
  func order() {
    var model = GateModel()
    for isLarge in [true, true, true, false, false] { model.ask(isLarge: isLarge) }
    #expect(model.underWay == [0, 1])
    model.answer(at: 0)
    model.answer(at: 0)
    #expect(model.underWay == [2, 3, 4])
    #expect(model.faults.isEmpty)
  }

  @Test("begins nothing while the peer leaves answers unread, and goes on when it reads")
  func unwritable() {
    var gate = RequestGate()
    #expect(number(gate.admit(arrival(0), isLarge: false, isWritable: false)) == nil)
    #expect(number(gate.next(isWritable: false)) == nil)
    #expect(number(gate.admit(arrival(1), isLarge: false, isWritable: true)) == 0)
    #expect(number(gate.next(isWritable: true)) == 1)
  }

  @Test("keeps its promises and never wedges, whatever comes in whatever order", arguments: 0..<400)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var model = GateModel()
    let answersInOrder = seed % 2 == 0
    for _ in 0..<400 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: model.ask(isLarge: Int.random(in: 0..<3, using: &random) == 0)
      case 5..<9:
        guard !model.underWay.isEmpty else { continue }
        let any = Int.random(in: 0..<model.underWay.count, using: &random)
        model.answer(at: answersInOrder ? 0 : any)
      default: model.setWritable(Bool.random(using: &random))
      }
    }
    model.setWritable(true)
    while !model.underWay.isEmpty { model.answer(at: 0) }
    #expect(model.started == model.count, "seed \(seed)")
    #expect(model.faults.isEmpty, "seed \(seed)")
  }

  @Test(
    "knows which answers may be large",
    arguments: [
      (#"{"op":"hello","token":"dev:a"}"#, true),
      (#"{"op":"channel.list"}"#, true),
      (#"{"op":"subscribe","channel":"a"}"#, true),
      (#"{"op":"message.history","channel":"a","before":1}"#, true),
      (#"{"op":"inbox.list"}"#, true),
      (#"{"op":"channel.get","channel":"a"}"#, true),
      (#"{"op":"channel.join","channel":"a"}"#, true),
      (#"{"op":"dm.open","user":"a"}"#, true),
      (#"{"op":"message.thread","channel":"a","seq":1}"#, true),
      (#"{"op":"user.update","name":"a"}"#, true),
      (#"{"op":"presence.get","channels":["a"]}"#, true),
      (#"{"op":"notify","to":["a"],"type":"x","text":"x"}"#, false),
      (#"{"op":"message.edit","channel":"a","seq":1,"text":"a"}"#, false),
      (#"{"op":"token.refresh","token":"dev:a"}"#, false),
      (#"{"op":"ping"}"#, false),
      (#"{"op":"message.send","channel":"a","text":"a"}"#, false),
      (#"{"op":"unsubscribe","channel":"a"}"#, false),
      (#"{"op":"typing","channel":"a","on":true}"#, false),
    ])
  func largeAnswers(text: String, isLarge: Bool) throws {
    #expect(try request(text).operation.hasLargeAnswer == isLarge)
  }

  @Test(
    "a notification to many may be answered with many ids", arguments: [(100, false), (101, true)])
  func largeNotify(count: Int, isLarge: Bool) throws {
    let users = (0..<count).map { "\"user-\($0)\"" }.joined(separator: ",")
    let notify = try request(#"{"op":"notify","to":[\#(users)],"type":"x","text":"x"}"#)
    #expect(notify.operation.hasLargeAnswer == isLarge)
  }

  private func request(_ text: String) throws -> Request {
    let inbound = Array(text.utf8).withUnsafeBytes(RequestDecoder.decode)
    guard case .request(let request) = inbound else { throw NoRequest(inbound: inbound) }
    return request
  }
}

/// What was to be a request is none.
private struct NoRequest: Error {
  let inbound: Inbound
}
