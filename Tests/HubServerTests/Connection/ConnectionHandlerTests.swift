import HubProtocol
import HubServer
import HubWebSocket
import NIOCore
import NIOEmbedded
import Testing

@Suite("protocol, Transport and Session: one connection")
struct ConnectionHandlerTests {
  @Test(
    "what the peer sends wrong closes with its code, behind the answers before it",
    arguments: [
      (Opcode.binary, "{}", "close 1003"), (.text, "nonsense", "close 4501"),
      (.text, "[]", "close 4501"), (.text, "", "close 4501"),
    ])
  func violations(opcode: Opcode, payload: String, close: String) throws {
    let stage = ServerStage()
    let client = try stage.join("alice")
    try client.send(#"{"id":2,"op":"ping"}"#)
    try client.send(opcode, payload)
    try client.send(#"{"id":3,"op":"ping"}"#)
    #expect(try client.heard() == ["2 ok", close])
    #expect(stage.shard.count == 0)
  }

  @Test("before hello every other op is unauthenticated")
  func beforeHello() throws {
    let client = try ServerStage().connect()
    try client.send(#"{"id":1,"op":"ping"}"#, #"{"id":2,"op":"nonsense"}"#, #"{"op":"ping"}"#)
    #expect(
      try client.heard() == ["1 unauthenticated", "2 unauthenticated", "error unauthenticated"])
  }

  @Test("the token of the upgrade does for a hello without one")
  func upgradeToken() throws {
    let client = try ServerStage().connect(authorization: "Bearer dev:alice")
    try client.send(#"{"id":1,"op":"hello"}"#)
    #expect(try client.heard() == ["1 ok"])
  }

  @Test("a bad token is unauthenticated and closes 4500", arguments: ["nonsense", "dev:", ""])
  func badToken(token: String) throws {
    let client = try ServerStage().connect()
    try client.send(#"{"id":1,"op":"hello","token":"\#(token)"}"#, #"{"id":2,"op":"ping"}"#)
    #expect(try client.heard() == ["1 unauthenticated", "close 4500"])
  }

  @Test("no hello within 10 s closes 4408, refused requests or not")
  func noHello() throws {
    let stage = ServerStage()
    stage.shard.start()
    let client = try stage.connect(age: 10_000)
    let other = try stage.connect(age: 5_000)
    try client.send(#"{"id":1,"op":"ping"}"#)
    stage.loop.advanceTime(by: .milliseconds(250))
    #expect(try client.heard() == ["1 unauthenticated", "close 4408"])
    #expect(try other.heard() == [])
  }

  @Test("a bad token in the upgrade is told after 1 s to who says no hello")
  func badUpgradeToken() throws {
    let stage = ServerStage()
    stage.shard.start()
    let client = try stage.connect(query: "dev:alice", age: 1_000)
    stage.loop.advanceTime(by: .milliseconds(250))
    #expect(try client.heard() == ["error unauthenticated", "close 4500"])
  }

  @Test("a bad token in the upgrade is told under the id of the hello")
  func badUpgradeTokenWithHello() throws {
    let client = try ServerStage().connect(authorization: "Bearer nonsense")
    try client.send(#"{"id":4,"op":"hello"}"#)
    #expect(try client.heard() == ["4 unauthenticated", "close 4500"])
  }

  @Test("a live connection is pinged every heartbeat")
  func ping() throws {
    let stage = ServerStage(heartbeatMilliseconds: 0)
    let client = try stage.join("alice")
    stage.shard.start()
    stage.loop.advanceTime(by: .milliseconds(250))
    #expect(try client.heard() == ["ping"])
  }

  @Test("past 256 unanswered requests the hub stops reading until half are answered")
  func stopsReading() throws {
    let stage = ServerStage()
    let client = try stage.join("alice")
    try client.send(#"{"id":1,"op":"channel.create","channel":"room","kind":"public"}"#)
    stage.disk.delay()
    let send = #"{"id":2,"op":"message.send","channel":"room","text":"hi"}"#
    try client.send(Array(repeating: send, count: 256))
    let reads = client.socket.reads
    client.channel.read()
    #expect(client.socket.reads == reads + 1)
    try client.send(send)
    let stopped = client.socket.reads
    client.channel.read()
    #expect(client.socket.reads == stopped)
    for _ in 0..<128 { stage.sync(1) }
    #expect(client.socket.reads == stopped)
    stage.sync(1)
    #expect(client.socket.reads == stopped + 1)
  }

  @Test("nothing is read from a peer that takes nothing, nor done for it, until it does")
  func unwritable() throws {
    let stage = ServerStage()
    let client = try stage.join("alice")
    client.setWritable(false)
    let reads = client.socket.reads
    client.channel.read()
    try client.send(#"{"id":2,"op":"ping"}"#, #"{"id":3,"op":"channel.list"}"#)
    #expect(client.socket.reads == reads)
    #expect(try client.heard() == [])
    client.setWritable(true)
    #expect(client.socket.reads == reads + 1)
    #expect(try client.heard() == ["2 ok", "3 ok"])
  }

  @Test("a hundred large answers asked for at once are all given, in order")
  func manyLarge() throws {
    let client = try ServerStage().join("alice")
    try client.send((1...100).map { #"{"id":\#($0),"op":"channel.list"}"# })
    #expect(try client.heard() == (1...100).map { "\($0) ok" })
  }

  @Test("a new token of the same user is taken; another leaves the connection as it was")
  func tokenRefresh() throws {
    let client = try ServerStage().join("alice")
    try client.send(
      #"{"id":2,"op":"token.refresh","token":"dev:alice"}"#,
      #"{"id":3,"op":"token.refresh","token":"dev:bob"}"#,
      #"{"id":4,"op":"token.refresh","token":"nonsense"}"#, #"{"id":5,"op":"ping"}"#)
    #expect(try client.heard() == ["2 ok", "3 unauthenticated", "4 unauthenticated", "5 ok"])
  }

  @Test("before hello there is no token to be replaced")
  func tokenRefreshBeforeHello() throws {
    let client = try ServerStage().connect()
    try client.send(#"{"id":2,"op":"token.refresh","token":"dev:alice"}"#)
    #expect(try client.heard() == ["2 unauthenticated"])
  }

  @Test(
    "every close code of the hub is the same number on the wire",
    arguments:
      HubProtocol.CloseCode.allCases)
  func closeCodes(code: HubProtocol.CloseCode) {
    #expect(HubWebSocket.CloseCode(hub: code).rawValue == code.rawValue)
    #expect(
      CloseFrame(code: HubWebSocket.CloseCode(hub: code), reason: code.reason).reason
        == code.reason)
  }
}
