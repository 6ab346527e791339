package import NIOCore
package import NIOHTTP1

/// The shell of a client's connection until it becomes a WebSocket (RFC 6455 §4.1): it sends the
/// request when the channel is active, checks the answer, and then replaces the HTTP coders and
/// itself by a ``WebSocketHandler`` and the application's handlers. Frames that came right behind
/// the answer reach them.
package final class ClientUpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPClientResponsePart
  package typealias OutboundOut = HTTPClientRequestPart

  typealias Decoder = UpgradableHTTPDecoder<HTTPClientResponsePart, HTTPClientRequestPart>
  typealias DecoderHandler = ByteToMessageHandler<Decoder>

  private enum State {
    /// The channel is not active yet. → `sent`, `done`
    case waiting
    /// The request is sent. → `refused`, `accepted`, `done`
    case sent
    /// The answer is not a 101; its body is read as far as it is reported. → `done`
    case refused(HTTPResponseHead, body: ByteBuffer)
    /// The answer is a good 101; its end, and the end of this read, is waited for. → `done`
    case accepted(subprotocol: String?, ended: Bool)
    /// The promise is fulfilled. Final.
    case done
  }

  /// The most bytes of a refusal's body that are reported.
  package static let maxReportedBytes = 1024

  private let configuration: ClientUpgradeConfiguration
  private let promise: EventLoopPromise<Void>
  private let decoder: Decoder
  private let decoderHandler: DecoderHandler
  private let encoder: HTTPRequestEncoder
  private var state = State.waiting
  private var deadline: Scheduled<Void>?
  /// Whether HTTP is over: what comes now are the bytes the decoder had left.
  private var isHandedOver = false

  private init(
    _ configuration: ClientUpgradeConfiguration, _ promise: EventLoopPromise<Void>
  ) {
    self.configuration = configuration
    self.promise = promise
    self.decoder = Decoder()
    self.decoderHandler = ByteToMessageHandler(
      self.decoder, maximumBufferSize: Decoder.maxWaitingBytes)
    self.encoder = HTTPRequestEncoder()
  }

  /// Makes `channel`, at the end of its pipeline, a WebSocket client. To be called on the
  /// channel's loop, before or after it connects. Throws what the pipeline throws when it is
  /// closed; `promise` is untouched then.
  /// - Parameter promise: succeeds when the application's handlers are installed, and fails with a
  ///   ``ClientUpgradeError``, or with what `configure` threw, when the channel is being closed.
  package static func install(
    on channel: any Channel, _ configuration: ClientUpgradeConfiguration,
    promise: EventLoopPromise<Void>
  ) throws {
    let handler = ClientUpgradeHandler(configuration, promise)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(handler.encoder)
    try pipeline.addHandler(handler.decoderHandler)
    try pipeline.addHandler(handler)
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    // SAFETY: handlers are called on the channel's loop only, which is the loop asked here.
    let loop = context.eventLoop.assumeIsolated()
    self.deadline = loop.scheduleTask(in: self.configuration.deadline) {
      self.fail(.timedOut, context)
    }
    if context.channel.isActive {
      self.send(context)
    }
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    self.fail(.connectionClosed, context)
  }

  package func channelActive(context: ChannelHandlerContext) {
    self.send(context)
    context.fireChannelActive()
  }

  package func channelInactive(context: ChannelHandlerContext) {
    if case .refused(let head, let body) = self.state {
      self.refuse(head, body, context)
    } else {
      self.fail(.connectionClosed, context)
    }
    context.fireChannelInactive()
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !self.isHandedOver else {
      context.fireChannelRead(data)
      return
    }
    switch self.unwrapInboundIn(data) {
    case .head(let head): self.received(head, context)
    case .body(let bytes): self.receivedBody(bytes, context)
    case .end: self.receivedEnd(context)
    }
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    if case .accepted(let subprotocol, ended: true) = self.state {
      self.upgrade(subprotocol, context)
    }
    context.fireChannelReadComplete()
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if self.isHandedOver {
      context.fireErrorCaught(error)
    } else {
      self.fail(error is HTTPParserError ? .notHTTP : .connectionClosed, context)
    }
  }
}

// MARK: - The answer

extension ClientUpgradeHandler {
  private func send(_ context: ChannelHandlerContext) {
    guard case .waiting = self.state else { return }
    self.state = .sent
    let head = self.configuration.request.head
    self.decoder.expectResponse(to: head)
    context.write(self.wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
  }

  private func received(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
    switch self.state {
    case .sent:
      guard head.status == .switchingProtocols else {
        self.state = .refused(head, body: ByteBuffer())
        return
      }
      do throws(ClientUpgradeError.Flaw) {
        let subprotocol = try self.configuration.request.check(head)
        self.state = .accepted(subprotocol: subprotocol, ended: false)
      } catch {
        self.fail(.invalid(error), context)
      }
    case .accepted: self.fail(.notHTTP, context)
    case .waiting, .refused, .done: break
    }
  }

  private func receivedBody(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    switch self.state {
    case .refused(let head, var body):
      let room = Self.maxReportedBytes - body.readableBytes
      if let piece = bytes.getSlice(
        at: bytes.readerIndex, length: min(room, bytes.readableBytes))
      {
        body.writeImmutableBuffer(piece)
      }
      self.state = .refused(head, body: body)
      if body.readableBytes == Self.maxReportedBytes {
        self.refuse(head, body, context)
      }
    case .accepted: self.fail(.notHTTP, context)
    case .waiting, .sent, .done: break
    }
  }

  private func receivedEnd(_ context: ChannelHandlerContext) {
    switch self.state {
    case .refused(let head, let body): self.refuse(head, body, context)
    case .accepted(let subprotocol, ended: false):
      self.state = .accepted(subprotocol: subprotocol, ended: true)
      self.decoder.stop()
    case .accepted(_, ended: true): self.fail(.notHTTP, context)
    case .waiting, .sent, .done: break
    }
  }

  private func refuse(
    _ head: HTTPResponseHead, _ body: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    let text = String(decoding: body.readableBytesView, as: UTF8.self)
    self.fail(.refused(status: head.status, headers: head.headers, body: text), context)
  }

  /// Fails the promise and closes, once.
  private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
    if case .done = self.state { return }
    self.state = .done
    self.deadline?.cancel()
    self.deadline = nil
    self.promise.fail(error)
    context.close(promise: nil)
  }

  private func fail(_ error: ClientUpgradeError, _ context: ChannelHandlerContext) {
    self.fail(error as any Error, context)
  }
}

// MARK: - Handing the connection over

extension ClientUpgradeHandler {
  private func upgrade(_ subprotocol: String?, _ context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    _ = pipeline.removeHandler(self.encoder)
    let webSocket = WebSocketHandler(self.configuration.webSocket, subprotocol: subprotocol)
    do {
      try pipeline.addHandler(webSocket, position: .after(self))
      try self.configuration.configure(context.channel, webSocket)
    } catch {
      self.fail(error, context)
      return
    }
    self.isHandedOver = true
    self.state = .done
    self.deadline?.cancel()
    self.deadline = nil
    self.promise.succeed(())
    // The decoder leaves in a later tick and passes on what it has left, through us. Only then do
    // we leave, and say that this read is complete.
    // SAFETY: handlers are called on the channel's loop only, which completes this future.
    pipeline.removeHandler(self.decoderHandler).assumeIsolated().whenComplete { _ in
      context.fireChannelReadComplete()
      _ = pipeline.removeHandler(self)
    }
  }
}
