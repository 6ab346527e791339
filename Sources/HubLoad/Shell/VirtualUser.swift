internal import HubClient
internal import HubProtocol
internal import HubWebSocket
internal import NIOCore

/// One connection of a load test, on the loop of its run: takes the steps of its waves, then
/// checks what it hears and sends what it is told to.
final class VirtualUser: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage

  let number: Int
  private let run: LoadRun
  /// The channel it listens to; nil when it only publishes.
  private let hears: Int?
  private let textBytes: Int

  private var steps: ArraySlice<Wave.Step> = []
  /// Requests of the present steps without an answer.
  private var unanswered = 0
  private var lastRequest = 0
  private var subscribeRequest: Int?
  private var channel: (any Channel)?

  /// Nil until it has subscribed.
  private var verifier: SequenceVerifier?
  /// The number in the last message received; the messages of a channel have one sender.
  private var lastNumber: UInt64?

  init(number: Int, run: LoadRun) {
    self.number = number
    self.run = run
    hears = run.layout.listensTo(number)
    textBytes = run.plan.bytes
  }

  /// Ends the connection without ceremony.
  func close() {
    channel?.close(promise: nil)
  }

  /// Publishes `text`, which needs no escapes, without waiting for the answer.
  func publish(_ text: [UInt8], to name: ChannelName) {
    let content = MessageContent(text: String(decoding: text, as: UTF8.self))
    send(.messageSend(MessageSend(channel: name, content: content)))
    channel?.flush()
  }

  private func send(_ operation: Operation) {
    lastRequest += 1
    let request = Request(id: RequestID(lastRequest), operation: operation)
    // SAFETY: the pointer is read at once; `encode` copies.
    let frame = RequestEncoder.encode(request).withUnsafeBytes {
      Frame.encode(.text, bytes: $0, mask: UInt32.random(in: .min ... .max))
    }
    channel?.write(frame, promise: nil)
  }
}

// MARK: - The steps of a wave

extension VirtualUser {
  /// Takes these steps and reports to the run when done.
  func take(_ steps: [Wave.Step]) {
    self.steps = steps[...]
    proceed()
  }

  private func proceed() {
    switch steps.first {
    case nil: run.finished()
    case .connect:
      steps.removeFirst()
      connect()
    case .upgrade:
      steps.removeFirst()
      upgrade()
    case .hello, .create, .join, .subscribe:
      for step in steps { ask(step) }
      steps = []
      channel?.flush()
      if unanswered == 0 { run.finished() }
    }
  }

  private func connect() {
    // SAFETY: users are made and asked on the connector's loop only, which completes the future.
    run.connector.connect().assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success(let channel):
        self.channel = channel
        proceed()
      case .failure(let error): run.fail(BareConnector.failure(error))
      }
    }
  }

  private func upgrade() {
    guard let channel else { return }
    let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
    let upgraded = run.connector.upgrade(channel) { channel, _ in
      try channel.pipeline.syncOperations.addHandler(bound.value)
    }
    // SAFETY: as in `connect`.
    upgraded.assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success: proceed()
      case .failure(let error): run.fail(BareConnector.failure(error))
      }
    }
  }

  private func ask(_ step: Wave.Step) {
    switch step {
    case .connect, .upgrade: break
    case .hello: request(.hello(Hello(token: run.plan.token(number))))
    case .create:
      for name in run.layout.publishesTo(number).map({ run.name(of: $0) }) {
        request(
          .channelCreate(
            ChannelCreate(channel: name, kind: .public, profile: ChannelProfile(), members: [])))
      }
    case .join:
      if let hears { request(.channelJoin(run.name(of: hears))) }
    case .subscribe:
      guard let hears else { return }
      request(.subscribe(Subscribe(channel: run.name(of: hears), since: nil, limit: 0)))
      subscribeRequest = lastRequest
    }
  }

  /// A request that the wave waits for.
  private func request(_ operation: Operation) {
    send(operation)
    unanswered += 1
  }

  private func replied(_ id: Int, _ result: Result<JSONObject, Refusal>) {
    guard unanswered > 0 else {
      if case .failure(let refusal) = result { run.hubRefused(refusal) }
      return
    }
    switch result {
    case .success(let ok):
      if id == subscribeRequest { verifier = SequenceVerifier(after: ok.integer("seq") ?? 0) }
      unanswered -= 1
      if unanswered == 0 { proceed() }
    case .failure(let refusal): run.hubRefused(refusal)
    }
  }
}

// MARK: - What it hears

extension VirtualUser {
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let payload = unwrapInboundIn(data).payload
    // SAFETY: the pointer does not leave the closure.
    if payload.withUnsafeReadableBytes({ deliver($0) }) { return }
    switch ServerMessage.decode([UInt8](buffer: payload)) {
    case .reply(let id, let result): replied(id.number, result)
    case .event(let name, let object): heard(name, object)
    case nil: run.count(error: "no message of the protocol")
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    run.goOn()
    context.fireChannelReadComplete()
  }

  /// Whether the bytes are a message of the channel it listens to.
  // SAFETY: the pointer is not kept, and the scan's range lies within its bytes.
  private func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let hears, let message = MessageScan(bytes),
      let verdict = verifier?.received(message.seq)
    else { return false }
    let text = UnsafeRawBufferPointer(rebasing: bytes[message.text])
    let check = Stamp.check(text, bytes: textBytes, channel: hears)
    run.received(isOrderly(verdict, check), check, payloadBytes: bytes.count)
    return true
  }

  /// The verdict; late too when the sender's own order was not kept.
  private func isOrderly(
    _ verdict: SequenceVerifier.Verdict, _ check: Stamp.Check
  ) -> SequenceVerifier.Verdict {
    guard case .valid(let stamp) = check else { return verdict }
    defer { lastNumber = max(stamp.number, lastNumber ?? 0) }
    guard verdict == .inOrder, let lastNumber, stamp.number <= lastNumber else { return verdict }
    return .late
  }

  private func heard(_ event: String, _ object: JSONObject) {
    switch event {
    case "error":
      run.hubRefused(object.object("error").flatMap { Refusal($0) } ?? Refusal(.internal, "?"))
    case "gap": run.hubDropped()
    case "unsubscribed": run.count(error: "unsubscribed")
    default: run.countOther()
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let closed = event as? WebSocketClosed {
      run.closed(code: closed.code, reason: closed.reason)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
