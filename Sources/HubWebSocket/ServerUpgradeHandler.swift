package import NIOCore
package import NIOHTTP1

/// The shell of an HTTP/1.1 connection until it becomes a WebSocket (RFC 6455 §4.2). It stands
/// behind NIO's HTTP coders, answers plain requests in order, and at the handshake replaces the
/// coders and itself by a ``WebSocketHandler`` and the application's handlers. Frames that came
/// right behind the handshake reach them.
package final class ServerUpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPServerRequestPart
  package typealias OutboundOut = HTTPServerResponsePart

  typealias Decoder = UpgradableHTTPDecoder<HTTPServerRequestPart, HTTPServerResponsePart>
  typealias DecoderHandler = ByteToMessageHandler<Decoder>

  let configuration: ServerUpgradeConfiguration
  let decoder: Decoder
  let decoderHandler: DecoderHandler
  let encoder: HTTPResponseEncoder
  private var machine: RequestMachine
  private var deadline: Scheduled<Void>?
  private var unsentAnswers = 0
  /// Whether HTTP is over: what comes now are the bytes the decoder had left.
  private var isHandedOver = false

  private init(
    _ configuration: ServerUpgradeConfiguration, decoder: Decoder,
    decoderHandler: DecoderHandler, encoder: HTTPResponseEncoder
  ) {
    self.configuration = configuration
    self.decoder = decoder
    self.decoderHandler = decoderHandler
    self.encoder = encoder
    self.machine = RequestMachine(maxBodyBytes: configuration.maxBodyBytes)
  }

  /// Makes `channel`, at the end of its pipeline, a server that answers HTTP and takes WebSockets.
  /// To be called on the channel's loop. Throws what the pipeline throws when it is closed.
  package static func install(
    on channel: any Channel, _ configuration: ServerUpgradeConfiguration
  ) throws {
    let decoder = Decoder()
    let decoderHandler = ByteToMessageHandler(
      decoder, maximumBufferSize: Decoder.maxWaitingBytes)
    let encoder = HTTPResponseEncoder()
    let handler = ServerUpgradeHandler(
      configuration, decoder: decoder, decoderHandler: decoderHandler, encoder: encoder)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(encoder)
    try pipeline.addHandler(decoderHandler)
    try pipeline.addHandler(handler)
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    self.arm(self.configuration.requestDeadline, context)
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    self.deadline?.cancel()
    self.deadline = nil
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !self.isHandedOver else {
      context.fireChannelRead(data)
      return
    }
    let action =
      switch self.unwrapInboundIn(data) {
      case .head(let head): self.machine.received(head, self.verdict(on: head))
      case .body(let bytes): self.machine.receivedBody(bytes.readableBytes)
      case .end: self.machine.receivedEnd(isWritable: context.channel.isWritable)
      }
    self.perform(action, context)
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    self.perform(self.machine.readCompleted(), context)
    context.fireChannelReadComplete()
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !self.isHandedOver else {
      context.fireErrorCaught(error)
      return
    }
    guard let error = error as? HTTPParserError else {
      // Not about HTTP: the socket failed, or more waits unparsed than may.
      context.close(promise: nil)
      return
    }
    let action =
      if case .headerOverflow = error {
        self.machine.failed(tooLarge: true)
      } else {
        self.machine.failed(tooLarge: false)
      }
    self.perform(action, context)
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    if !self.isHandedOver, let event = event as? ChannelEvent, event == .inputClosed {
      context.close(promise: nil)
    }
  }
}

// MARK: - Answering

extension ServerUpgradeHandler {
  private func verdict(on head: HTTPRequestHead) -> RequestMachine.Verdict {
    guard self.machine.isReceiving, UpgradeAcceptance.isWanted(by: head) else { return .plain }
    switch self.configuration.admit(head) {
    case .plain: return .plain
    case .refuse(let answer): return .refuse(answer)
    case .upgrade:
      do throws(UpgradeRefusal) {
        return .upgrade(
          try UpgradeAcceptance(to: head, subprotocols: self.configuration.subprotocols))
      } catch {
        return .refuse(error.answer)
      }
    }
  }

