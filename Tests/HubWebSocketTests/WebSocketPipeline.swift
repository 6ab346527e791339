import HubWebSocket
import NIOCore
import NIOEmbedded

/// Stands at the head of a pipeline in place of a socket and notes how it is closed and read.
final class SocketRecorder: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  private(set) var shutDowns = 0
  private(set) var reads = 0
  private(set) var flushes = 0

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    switch mode {
    case .output:
      self.shutDowns += 1
      promise?.succeed(())
    case .all, .input: context.close(mode: mode, promise: promise)
    }
  }

  func read(context: ChannelHandlerContext) {
    self.reads += 1
    context.read()
  }

  func flush(context: ChannelHandlerContext) {
    self.flushes += 1
    context.flush()
  }
}

/// Stands at the tail, as an application would, and notes what it is given.
final class Application: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage

  private(set) var messages: [WebSocketMessage] = []
  private(set) var closed: [WebSocketClosed] = []
  private(set) var pongs: [WebSocketPong] = []
  var onMessage: (WebSocketMessage) -> Void = { _ in }
  var onClosed: (WebSocketClosed) -> Void = { _ in }

  var texts: [String] { self.messages.map { String(buffer: $0.payload) } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let message = self.unwrapInboundIn(data)
    self.messages.append(message)
    self.onMessage(message)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? WebSocketClosed {
      self.closed.append(event)
      self.onClosed(event)
    } else if let event = event as? WebSocketPong {
      self.pongs.append(event)
    }
  }
}

/// One end of a WebSocket on an embedded channel.
final class WebSocketPipeline {
  let channel = EmbeddedChannel()
  let socket = SocketRecorder()
  let webSocket: WebSocketHandler
  let application = Application()

  init(_ configuration: WebSocketConfiguration = .init(role: .server)) throws {
    self.webSocket = WebSocketHandler(configuration)
    let pipeline = self.channel.pipeline.syncOperations
    try pipeline.addHandlers([self.socket, self.webSocket, self.application])
    try self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  deinit {
    _ = try? self.channel.finish(acceptAlreadyClosed: true)
  }

  func receive(_ bytes: [UInt8]) throws {
    try self.channel.writeInbound(ByteBuffer(bytes: bytes))
  }

  /// Everything written since the last call.
  func written() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let buffer = try self.channel.readOutbound(as: ByteBuffer.self) {
      bytes += buffer.readableBytesView
    }
    return bytes
  }

  func setWritable(_ isWritable: Bool) {
    self.channel.isWritable = isWritable
    self.channel.pipeline.fireChannelWritabilityChanged()
  }

  func advance(_ time: TimeAmount) {
    self.channel.embeddedEventLoop.advanceTime(by: time)
  }
}

extension Wire {
  /// A server's frame.
  static func plain(_ opcode: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    Self.frame(opcode, payload, masked: false)
  }

  /// A server's close frame.
  static func plainClose(_ code: UInt16, _ reason: String = "") -> [UInt8] {
    Self.plain(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
  }

  static func plainClose(_ violation: Violation) -> [UInt8] {
    Self.plainClose(violation.closeCode.rawValue, violation.sentence)
  }
}
