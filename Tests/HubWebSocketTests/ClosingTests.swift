import HubWebSocket
import NIOCore
import NIOEmbedded
import Testing

@Suite("RFC 6455 §7 Closing")
struct ClosingTests {
  private func server() throws -> WebSocketPipeline { try WebSocketPipeline() }

  @Test("A client's close is echoed, then the server shuts down and waits for TCP to end")
  func clientCloses() throws {
    let end = try self.server()
    try end.receive(Wire.close(1001, Array("bye".utf8)) + Wire.text("late"))
    #expect(try end.written() == Wire.plainClose(1001))
    #expect(end.application.closed == [.init(code: 1001, reason: "bye", initiator: .peer)])
    #expect(end.socket.shutDowns == 1 && end.channel.isActive)
    end.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(!end.channel.isActive)
    #expect(end.application.messages == [] && end.application.closed.count == 1)
  }

  @Test("An empty close is answered by an empty close")
  func emptyClose() throws {
    let end = try self.server()
    try end.receive(Wire.frame(0x8))
    #expect(try end.written() == Wire.plain(0x8))
    #expect(end.application.closed == [.init(code: nil, reason: "", initiator: .peer)])
  }

  @Test("A client that keeps TCP open after the handshake is dropped after 2 s")
  func lingeringClient() throws {
    let end = try self.server()
    try end.receive(Wire.close(1000))
    end.advance(.milliseconds(1999))
    #expect(end.channel.isActive)
    end.advance(.milliseconds(1))
    #expect(!end.channel.isActive && end.application.closed.count == 1)
  }

  @Test("Our close waits for the answer and delivers nothing in the meantime")
  func weClose() throws {
    let end = try self.server()
    end.webSocket.sendClose(CloseCode(application: 4430), reason: "drain")
    end.webSocket.sendClose(.normal)
    #expect(try end.written() == Wire.plainClose(4430, "drain"))
    #expect(!end.webSocket.isOpen && end.application.closed == [])
    try end.receive(Wire.text("late") + Wire.frame(0x9))
    end.webSocket.sendPing()
    #expect(try end.written() == [] && end.socket.shutDowns == 0)
    try end.receive(Wire.close(1000))
    #expect(end.application.messages == [] && end.socket.shutDowns == 1)
    #expect(end.application.closed == [.init(code: 4430, reason: "drain", initiator: .us)])
    #expect(try end.written() == [])
  }

  @Test("A peer that does not answer our close is dropped after 5 s", arguments: [true, false])
  func noAnswer(isWritable: Bool) throws {
    let end = try self.server()
    end.setWritable(isWritable)
    end.webSocket.sendClose(.goingAway)
    try end.receive(Wire.text("still talking"))
    end.advance(.milliseconds(4999))
    #expect(end.channel.isActive && end.application.closed == [])
    end.advance(.milliseconds(1))
    #expect(!end.channel.isActive)
    #expect(end.application.closed == [.init(code: 1001, reason: "", initiator: .us)])
  }

  @Test(
    "A violation sends its code, shuts down and discards until TCP ends",
    arguments: [
      (Wire.frame(0x3), .reservedOpcode), (Wire.frame(0x1, [0xFF]), .invalidUTF8),
      (Wire.header(0x2, length: 1 << 20), .messageTooBig),
    ] as [([UInt8], Violation)])
  func violation(bytes: [UInt8], violation: Violation) throws {
    let end = try self.server()
    try end.receive(Wire.text("good") + bytes)
    #expect(end.application.texts == ["good"])
    #expect(try end.written() == Wire.plainClose(violation))
    let code = violation.closeCode.rawValue
    let report = WebSocketClosed(code: code, reason: violation.sentence, initiator: .us)
    #expect(end.application.closed == [report])
    #expect(end.socket.shutDowns == 1)
    let reads = end.socket.reads
    try end.receive(Wire.text("more") + Wire.frame(0x9))
    #expect(end.socket.reads > reads, "reads on even when the application paused")
    #expect(try end.written() == [] && end.application.texts == ["good"])
    #expect(end.channel.isActive)
    end.advance(.seconds(2))
    #expect(!end.channel.isActive && end.application.closed.count == 1)
  }

