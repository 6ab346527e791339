import HubProtocol
import HubWebSocket
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// What stands at the other end of a test: a WebSocket server on a free loopback port that answers
/// by a script.
final class FakeHub: Sendable {
  /// What a request is answered with, in order.
  enum Answer: Sendable {
    case text(String)
    case close(UInt16)
    /// Ends TCP with no close frame.
    case drop
  }

  struct Asked: Sendable {
    let id: Int
    let op: String
    let json: JSONObject
    /// The connection's number: 1 is the first.
    let connection: Int
  }

  typealias Script = @Sendable (Asked) -> [Answer]

  private let listener: any Channel

  var url: String { "ws://127.0.0.1:\(listener.localAddress?.port ?? 0)" }

  static let hello =
    #"{"user":{"id":"ana"},"session":"s","heartbeat_ms":25000,"user_stream":{"channels":[]}}"#

  static func ok(_ asked: Asked, _ json: String = "{}") -> Answer {
    .text(#"{"id":\#(asked.id),"ok":\#(json)}"#)
  }

  init(hello: String = FakeHub.hello, _ script: @escaping Script) async throws {
    let connections = Mutex(0)
    let count: @Sendable () -> Int = {
      connections.withLock {
        $0 += 1
        return $0
      }
    }
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try ServerUpgradeHandler.install(
            on: channel, Self.configuration(hello, script, connection: count()))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private static func configuration(
    _ hello: String, _ script: @escaping Script, connection: Int
  ) -> ServerUpgradeConfiguration {
    var configuration = ServerUpgradeConfiguration(
      admit: { _ in .upgrade }, plain: { _ in .text(.notFound, "no") },
      configure: { channel, _, webSocket in
        let handler = Answering(
          webSocket, connection: connection, hello: hello, script: script)
        try channel.pipeline.syncOperations.addHandler(handler)
      })
    configuration.subprotocols = ["hub.v1.json"]
    return configuration
  }

  func stop() async throws {
    try await listener.close()
  }

  private final class Answering: ChannelInboundHandler {
    typealias InboundIn = WebSocketMessage
    typealias OutboundOut = ByteBuffer

    private let webSocket: WebSocketHandler
    private let connection: Int
    private let hello: String
    private let script: Script

    init(_ webSocket: WebSocketHandler, connection: Int, hello: String, script: @escaping Script) {
      self.webSocket = webSocket
      self.connection = connection
      self.hello = hello
      self.script = script
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let bytes = [UInt8](buffer: unwrapInboundIn(data).payload)
      guard let json = JSONObject(bytes), let op = json.string("op") else { return }
      let asked = Asked(id: json.integer("id") ?? 0, op: op, json: json, connection: connection)
      var answers = script(asked)
      if op == "hello", answers.isEmpty { answers = [FakeHub.ok(asked, hello)] }
      for answer in answers { perform(answer, context) }
    }

    private func perform(_ answer: Answer, _ context: ChannelHandlerContext) {
      switch answer {
      case .text(let text):
        let frame = Frame.encode(.text, payload: ByteBuffer(string: text), mask: nil)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
      case .close(let code): webSocket.sendClose(CloseCode(application: code))
      case .drop: context.close(promise: nil)
      }
    }
  }
}
