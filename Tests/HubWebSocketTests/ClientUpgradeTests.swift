import HubWebSocket
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

/// A client on an embedded channel that has sent its request.
final class ClientEnd {
  let channel = EmbeddedChannel()
  let request: ByteBuffer
  private(set) var result: Result<Void, any Error>?

  init(subprotocols: [String] = []) throws {
    let request = ClientUpgradeRequest(
      host: "a", path: "/ws", subprotocols: subprotocols, nonce: ClientHandshakeTests.nonce)
    let configuration = ClientUpgradeConfiguration(
      request: request, webSocket: .init(role: .client(maskKey: { 0xA15B_FF07 })),
      configure: { channel, _ in
        try channel.pipeline.syncOperations.addHandler(Application())
      })
    let promise = self.channel.eventLoop.makePromise(of: Void.self)
    try ClientUpgradeHandler.install(on: self.channel, configuration, promise: promise)
    try self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    self.request = try self.channel.readOutbound(as: ByteBuffer.self) ?? ByteBuffer()
    // SAFETY: an embedded channel's loop is the thread it is used on.
    promise.futureResult.assumeIsolated().whenComplete { self.result = $0 }
  }

  deinit {
    _ = try? self.channel.finish(acceptAlreadyClosed: true)
  }

  func receive(_ text: String, _ behind: [UInt8] = []) throws {
    try self.channel.writeInbound(ByteBuffer(bytes: Array(text.utf8) + behind))
    self.channel.embeddedEventLoop.run()
  }

  var error: ClientUpgradeError? {
    guard case .failure(let error) = self.result else { return nil }
    return error as? ClientUpgradeError
  }

  var isUpgraded: Bool {
    guard case .success = self.result else { return false }
    return true
  }

  static let accepted = """
    HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
    """
}

@Suite("RFC 6455 §4.1 Opening a connection")
struct ClientUpgradeTests {
  @Test("The request goes out when the channel is active")
  func request() throws {
    let client = try ClientEnd(subprotocols: ["x"])
    let text = String(buffer: client.request)
    #expect(text.hasPrefix("GET /ws HTTP/1.1\r\nhost: a\r\n") && text.hasSuffix("\r\n\r\n"))
    #expect(text.contains("sec-websocket-protocol: x\r\n") && client.result == nil)
  }

  @Test("Frames right behind the answer reach the application")
  func framesBehind() throws {
    let client = try ClientEnd()
    try client.receive(ClientEnd.accepted, Wire.plain(0x1, [65]) + Wire.plain(0x9, [66]))
    #expect(client.isUpgraded)
    let application = try client.channel.pipeline.syncOperations.handler(type: Application.self)
    #expect(application.texts == ["A"])
    let pong = try #require(try client.channel.readOutbound(as: ByteBuffer.self))
    #expect(Array(pong.readableBytesView) == Wire.frame(0xA, [66]))
    client.channel.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(client.channel.isActive)
  }

  @Test("Another status fails with up to 1 KiB of the body")
  func refused() throws {
    let client = try ClientEnd()
    try client.receive("HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\nX: y\r\n\r\nbecaus")
    #expect(
      client.error
        == .refused(
          status: .forbidden, headers: ["Content-Length": "6", "X": "y"], body: "becaus"))
    #expect(!client.channel.isActive)
    let verbose = try ClientEnd()
    try verbose.receive(
      "HTTP/1.1 500 Oops\r\nContent-Length: 9000\r\n\r\n" + String(repeating: "x", count: 2000))
    guard case .refused(.internalServerError, _, let body) = verbose.error else {
      Issue.record("not refused")
      return
    }
    #expect(body == String(repeating: "x", count: 1024))
  }

  @Test("A body that ends with the connection is reported")
  func bodyUntilEOF() throws {
    let client = try ClientEnd()
    try client.receive("HTTP/1.1 502 Bad Gateway\r\n\r\nupstr")
    #expect(client.result == nil)
    client.channel.close(promise: nil)
    client.channel.embeddedEventLoop.run()
    guard case .refused(.badGateway, _, "upstr") = client.error else {
      Issue.record("not refused")
      return
    }
  }

  @Test("A 101 with a flaw, and what is not HTTP, fail for that reason")
  func flawed() throws {
    let client = try ClientEnd()
    try client.receive(ClientEnd.accepted.replacing("s3p", with: "S3p"))
    #expect(client.error == .invalid(.accept))
    #expect(!client.channel.isActive)
    let noise = try ClientEnd()
    try noise.receive("SSH-2.0-x\r\n")
    #expect(noise.error == .notHTTP)
  }

  @Test("Silence fails after 10 s, and the end of TCP at once")
  func silence() throws {
    let client = try ClientEnd()
    client.channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(client.error == .timedOut)
    #expect(!client.channel.isActive)
    let dropped = try ClientEnd()
    dropped.channel.close(promise: nil)
    dropped.channel.embeddedEventLoop.run()
    #expect(dropped.error == .connectionClosed)
  }

  @Test("A client and a server understand each other from the request to the close")
  func together() throws {
    let server = try ServerEnd()
    let client = try ClientEnd(subprotocols: ["other", "hub.v1.json"])
    let answer = try server.exchange(Array(client.request.readableBytesView))
    try client.channel.writeInbound(ByteBuffer(bytes: answer))
    client.channel.embeddedEventLoop.run()
    #expect(client.isUpgraded)
    let clientPipeline = client.channel.pipeline.syncOperations
    let webSocket = try clientPipeline.handler(type: WebSocketHandler.self)
    #expect(webSocket.subprotocol == "hub.v1.json")
    let hello = Frame.encode(.text, payload: ByteBuffer(string: "grüß"), mask: 0x0102_0304)
    _ = try server.exchange(Array(hello.readableBytesView))
    #expect(try server.application.texts == ["grüß"])
    webSocket.sendClose(.normal, reason: "done")
    let close = try #require(try client.channel.readOutbound(as: ByteBuffer.self))
    let echo = try server.exchange(Array(close.readableBytesView))
    try client.channel.writeInbound(ByteBuffer(bytes: echo))
    let closed = try server.application.closed
    #expect(closed == [.init(code: 1000, reason: "done", initiator: .peer)])
    let application = try clientPipeline.handler(type: Application.self)
    #expect(application.closed == [.init(code: 1000, reason: "done", initiator: .us)])
  }
}
