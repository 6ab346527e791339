package import NIOCore

/// The shell of one WebSocket connection behind its opening handshake, for both roles: bytes in,
/// ``WebSocketMessage`` out, control frames answered (RFC 6455 §5.5).
///
/// It is not in the way of what goes out: handlers behind it write framed `ByteBuffer`s, which
/// pass it by. It must stand right behind what reads the socket (or decrypts it), because it
/// unmasks the buffers it is given where they lie. Every method belongs to the channel's loop.
/// How the end of a connection is told: ``WebSocketClosed``.
package final class WebSocketHandler: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = WebSocketMessage
  package typealias OutboundOut = ByteBuffer

  /// Whether any bytes arrived since the application last set this to `false`: its sign of life.
  package var receivedSinceLastCheck = false

  /// The subprotocol the opening handshake agreed on (RFC 6455 §1.9).
  package let subprotocol: String?

  private let role: WebSocketRole
  private var decoder: MessageDecoder
  private var connection: ConnectionMachine
  private var context: ChannelHandlerContext?
  private var deadline: Scheduled<Void>?
  /// The newest ping that came while the peer did not read. The older ones stay unanswered (§5.5.3
  /// asks for the most recent only), so that a flood of them costs 125 bytes.
  private var unansweredPing: ByteBuffer?
  /// The pongs of this read, in one buffer: ten thousand pings in one packet are one write.
  private var pongs: ByteBuffer?
  private var unwrittenControls = 0
  private var hasUnflushedPongs = false
  /// Past this many bytes the pongs are written, so that the channel can say it is full.
  private static let pongBatchBytes = 8 * 1024

  package init(_ configuration: WebSocketConfiguration, subprotocol: String? = nil) {
    self.subprotocol = subprotocol
    self.role = configuration.role
    self.connection = ConnectionMachine(configuration)
    let expectsMask =
      switch configuration.role {
      case .server: true
      case .client: false
      }
    self.decoder = MessageDecoder(
      expectsMask: expectsMask, maxMessageBytes: configuration.maxMessageBytes)
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    self.deadline?.cancel()
    self.deadline = nil
    self.context = nil
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    self.receivedSinceLastCheck = true
    var buffer = self.unwrapInboundIn(data)
    while self.connection.isReading {
      guard let unit = self.decoder.next(&buffer) else { return }
      self.perform(self.connection.received(unit), context)
    }
    self.perform(self.connection.discarded(buffer.readableBytes), context)
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if self.writePongs(context) {
      self.hasUnflushedPongs = false
      context.flush()
    }
    self.readIfNeeded(context)
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, self.connection.isOpen, let ping = self.unansweredPing.take() {
      self.writeControl(self.frame(.pong, ping), context)
      context.flush()
    }
    context.fireChannelWritabilityChanged()
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    if let event = event as? ChannelEvent, event == .inputClosed {
      self.perform(self.connection.receivedEOF(), context)
    }
  }

  package func channelInactive(context: ChannelHandlerContext) {
    self.perform(self.connection.receivedEOF(), context)
    context.fireChannelInactive()
  }
}

// MARK: - What the application asks

extension WebSocketHandler {
  /// Begins the close handshake (§7.1.2) behind what was written so far; nothing if it has begun
  /// already. No message is delivered from now on. TCP ends when the peer has answered, at the
  /// latest after ``WebSocketConfiguration/closeDeadline``.
  package func sendClose(_ code: CloseCode, reason: String = "") {
    guard let context = self.context else { return }
    self.perform(self.connection.close(with: CloseFrame(code: code, reason: reason)), context)
  }

  /// Sends a ping now. Its pong comes back as a ``WebSocketPong``. Nothing once closing began.
  /// - Parameter payload: at most 125 bytes; more is a bug of the caller.
  package func sendPing(_ payload: ByteBuffer = ByteBuffer()) {
    precondition(payload.readableBytes <= Frame.controlLimit, "a ping has at most 125 bytes")
    guard let context = self.context, self.connection.isOpen else { return }
    self.writeControl(self.frame(.ping, payload), context)
    context.flush()
  }

  /// Closes TCP at once, dropping what is not written yet.
  package func abort() {
    guard let context = self.context else { return }
    self.perform(self.connection.abort(), context)
  }

