internal import HubProtocol
package import HubWebSocket
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Opens bare WebSockets to one hub, thousands of them on one loop: what load tests are made of.
/// There is no session, no deadline for answers and no coming back; for those see
/// ``HubConnection``.
package struct BareConnector: Sendable {
  /// Owns every connection made here.
  package let loop: any EventLoop
  private let endpoint: Endpoint
  private let address: SocketAddress

  /// How long TCP, and then the upgrade, may take.
  private static let deadline = TimeAmount.seconds(10)

  /// Resolves the host, which may block.
  /// - Parameter url: as ``HubConnection`` takes it.
  /// - Throws: ``HubError/badURL``, or ``HubError/unreachable`` when the host is not known.
  package init(url: String) throws(HubError) {
    endpoint = try Endpoint(url)
    do {
      address = try SocketAddress.makeAddressResolvingHost(endpoint.host, port: endpoint.port)
    } catch {
      throw HubError(HubError.unreachable, "\(endpoint.host) cannot be resolved")
    }
    loop = MultiThreadedEventLoopGroup.singleton.next()
  }

  /// Makes a TCP connection that reads once per turn of the loop, so that many connections take
  /// turns.
  package func connect() -> EventLoopFuture<any Channel> {
    ClientBootstrap(group: loop)
      .connectTimeout(Self.deadline)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.maxMessagesPerRead, value: 1)
      .connect(to: address)
  }

  /// Makes a WebSocket of such a connection. To be called on the loop.
  /// - Parameter configure: appends handlers that get each ``WebSocketMessage``, on the loop.
  package func upgrade(
    _ channel: any Channel,
    configure: @escaping @Sendable (any Channel, WebSocketHandler) throws -> Void
  ) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    var webSocket = WebSocketConfiguration(
      role: .client(maskKey: { UInt32.random(in: .min ... .max) }))
    webSocket.maxMessageBytes = 2 * Limits.outboundBytes
    let request = ClientUpgradeRequest(
      host: endpoint.hostHeader, path: endpoint.path, subprotocols: ["hub.v1.json"],
      nonce: (.random(in: .min ... .max), .random(in: .min ... .max)))
    var upgrade = ClientUpgradeConfiguration(
      request: request, webSocket: webSocket, configure: configure)
    upgrade.deadline = Self.deadline
    do {
      try ClientUpgradeHandler.install(on: channel, upgrade, promise: promise)
    } catch {
      promise.fail(error)
    }
    return promise.futureResult
  }

  /// What ``connect()`` and ``upgrade(_:configure:)`` failed with, for people.
  package static func failure(_ error: any Error) -> HubError {
    let sentence =
      switch error {
      case let error as IOError: "connecting failed with errno \(error.errnoCode)"
      case ChannelError.connectTimeout, ClientUpgradeError.timedOut: "it did not answer in time"
      case ClientUpgradeError.refused(let status, _, _): "it answered with status \(status.code)"
      case ClientUpgradeError.connectionClosed: "the connection broke off"
      case ClientUpgradeError.invalid, ClientUpgradeError.notHTTP: "what answers is no hub"
      default: "\(error)"
      }
    return HubError(HubError.unreachable, sentence)
  }
}
