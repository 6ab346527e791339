import HubWebSocket
import NIOCore
import NIOHTTP1
import NIOPosix

/// Accepts TCP connections and sets each up to answer HTTP until it becomes a WebSocket.
struct Listener: Sendable {
  /// Connections that may wait to be accepted.
  static let backlog = 4_096
  /// The subprotocol that the hub speaks, whether or not a client asks for it.
  static let subprotocol = "hub.v1.json"

  let cluster: ShardCluster
  let configuration: ServerConfiguration
  let status: HubStatus

  /// Listens; throws `StartError.cannotListen` when the address cannot be had.
  func bind(on loops: HubLoops) async throws -> any Channel {
    let upgrade = upgradeConfiguration()
    let bootstrap = ServerBootstrap(group: loops.group)
      .serverChannelOption(.backlog, value: CInt(Self.backlog))
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try ServerUpgradeHandler.install(on: channel, upgrade)
        }
      }
    do {
      return try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
    } catch {
      throw StartError.cannotListen(
        host: configuration.host, port: configuration.port, reason: Self.reason(error))
    }
  }

  private func upgradeConfiguration() -> ServerUpgradeConfiguration {
    let http = PlainHTTP(
      policy: configuration.isDevelopment ? LoopbackPolicy() : nil, status: status)
    let cluster = cluster
    var upgrade = ServerUpgradeConfiguration(
      admit: { http.admit($0) }, plain: { http.answer($0) },
      configure: { channel, head, webSocket in
        try Self.configure(channel, head, webSocket, on: cluster)
      })
    upgrade.subprotocols = [Self.subprotocol]
    return upgrade
  }

  private static func configure(
    _ channel: any Channel, _ head: HTTPRequestHead, _ webSocket: WebSocketHandler,
    on cluster: ShardCluster
  ) throws {
    guard let shard = cluster.shard(on: channel.eventLoop) else {
      preconditionFailure("every loop that serves connections has a shard")
    }
    let token = UpgradeToken(
      authorization: head.headers.first(name: "authorization"),
      query: PlainHTTP.argument("token", of: head), by: shard.settings.tokens)
    let handler = ConnectionHandler(
      webSocket: webSocket, shard: shard, token: token, now: HubClock().uptime())
    try channel.pipeline.syncOperations.addHandler(handler)
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? IOError else { return "\(error)" }
    return "\(error.description)"
  }
}
