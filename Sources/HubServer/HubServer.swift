package import HubStorage
package import Logging
import NIOCore
import ServiceLifecycle

/// Why a hub did not start.
package enum StartError: Error, CustomStringConvertible {
  /// The address is taken, or not this machine's.
  case cannotListen(host: String, port: Int, reason: String)
  case dataDirectory(DataDirectoryError)

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host):\(port): \(reason)"
    case .dataDirectory(let error):
      error.description
    }
  }
}

/// The shell: wires listener, loops and sequencer together, runs them, and takes them down in
/// order.
package final class HubServer: Service {
  private let configuration: ServerConfiguration
  private let logger: Logger
  private let onListening: @Sendable (_ url: String) -> Void

  /// `onListening` is told the hub's URL once, when it can serve.
  package init(
    _ configuration: ServerConfiguration, logger: Logger,
    onListening: @escaping @Sendable (_ url: String) -> Void
  ) {
    self.configuration = configuration
    self.logger = logger
    self.onListening = onListening
  }

  /// Serves until a graceful shutdown is asked for, then closes every connection.
  package func run() async throws {
    let directory: DataDirectory
    do {
      directory = try DataDirectory(path: configuration.dataDirectory)
    } catch {
      throw StartError.dataDirectory(error)
    }
    let loops = HubLoops(count: configuration.loops)
    do {
      try await serve(on: loops)
    } catch {
      try await loops.shutDown()
      throw error
    }
    try await loops.shutDown()
    withExtendedLifetime(directory) {}
  }

  private func serve(on loops: HubLoops) async throws {
    let cluster = try await ShardCluster(on: loops, configuration)
    let listener = Listener(cluster: cluster, configuration: configuration)
    let channel = try await listener.bind(on: loops)
    let url = "http://\(Self.authority(configuration.host, channel.localAddress?.port ?? 0))"
    logger.info("listening", metadata: ["url": "\(url)"])
    onListening(url)

    try await gracefulShutdown()
    let connections = try await cluster.connectionCount()
    logger.info("stopping", metadata: ["connections": "\(connections)"])
    try await channel.close()
    try await cluster.closeAll()
    logger.info("stopped")
  }

  private static func authority(_ host: String, _ port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
