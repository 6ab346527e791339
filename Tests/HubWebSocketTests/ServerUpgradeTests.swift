import HubWebSocket
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

/// A server that upgrades at `/ws`, refuses at `/no` and echoes the path elsewhere.
final class ServerEnd {
  let channel = EmbeddedChannel()
  let socket = SocketRecorder()

  init(_ change: (inout ServerUpgradeConfiguration) -> Void = { _ in }) throws {
    var configuration = ServerUpgradeConfiguration(
      admit: { head in
        switch head.uri {
        case "/ws": .upgrade
        case "/no": .refuse(.text(.forbidden, "not from there"))
        default: .plain
        }
      },
      plain: { .text($0.uri == "/missing" ? .notFound : .ok, $0.uri) },
      configure: { channel, _, _ in
        try channel.pipeline.syncOperations.addHandler(Application())
      })
    configuration.subprotocols = ["hub.v1.json"]
    change(&configuration)
    try self.channel.pipeline.syncOperations.addHandler(self.socket)
    try ServerUpgradeHandler.install(on: self.channel, configuration)
    try self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  deinit {
    _ = try? self.channel.finish(acceptAlreadyClosed: true)
  }

  var application: Application {
    get throws { try self.channel.pipeline.syncOperations.handler(type: Application.self) }
  }

  /// Lets the server read and returns what it wrote.
  func exchange(_ pieces: [UInt8]...) throws -> [UInt8] {
    for piece in pieces {
      try self.channel.writeInbound(ByteBuffer(bytes: piece))
    }
    self.channel.embeddedEventLoop.run()
    var written: [UInt8] = []
    while let buffer = try self.channel.readOutbound(as: ByteBuffer.self) {
      written += buffer.readableBytesView
    }
    return written
  }

  func exchange(_ text: String) throws -> String {
    String(decoding: try self.exchange(Array(text.utf8)), as: UTF8.self)
  }

  static let handshake = """
    GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
    """
}

@Suite("RFC 6455 §4.2 Upgrading a connection")
struct ServerUpgradeTests {
  @Test("After the 101 only the WebSocket and the application remain in the pipeline")
  func pipeline() throws {
    let server = try ServerEnd()
    let answer = try server.exchange(ServerEnd.handshake)
    #expect(answer.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n") && !answer.lowercased().contains("content-length"))
    let pipeline = server.channel.pipeline.syncOperations
    #expect(throws: (any Error).self) {
      try pipeline.context(handlerType: ServerUpgradeHandler.self)
    }
    #expect(throws: (any Error).self) {
      try pipeline.context(handlerType: HTTPResponseEncoder.self)
    }
    #expect(throws: Never.self) { try pipeline.context(handlerType: WebSocketHandler.self) }
    _ = try server.exchange(Wire.text("hello"))
    #expect(try server.application.texts == ["hello"])
    server.channel.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(server.channel.isActive, "the deadline of the request is gone")
  }

  @Test("Frames right behind the head reach the application, wherever the bytes are cut")
  func framesBehind() throws {
    let bytes = Array(ServerEnd.handshake.utf8) + Wire.text("early") + Wire.frame(0x9, [65])
    for cut in 0...bytes.count {
      let server = try ServerEnd()
      let written = try server.exchange(Array(bytes[..<cut]), Array(bytes[cut...]))
      #expect(try server.application.texts == ["early"], "cut at \(cut)")
      #expect(written.suffix(3) == Wire.plain(0xA, [65]), "cut at \(cut)")
    }
  }

  @Test("Frames byte by byte behind a head byte by byte reach the application")
  func byteByByte() throws {
    let server = try ServerEnd()
    for byte in Array(ServerEnd.handshake.utf8) + Wire.text("early") {
      try server.channel.writeInbound(ByteBuffer(bytes: [byte]))
    }
    _ = try server.exchange([])
    #expect(try server.application.texts == ["early"])
  }

  @Test(
    "A token NIO's parser reads otherwise than we do never mixes HTTP into the WebSocket",
    arguments: ["Upgrade\t", "Upgrade\t, x", "keep-alive,\tUpgrade", "x y, Upgrade", "upgrade ,x"])
  func parserDifference(connection: String) throws {
    let head = ServerEnd.handshake.replacing(
      "Connection: Upgrade", with: "Connection: \(connection)")
    for behind in [Wire.text("early"), Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)] {
      let server = try ServerEnd()
      let written = try server.exchange(Array(head.utf8) + behind)
      let answer = String(decoding: written.prefix(12), as: UTF8.self)
      #expect(["HTTP/1.1 101", "HTTP/1.1 400"].contains(answer))
    }
  }

  @Test("The application refuses before the handshake is looked at")
  func refused() throws {
    let server = try ServerEnd()
    let head = ServerEnd.handshake.replacing("/ws", with: "/no").replacing("13", with: "12")
    let answer = try server.exchange(head)
    #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.hasSuffix("not from there\n"))
    #expect(answer.contains("connection: close") && server.socket.shutDowns == 1)
  }

  @Test("A wrong version is answered 426 with the right one, a wrong key 400")
  func wrongHandshake() throws {
    let version = try ServerEnd().exchange(
      ServerEnd.handshake.replacing("Version: 13", with: "Version: 8"))
    #expect(version.hasPrefix("HTTP/1.1 426 ") && version.contains("sec-websocket-version: 13"))
    let key = try ServerEnd().exchange(ServerEnd.handshake.replacing("ZQ==", with: "ZR=="))
    #expect(key.hasPrefix("HTTP/1.1 400 "))
  }

  @Test("An error of the application's set-up closes the WebSocket with 1011")
  func setUpFails() throws {
    struct Failure: Error {}
    let server = try ServerEnd { $0.configure = { _, _, _ in throw Failure() } }
    let written = try server.exchange(Array(ServerEnd.handshake.utf8))
    #expect(written.suffix(4) == Wire.plainClose(1011)[...])
  }

  @Test(
    "A connection that does not become one in 10 s is closed",
    arguments: [
      "", "GET /ws HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n",
    ])
  func deadline(bytes: String) throws {
    let server = try ServerEnd()
    _ = try server.exchange(bytes)
    server.channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_999))
    #expect(server.channel.isActive)
    server.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(!server.channel.isActive)
  }
}