  @Test("Discarding is bounded in bytes")
  func discardBytes() throws {
    var configuration = WebSocketConfiguration(role: .server)
    configuration.discardBytes = 100
    let end = try WebSocketPipeline(configuration)
    try end.receive([0x83])
    try end.receive([UInt8](repeating: 0, count: 100))
    #expect(end.channel.isActive)
    try end.receive([0])
    #expect(!end.channel.isActive && end.application.closed.count == 1)
  }

  @Test("A violation after our close ends the connection with no second close frame")
  func violationWhileClosing() throws {
    let end = try self.server()
    end.webSocket.sendClose(.normal)
    _ = try end.written()
    try end.receive(Wire.frame(0x3))
    #expect(try end.written() == [])
    #expect(end.application.closed == [.init(code: 1000, reason: "", initiator: .us)])
    #expect(end.socket.shutDowns == 1)
  }

  @Test("The end of TCP without a close frame is abrupt, and reported once")
  func abrupt() throws {
    let end = try self.server()
    try end.receive([0x81, 0x85])
    end.channel.close(promise: nil)
    end.channel.embeddedEventLoop.run()
    #expect(end.application.closed == [.init(code: nil, reason: "", initiator: .abrupt)])
  }

  @Test("An abort drops TCP at once, also in the midst of a read")
  func abort() throws {
    let end = try self.server()
    end.application.onMessage = { [webSocket = end.webSocket] _ in webSocket.abort() }
    try end.receive(Wire.text("one") + Wire.text("two"))
    #expect(end.application.texts == ["one"] && !end.channel.isActive)
    #expect(end.application.closed == [.init(code: nil, reason: "", initiator: .us)])
    #expect(try end.written() == [])
  }

  @Test("A close sent from inside a delivery stops the delivery of what was read with it")
  func closeInsideDelivery() throws {
    let end = try self.server()
    end.application.onMessage = { [webSocket = end.webSocket] _ in
      webSocket.sendClose(.unacceptableData)
    }
    try end.receive(Wire.text("one") + Wire.text("two") + Wire.close(1000))
    #expect(end.application.texts == ["one"])
    #expect(try end.written() == Wire.plainClose(1003))
    #expect(end.application.closed == [.init(code: 1003, reason: "", initiator: .us)])
  }

  @Test("An abort in answer to the report closes at once")
  func abortOnReport() throws {
    let end = try self.server()
    end.application.onClosed = { [webSocket = end.webSocket] _ in webSocket.abort() }
    try end.receive(Wire.close(1000))
    #expect(!end.channel.isActive && end.socket.shutDowns == 0)
    #expect(end.application.closed.count == 1)
  }

  @Test("A client leaves TCP to the server and drops it after 5 s")
  func clientWaits() throws {
    let end = try WebSocketPipeline(.init(role: .client(maskKey: { 0xA15B_FF07 })))
    try end.receive(Wire.plainClose(1000))
    #expect(try end.written() == Wire.close(1000))
    #expect(end.socket.shutDowns == 0)
    end.advance(.seconds(5))
    #expect(!end.channel.isActive && end.application.closed.count == 1)
  }

  @Test("A finished connection leaves no timer behind")
  func noTimer() throws {
    let end = try self.server()
    end.webSocket.sendClose(.normal)
    end.channel.close(promise: nil)
    end.channel.embeddedEventLoop.run()
    #expect(end.application.closed == [.init(code: 1000, reason: "", initiator: .us)])
    end.advance(.seconds(60))
    #expect(end.application.closed.count == 1)
  }
}

@Suite("Limits of a WebSocket")
struct WebSocketConfigurationTests {
  @Test("The defaults can be used")
  func defaults() {
    #expect(WebSocketConfiguration(role: .server).validate() == [])
  }

  @Test("Every value out of range is named")
  func problems() {
    var configuration = WebSocketConfiguration(role: .server)
    configuration.maxMessageBytes = 0
    configuration.closeDeadline = .seconds(0)
    configuration.discardDeadline = .hours(1)
    configuration.discardBytes = -1
    #expect(
      configuration.validate().map(\.key) == [
        "maxMessageBytes", "closeDeadline", "discardDeadline", "discardBytes",
      ])
  }
}