  /// Whether pings or pongs written by this handler are still on their way to the socket: what is
  /// written past the pipeline meanwhile could land inside them.
  package var hasUnwrittenControls: Bool { self.unwrittenControls > 0 }

  /// Whether frames may be written: neither side has begun to close.
  package var isOpen: Bool { self.connection.isOpen }
}

// MARK: - Doing what the machine says

extension WebSocketHandler {
  private func perform(_ action: ConnectionMachine.Action, _ context: ChannelHandlerContext) {
    switch action {
    case .none: break
    case .deliver(let message):
      self.writePongs(context)
      context.fireChannelRead(self.wrapInboundOut(message))
    case .sendPong(let payload): self.pong(payload, context)
    case .reportPong(let payload):
      context.fireUserInboundEventTriggered(WebSocketPong(payload: payload))
    case .sendClose(let frame, let deadline):
      self.write(frame, context)
      self.arm(deadline, context)
      self.readIfNeeded(context)
    case .end(let ending): self.end(ending, context)
    case .closeConnection(let report):
      self.deadline?.cancel()
      self.deadline = nil
      if let report {
        context.fireUserInboundEventTriggered(report)
      }
      context.close(promise: nil)
    }
  }

  private func pong(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
    guard context.channel.isWritable else {
      // A copy, so that 125 bytes do not keep a whole read buffer alive.
      self.unansweredPing = ByteBuffer(bytes: payload.readableBytesView)
      return
    }
    self.unansweredPing = nil
    let mask = self.maskKey()
    var pongs = self.pongs.take() ?? ByteBuffer()
    // SAFETY: the pointer is only read and does not leave the closure.
    payload.withUnsafeReadableBytes {
      Frame.append(.pong, bytes: $0, mask: mask, to: &pongs)
    }
    self.pongs = pongs
    if pongs.readableBytes > Self.pongBatchBytes {
      self.writePongs(context)
    }
  }

  /// Writes the pongs collected. Whether anything may have been written since the last flush.
  @discardableResult
  private func writePongs(_ context: ChannelHandlerContext) -> Bool {
    if let pongs = self.pongs.take() {
      self.hasUnflushedPongs = true
      self.writeControl(pongs, context)
    }
    return self.hasUnflushedPongs
  }

  private func end(_ ending: ConnectionMachine.Ending, _ context: ChannelHandlerContext) {
    self.unansweredPing = nil
    if let frame = ending.frame {
      self.write(frame, context)
    }
    self.arm(ending.deadline, context)
    context.fireUserInboundEventTriggered(ending.report)
    // The application may have aborted in answer to the report.
    guard self.connection.mustRead else { return }
    if ending.shutsDownOutput {
      // Behind everything written. A transport that cannot do it closes at the deadline.
      context.close(mode: .output, promise: nil)
    }
    self.readIfNeeded(context)
  }

  private func write(_ frame: CloseFrame, _ context: ChannelHandlerContext) {
    self.writePongs(context)
    context.writeAndFlush(self.wrapOutboundOut(self.frame(.close, frame.payload)), promise: nil)
  }

  private func writeControl(_ frames: ByteBuffer, _ context: ChannelHandlerContext) {
    self.unwrittenControls += 1
    let written = context.eventLoop.makePromise(of: Void.self)
    // SAFETY: handlers are called on the channel's loop only, which is the promise's.
    written.futureResult.assumeIsolated().whenComplete { _ in self.unwrittenControls -= 1 }
    context.write(self.wrapOutboundOut(frames), promise: written)
  }

  private func frame(_ opcode: Opcode, _ payload: ByteBuffer) -> ByteBuffer {
    Frame.encode(opcode, payload: payload, mask: self.maskKey())
  }

  private func maskKey() -> UInt32? {
    switch self.role {
    case .server: nil
    case .client(let maskKey): maskKey()
    }
  }

  /// Input must be read to its end even if the application paused reading.
  private func readIfNeeded(_ context: ChannelHandlerContext) {
    if self.connection.mustRead {
      context.read()
    }
  }

  private func arm(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    self.deadline?.cancel()
    // SAFETY: handlers are called on the channel's loop only, which is the loop asked here.
    let loop = context.eventLoop.assumeIsolated()
    self.deadline = loop.scheduleTask(in: time) {
      guard let context = self.context else { return }
      self.perform(self.connection.deadlinePassed(), context)
    }
  }
}
