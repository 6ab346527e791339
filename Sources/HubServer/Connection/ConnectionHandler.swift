package import HubCore
package import HubProtocol
package import HubWebSocket
package import NIOCore

/// The hub's end of one connection, on the connection's loop: decodes what comes in, keeps it
/// within its allowance, and writes what the shard hands it.
package final class ConnectionHandler: ChannelDuplexHandler {
  package typealias InboundIn = WebSocketMessage
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  /// Bytes of frames that may wait for one connection before some are dropped. Measured after
  /// framing. 1 MiB.
  package static let outboundBytes = 1024 * 1024

  let webSocket: WebSocketHandler
  let shard: Shard
  private let token: UpgradeToken
  private var liveness: Liveness
  private(set) var context: ChannelHandlerContext?
  private var allowance = InboundAllowance()
  private var gate = RequestGate()
  private var isReadWanted = false
  /// Set once the peer broke the protocol: what still comes is dropped.
  private var isDeaf = false

  /// Where the connection stands in its shard's table; nil before and after.
  package private(set) var id: ConnectionID?
  /// Who said hello.
  package private(set) var user: UserRef?
  /// What waits for the end of this tick.
  var queue = SharedQueues.empty

  private(set) var socket: DirectSocket?
  /// What waits because the socket does not take it; nil while it takes everything.
  var backlog: Backlog?

  package init(webSocket: WebSocketHandler, shard: Shard, token: UpgradeToken, now: Int) {
    self.webSocket = webSocket
    self.shard = shard
    self.token = token
    liveness = Liveness(
      heartbeat: shard.settings.heartbeatMilliseconds, hasBadToken: token.isBad, now: now)
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    socket = DirectSocket(of: context.channel)
    id = shard.add(self)
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    peerLeft()
    self.context = nil
  }

  package func channelInactive(context: ChannelHandlerContext) {
    peerLeft()
    context.fireChannelInactive()
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is WebSocketClosed { peerLeft() }
    context.fireUserInboundEventTriggered(event)
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What TCP can do to a connection: nothing is left to be said to the peer.
    webSocket.abort()
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let id, !isDeaf else { return }
    let message = unwrapInboundIn(data)
    switch message.kind {
    case .binary:
      hearNothing(id, .unacceptableData)
    case .text:
      let bytes = message.payload.readableBytes
      // SAFETY: the decoder reads the bytes inside the call and keeps none of them.
      receive(message.payload.withUnsafeReadableBytes(RequestDecoder.decode), bytes, from: id)
    }
  }

  private func receive(_ inbound: Inbound, _ bytes: Int, from id: ConnectionID) {
    switch inbound {
    case .request(let request):
      receive(request, bytes, from: id)
    case .refused(let request, let op, let refusal):
      ask(.refused(id, request, op: op, refusal, bytes: bytes), bytes, isLarge: false)
    case .notAnObject:
      hearNothing(id, .notAnObject)
    }
  }

  /// Takes a request on. Tokens are looked at here, where what that costs is this loop's alone.
  private func receive(_ request: Request, _ bytes: Int, from id: ConnectionID) {
    let tokens = shard.settings.tokens
    if case .hello(let hello) = request.operation {
      liveness.helloCame()
      let identity = token.identity(of: hello, by: tokens)
      let arrival = Arrival.hello(
        id, request.id, identity, since: hello.sinceUser, bytes: bytes)
      ask(arrival, bytes, isLarge: true)
    } else if case .tokenRefresh(let token) = request.operation {
      ask(.refresh(id, request.id, tokens.verify(token), bytes: bytes), bytes, isLarge: false)
    } else {
      let isLarge = request.operation.hasLargeAnswer
      ask(.request(id, request, bytes: bytes), bytes, isLarge: isLarge)
    }
  }

  private func ask(_ arrival: Arrival, _ bytes: Int, isLarge: Bool) {
    allowance.take(bytes: bytes)
    if let next = gate.admit(arrival, isLarge: isLarge, isWritable: takesAnswers) {
      shard.send(next)
    }
  }

  private func hearNothing(_ id: ConnectionID, _ code: HubProtocol.CloseCode) {
    isDeaf = true
    ask(.violation(id, code), 0, isLarge: false)
  }

  /// Lets NIO read only while the allowance holds and the peer takes what it is sent.
  package func read(context: ChannelHandlerContext) {
    if allowance.isOpen, takesAnswers {
      context.read()
    } else {
      isReadWanted = true
    }
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    drain()
    goOn()
    context.fireChannelWritabilityChanged()
  }

  /// A request was answered.
  func answered(bytes: Int) {
    allowance.answer(bytes: bytes)
    gate.answered()
  }

  /// Lets through what waited, and reads again, where that has become possible.
  func goOn() {
    guard let context, id != nil else { return }
    while let next = gate.next(isWritable: takesAnswers) { shard.send(next) }
    guard isReadWanted, allowance.isOpen, takesAnswers else { return }
    isReadWanted = false
    context.read()
  }

  /// `hello` was accepted.
  func greeted(_ user: UserRef) {
    self.user = user
    liveness.greeted()
  }

  /// Done when TCP has ended; nil when it has.
  var closeFuture: EventLoopFuture<Void>? { context?.channel.closeFuture }

  /// Closes the connection behind what it is still to be told; nothing is delivered to it any more.
  /// Who takes nothing is told nothing.
  func close(_ code: HubProtocol.CloseCode) {
    if code != .slowConsumer { writeAll() }
    leave()
    webSocket.sendClose(HubWebSocket.CloseCode(hub: code), reason: code.reason)
  }

  /// Looks at the time, in milliseconds of uptime.
  package func tick(now: Int) {
    guard let id else { return }
    if isStuck(at: now) { return close(.slowConsumer) }
    // A connection that does not keep up may not be read from, so its silence means nothing.
    let hasHeard = webSocket.receivedSinceLastCheck || isSlow
    webSocket.receivedSinceLastCheck = false
    switch liveness.tick(now: now, hasHeard: hasHeard) {
    case .nothing: break
    case .ping: webSocket.sendPing()
    case .closeSilent: close(.noSignOfLife)
    case .closeWithoutHello: close(.noHello)
    case .refuseToken:
      let identity = token.identity(of: Hello(token: nil), by: shard.settings.tokens)
      ask(.hello(id, nil, identity, since: nil, bytes: 0), 0, isLarge: true)
    }
  }

  /// The peer has gone: what it asked before still happens, though nobody hears of it.
  private func peerLeft() {
    guard id != nil else { return }
    for arrival in gate.takeHeld() { shard.send(arrival) }
    leave()
  }

  private func leave() {
    guard let id else { return }
    self.id = nil
    backlog = nil
    shard.remove(id)
  }
}

extension HubWebSocket.CloseCode {
  /// The hub's close code as WebSocket frames carry it.
  package init(hub code: HubProtocol.CloseCode) {
    switch code {
    case .goingAway: self = .goingAway
    case .unacceptableData: self = .unacceptableData
    case .tokenExpired, .noHello, .noSignOfLife, .slowConsumer, .tooManyRequests, .draining,
      .badToken, .notAnObject, .removedByOperator, .connectionLimit:
      self.init(application: code.rawValue)
    }
  }
}
