import HubProtocol
import HubServer
import HubWebSocket
import NIOCore
import NIOEmbedded

/// Stands in the place of a socket: counts what is asked of it.
final class SocketRecorder: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  private(set) var reads = 0
  private(set) var flushes = 0

  func read(context: ChannelHandlerContext) {
    reads += 1
    context.read()
  }

  func flush(context: ChannelHandlerContext) {
    flushes += 1
    context.flush()
  }
}

/// Keeps the flushes of a socket that takes nothing.
final class OutboundHolder: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  /// Whether what is written waits.
  var isHolding = false
  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  func flush(context: ChannelHandlerContext) {
    if !isHolding { context.flush() }
  }

  /// Takes what has been written so far, and nothing of what comes then.
  func letOne() {
    context?.flush()
  }

  /// Takes everything from now on.
  func release() {
    isHolding = false
    context?.flush()
  }
}

/// One client of a `ServerStage`: its socket is an embedded channel.
final class StageClient {
  let channel: EmbeddedChannel
  let socket = SocketRecorder()
  let handler: ConnectionHandler
  /// Uptime at which it was opened.
  let openedAt: Int
  private let stage: ServerStage
  private var listener = FrameListener()

  init(_ stage: ServerStage, authorization: String?, query: String?, age: Int) throws {
    self.stage = stage
    channel = EmbeddedChannel(loop: stage.loop)
    openedAt = Int(NIODeadline.now().uptimeNanoseconds / 1_000_000)
    let webSocket = WebSocketHandler(WebSocketConfiguration(role: .server))
    handler = ConnectionHandler(
      webSocket: webSocket, shard: stage.shard,
      token: UpgradeToken(authorization: authorization, query: query, by: DevTokens()),
      now: openedAt - age)
    try channel.pipeline.syncOperations.addHandlers([socket, webSocket, handler])
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
  }

  deinit {
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  /// Sends text messages in one packet, and lets the hub do what it can.
  func send(_ texts: String...) throws {
    try send(texts)
  }

  func send(_ texts: [String]) throws {
    try send(bytes: texts.map { Frame.encode(.text, payload: ByteBuffer(string: $0), mask: 7) })
  }

  /// Sends one frame of any kind.
  func send(_ opcode: Opcode, _ payload: String = "") throws {
    try send(bytes: [Frame.encode(opcode, payload: ByteBuffer(string: payload), mask: 7)])
  }

  private func send(bytes: [ByteBuffer]) throws {
    var packet = ByteBuffer()
    for bytes in bytes { packet.writeImmutableBuffer(bytes) }
    try channel.writeInbound(packet)
    stage.run()
  }

  /// What the hub has sent since the last call, in short: `7 ok`, `7 not_member`, `message 3`.
  func heard() throws -> [String] {
    try messages().map(\.summary)
  }

  /// The same, whole.
  func messages() throws -> [Heard] {
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { listener.hear(buffer) }
    return listener.take()
  }

  /// Bytes that were written and not taken yet.
  var bufferedBytes: Int {
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  /// Says that the peer takes what it is sent, or no longer does.
  func setWritable(_ isWritable: Bool) {
    channel.isWritable = isWritable
    channel.pipeline.fireChannelWritabilityChanged()
    stage.run()
  }

  /// Ends TCP.
  func hangUp() {
    channel.close(promise: nil)
    stage.run()
  }
}
