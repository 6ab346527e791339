internal import HubProtocol
internal import HubWebSocket
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// One open WebSocket to the hub. Belongs to the connection's loop.
struct Link {
  /// The most bytes of a message that is taken from the hub; it promises at most
  /// `Limits.outboundBytes`.
  private static let maxMessageBytes = 2 * Limits.outboundBytes

  let channel: any Channel
  let webSocket: WebSocketHandler

  /// Writes without flushing.
  func write(_ bytes: [UInt8]) {
    // SAFETY: the pointer is read at once; `encode` copies.
    let frame = bytes.withUnsafeBytes {
      Frame.encode(.text, bytes: $0, mask: UInt32.random(in: .min ... .max))
    }
    channel.write(frame, promise: nil)
  }

  /// Opens a TCP connection on `loop` and reports to `connection` there: `reached` or `ended`.
  static func reach(
    _ endpoint: Endpoint, attempt: Int, loop: any EventLoop, for connection: HubConnection
  ) {
    ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(connection.configuration.connectDeadline))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .connect(host: endpoint.host, port: endpoint.port)
      .whenComplete { [weak connection] result in
        guard let connection else {
          result.map { $0.close(promise: nil) }.ignore()
          return
        }
        // SAFETY: the future is of `loop`, which is the connection's executor.
        connection.assumeIsolated {
          switch result {
          case .success(let channel): $0.reached(channel, attempt: attempt)
          case .failure(let error):
            $0.ended(.unreachable(Self.sentence(error)), attempt: attempt)
          }
        }
      }
  }

  /// Makes a WebSocket of a TCP connection and reports to `connection`: `opened` or `ended`. To be
  /// called on the channel's loop.
  static func upgrade(
    _ channel: any Channel, to endpoint: Endpoint, attempt: Int, for connection: HubConnection
  ) {
    let promise = channel.eventLoop.makePromise(of: Void.self)
    let upgrade = Self.upgrade(to: endpoint, connection.configuration) {
      [weak connection] channel, handler in
      let loopBound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
      // SAFETY: `configure` is called on the channel's loop, which is the connection's executor.
      connection?.assumeIsolated { $0.prepared(channel, loopBound, attempt: attempt) }
      let link = LinkHandler(attempt: attempt, connection: connection)
      try channel.pipeline.syncOperations.addHandler(link)
    }
    promise.futureResult.whenComplete { [weak connection] result in
      // SAFETY: the promise is of the channel's loop, which is the connection's executor.
      connection?.assumeIsolated {
        switch result {
        case .success: $0.opened(attempt: attempt)
        case .failure(let error): $0.ended(Self.end(error), attempt: attempt)
        }
      }
    }
    do {
      try ClientUpgradeHandler.install(on: channel, upgrade, promise: promise)
    } catch {
      promise.fail(error)
    }
  }

  private static func upgrade(
    to endpoint: Endpoint, _ configuration: HubConfiguration,
    _ configure: @escaping @Sendable (any Channel, WebSocketHandler) throws -> Void
  ) -> ClientUpgradeConfiguration {
    var webSocket = WebSocketConfiguration(
      role: .client(maskKey: { UInt32.random(in: .min ... .max) }))
    webSocket.maxMessageBytes = maxMessageBytes
    webSocket.closeDeadline = TimeAmount(configuration.closeDeadline)
    let request = ClientUpgradeRequest(
      host: endpoint.hostHeader, path: endpoint.path, subprotocols: ["hub.v1.json"],
      nonce: (.random(in: .min ... .max), .random(in: .min ... .max)))
    var upgrade = ClientUpgradeConfiguration(
      request: request, webSocket: webSocket, configure: configure)
    upgrade.deadline = TimeAmount(configuration.connectDeadline)
    return upgrade
  }
}

// MARK: - What went wrong

extension Link {
  private static func sentence(_ error: any Error) -> String {
    guard let error = error as? NIOConnectionError else { return "\(error)" }
    guard let failure = error.connectionErrors.first else {
      return "\(error.host) cannot be resolved"
    }
    return switch failure.error {
    case let error as IOError: "connecting failed with errno \(error.errnoCode)"
    case ChannelError.connectTimeout: "connecting took too long"
    default: "\(failure.error)"
    }
  }

  private static func end(_ error: any Error) -> LinkEnd {
    guard let error = error as? ClientUpgradeError else { return .unreachable("\(error)") }
    return switch error {
    case .refused(let status, _, let body):
      .refused(status: Int(status.code), firstLine(body))
    case .invalid: .noHub("its answer is no WebSocket handshake")
    case .notHTTP: .noHub("what answers there does not speak HTTP")
    case .timedOut: .unreachable("it did not answer in time")
    case .connectionClosed: .abrupt("the connection broke off before the WebSocket was open")
    }
  }

  private static func firstLine(_ body: String) -> String {
    let line = body.prefix { !$0.isNewline }.prefix(200)
    return String(line.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
  }
}

extension Result {
  fileprivate func ignore() {}
}
