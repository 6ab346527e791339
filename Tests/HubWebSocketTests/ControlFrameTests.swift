import HubWebSocket
import NIOCore
import NIOEmbedded
import Testing

@Suite("RFC 6455 §5.5 Control frames")
struct ControlFrameTests {
  @Test("Each of ten pings gets its pong, in order, with one flush")
  func tenPings() throws {
    let end = try WebSocketPipeline()
    let flushes = end.socket.flushes
    try end.receive((0..<10).flatMap { Wire.frame(0x9, [$0]) })
    #expect(try end.written() == (0..<10).flatMap { Wire.plain(0xA, [$0]) })
    #expect(end.socket.flushes == flushes + 1)
  }

  @Test("A pong goes out before the application is given the message behind its ping")
  func pongBeforeMessage() throws {
    let end = try WebSocketPipeline()
    end.application.onMessage = { [channel = end.channel] message in
      channel.writeAndFlush(
        Frame.encode(.text, payload: message.payload, mask: nil), promise: nil)
    }
    try end.receive(
      Wire.text("a", final: false) + Wire.frame(0x9, [1]) + Wire.frame(0x0, [66])
        + Wire.frame(0x9, [2]) + Wire.close(1000))
    #expect(
      try end.written() == Wire.plain(0xA, [1]) + Wire.plain(0x1, Array("aB".utf8))
        + Wire.plain(0xA, [2]) + Wire.plainClose(1000))
  }

  @Test("Ten thousand pings in one read are answered by a few writes")
  func flood() throws {
    let end = try WebSocketPipeline()
    try end.receive((0..<10_000).flatMap { _ in Wire.frame(0x9) })
    var writes = 0
    var bytes = 0
    while let buffer = try end.channel.readOutbound(as: ByteBuffer.self) {
      writes += 1
      bytes += buffer.readableBytes
    }
    #expect(bytes == 20_000 && writes <= 3)
  }

  @Test("While the peer does not read, only the newest ping is kept and answered later")
  func unwritable() throws {
    let end = try WebSocketPipeline()
    end.setWritable(false)
    for number in 0..<100 {
      try end.receive(Wire.frame(0x9, [UInt8(number)]))
    }
    #expect(try end.written() == [])
    end.setWritable(true)
    #expect(try end.written() == Wire.plain(0xA, [99]))
    end.setWritable(false)
    end.setWritable(true)
    #expect(try end.written() == [])
  }

  @Test("Pongs are reported, also those nobody asked for")
  func pongs() throws {
    let end = try WebSocketPipeline()
    end.webSocket.sendPing(ByteBuffer(string: "p"))
    #expect(try end.written() == Wire.plain(0x9, Array("p".utf8)))
    try end.receive(Wire.frame(0xA, Array("p".utf8)) + Wire.frame(0xA))
    #expect(end.application.pongs.map { String(buffer: $0.payload) } == ["p", ""])
    #expect(end.application.closed == [])
  }

  @Test("Any bytes are a sign of life, also half a frame")
  func signOfLife() throws {
    let end = try WebSocketPipeline()
    #expect(!end.webSocket.receivedSinceLastCheck)
    try end.receive([0x81])
    #expect(end.webSocket.receivedSinceLastCheck)
    end.webSocket.receivedSinceLastCheck = false
    end.advance(.seconds(60))
    #expect(!end.webSocket.receivedSinceLastCheck)
  }

  @Test("A client masks its control frames with a fresh key each")
  func masked() throws {
    let end = try WebSocketPipeline(.init(role: .client(maskKey: { 0xA15B_FF07 })))
    try end.receive(Wire.plain(0x9, [1, 2, 3, 4, 5]))
    #expect(try end.written() == Wire.frame(0xA, [1, 2, 3, 4, 5]))
    end.webSocket.sendClose(.normal, reason: "bye")
    #expect(try end.written() == Wire.close(1000, Array("bye".utf8)))
  }
}
