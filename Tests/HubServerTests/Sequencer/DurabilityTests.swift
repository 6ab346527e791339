import HubProtocol
import HubServer
import HubWebSocket
import Testing

@Suite("architecture: the pipeline is one FIFO, and what is answered is durable")
struct DurabilityTests {
  private let send = #"{"id":9,"op":"message.send","channel":"room","text":"hi"}"#

  /// Alice and Bob in `room`, Bob subscribed; from now on records wait for the disk.
  private func room() throws -> (stage: ServerStage, alice: StageClient, bob: StageClient) {
    let stage = ServerStage()
    let bob = try stage.join("bob")
    let alice = try stage.join("alice")
    let create = #"{"op":"channel.create","channel":"room","kind":"group","members":["bob"]}"#
    try alice.send(create)
    try bob.send(#"{"op":"subscribe","channel":"room"}"#)
    _ = try alice.heard()
    _ = try bob.heard()
    stage.disk.delay()
    return (stage, alice, bob)
  }

  @Test("neither the reply nor the event comes before the record is durable")
  func replyWaits() throws {
    let (stage, alice, bob) = try room()
    try alice.send(send)
    #expect(try alice.heard() == [])
    #expect(try bob.heard() == [])
    stage.sync()
    #expect(try alice.heard().first == "9 ok")
    #expect(try bob.heard().first == "message 1")
  }

  @Test("records become durable one by one, and take effect one by one")
  func oneByOne() throws {
    let (stage, alice, bob) = try room()
    for _ in 0..<3 { try alice.send(send) }
    for seq in 1...3 {
      stage.sync(1)
      #expect(try bob.heard().filter { $0.hasPrefix("message") } == ["message \(seq)"])
      #expect(try alice.heard().filter { $0 == "9 ok" }.count == 1)
    }
  }

  @Test("a read behind a record of another connection waits, and sees it")
  func readWaits() throws {
    let (stage, alice, bob) = try room()
    try alice.send(send)
    try bob.send(#"{"id":3,"op":"message.history","channel":"room","before":10}"#)
    #expect(try bob.heard() == [])
    stage.sync()
    let page = try #require(try bob.messages().compactMap(\.ok).first)
    #expect(page.objects("messages").map { $0.integer("seq") } == [1])
  }

  @Test("a read with nothing pending before it passes at once")
  func readPasses() throws {
    let (stage, alice, bob) = try room()
    try bob.send(#"{"id":3,"op":"message.history","channel":"room","before":10}"#)
    #expect(try bob.heard() == ["3 ok"])
    try alice.send(send)
    stage.sync()
    _ = try bob.heard()
    try bob.send(#"{"id":4,"op":"ping"}"#)
    #expect(try bob.heard() == ["4 ok"])
  }

  @Test("a connection's answers keep the order of its requests, refusals too")
  func order() throws {
    let (stage, alice, _) = try room()
    try alice.send(
      send, #"{"id":10,"op":"nonsense"}"#, #"{"id":11,"op":"ping"}"#, #"{"id":12}"#)
    #expect(try alice.heard() == [])
    stage.sync()
    let replies = try alice.heard().filter { $0.first?.isNumber == true }
    #expect(replies == ["9 ok", "10 unknown_op", "11 ok", "12 bad_request"])
  }

  @Test("hello of an unknown user waits for its record, and what is behind it for the hello")
  func helloWaits() throws {
    let (stage, _, _) = try room()
    let carol = try stage.connect()
    try carol.send(#"{"id":1,"op":"hello","token":"dev:carol"}"#, #"{"id":2,"op":"ping"}"#)
    #expect(try carol.heard() == [])
    stage.sync()
    #expect(try carol.heard() == ["1 ok", "2 ok"])
  }

  @Test("a sign of life is answered whatever waits for the disk")
  func pong() throws {
    let (_, alice, _) = try room()
    try alice.send(send)
    try alice.send(.ping, "there?")
    #expect(try alice.heard() == ["pong there?"])
  }

  @Test("a protocol error closes its connection whatever waits for the disk")
  func protocolError() throws {
    let (stage, alice, bob) = try room()
    try alice.send(send)
    try bob.send(.continuation)
    #expect(try bob.heard() == ["close 1002"])
    stage.sync()
    #expect(try bob.heard() == [])
    #expect(try alice.heard().first == "9 ok")
  }

  @Test("what was asked before the connection ended still takes effect")
  func hangUp() throws {
    let (stage, alice, bob) = try room()
    try alice.send(send)
    alice.hangUp()
    stage.sync()
    #expect(try bob.heard().first == "message 1")
  }

  @Test("the requests of a hello that came too late for its connection are dropped")
  func hangUpInHello() throws {
    let (stage, alice, _) = try room()
    let carol = try stage.connect()
    try carol.send(#"{"id":1,"op":"hello","token":"dev:carol"}"#, #"{"id":2,"op":"ping"}"#)
    carol.hangUp()
    stage.sync()
    #expect(try carol.heard() == [])
    try alice.send(#"{"id":3,"op":"channel.get","channel":"room"}"#)
    #expect(try alice.heard() == ["3 ok"])
  }
}