  private func perform(_ action: RequestMachine.Action, _ context: ChannelHandlerContext) {
    switch action {
    case .none: break
    case .answerPlain(let head, let closes):
      let answer = self.configuration.plain(head)
      let closes = closes || answer.headers.contains(token: "close", in: "connection")
      if closes {
        self.machine.answeredLast()
      }
      self.send(
        answer, toHEAD: head.method == .HEAD, version: head.version, closes: closes, context)
    case .answerAndClose(let answer, let toHEAD):
      self.send(answer, toHEAD: toHEAD, version: .http1_1, closes: true, context)
    case .stopParsing: self.decoder.stop()
    case .upgrade(let head, let acceptance): self.upgrade(head, acceptance, context)
    case .closeConnection: context.close(promise: nil)
    }
  }

  private func send(
    _ answer: HTTPAnswer, toHEAD: Bool, version: HTTPVersion, closes: Bool,
    _ context: ChannelHandlerContext
  ) {
    var headers = answer.headers
    if answer.status.mayHaveResponseBody, !headers.contains(name: "content-length") {
      headers.add(name: "content-length", value: String(answer.body.readableBytes))
    }
    if closes, !headers.contains(token: "close", in: "connection") {
      headers.add(name: "connection", value: "close")
    } else if !closes, version != .http1_1 {
      headers.add(name: "connection", value: "keep-alive")
    }
    let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
    context.write(self.wrapOutboundOut(.head(head)), promise: nil)
    if !toHEAD, answer.status.mayHaveResponseBody, answer.body.readableBytes > 0 {
      context.write(self.wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
    }
    self.unsentAnswers += 1
    self.arm(self.configuration.answerDeadline, context)
    // SAFETY: handlers are called on the channel's loop only, which completes this future.
    context.writeAndFlush(self.wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
      self.sent(closes: closes, context)
    }
  }

  private func sent(closes: Bool, _ context: ChannelHandlerContext) {
    self.unsentAnswers -= 1
    guard context.channel.isActive, !self.isHandedOver, self.unsentAnswers == 0 else { return }
    guard closes else {
      self.arm(self.configuration.requestDeadline, context)
      return
    }
    self.arm(self.configuration.discardDeadline, context)
    context.close(mode: .output, promise: nil)
  }

  private func arm(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    self.deadline?.cancel()
    // SAFETY: handlers are called on the channel's loop only, which is the loop asked here.
    self.deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      context.close(promise: nil)
    }
  }
}

// MARK: - Handing the connection over

extension ServerUpgradeHandler {
  private func upgrade(
    _ head: HTTPRequestHead, _ acceptance: UpgradeAcceptance, _ context: ChannelHandlerContext
  ) {
    self.isHandedOver = true
    self.deadline?.cancel()
    self.deadline = nil
    context.write(self.wrapOutboundOut(.head(acceptance.response)), promise: nil)
    context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
    // Writing may have found the client gone.
    guard context.channel.isActive else { return }
    let pipeline = context.pipeline.syncOperations
    _ = pipeline.removeHandler(self.encoder)
    let webSocket = WebSocketHandler(
      self.configuration.webSocket, subprotocol: acceptance.subprotocol)
    do {
      try pipeline.addHandler(webSocket, position: .after(self))
      try self.configuration.configure(context.channel, head, webSocket)
    } catch {
      webSocket.sendClose(.internalError)
    }
    // The decoder leaves in a later tick and passes on what it has left, through us. Only then do
    // we leave, and say that this read is complete.
    // SAFETY: handlers are called on the channel's loop only, which completes this future.
    pipeline.removeHandler(self.decoderHandler).assumeIsolated().whenComplete { _ in
      context.fireChannelReadComplete()
      _ = pipeline.removeHandler(self)
    }
  }
}
