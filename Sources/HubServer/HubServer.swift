import HubProtocol
package import HubStorage
package import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// Why a hub did not start.
package enum StartError: Error, CustomStringConvertible {
  /// The address is taken, or not this machine's.
  case cannotListen(host: String, port: Int, reason: String)
  case dataDirectory(DataDirectoryError)
  /// What is stored cannot be used.
  case snapshots(SnapshotRefusal)

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host):\(port): \(reason)"
    case .dataDirectory(let error):
      error.description
    case .snapshots(let refusal):
      refusal.description
    }
  }
}

/// Why a hub did not stop in order.
package enum StopError: Error, CustomStringConvertible {
  /// The last snapshot could not be taken: what came after the one before it is lost.
  case noLastSnapshot(String)

  package var description: String {
    switch self {
    case .noLastSnapshot(let reason): "what came after the last snapshot is lost: \(reason)"
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

  /// Serves until a graceful shutdown is asked for, then closes every connection and takes a last
  /// snapshot.
  package func run() async throws {
    let stored = try StoredState(configuration, logger: logger)
    let loops = HubLoops(count: configuration.loops)
    do {
      try await serve(on: loops, stored)
    } catch {
      try await loops.shutDown()
      throw error
    }
    try await loops.shutDown()
  }

  private func serve(on loops: HubLoops, _ stored: StoredState) async throws {
    let taker = SnapshotTaker(store: stored.store, storeID: stored.storeID, logger: logger)
    let cluster = try await ShardCluster(on: loops, configuration, stored, snapshots: taker)
    let listener = Listener(cluster: cluster, configuration: configuration)
    let channel = try await bind(listener, on: loops, stored)
    let url = "http://\(Self.authority(configuration.host, channel.localAddress?.port ?? 0))"
    logger.info("listening", metadata: ["url": "\(url)"])
    onListening(url)

    try await takeSnapshots(by: taker, of: cluster.sequencer) {
      try await gracefulShutdown()
    }
    let connections = try await cluster.connectionCount()
    logger.info("stopping", metadata: ["connections": "\(connections)"])
    try await channel.close()
    try await cluster.closeAll()
    if case .failure(let refusal) = await taker.take(of: cluster.sequencer, because: "stop") {
      throw StopError.noLastSnapshot(refusal.message)
    }
    try stored.store.markStopped()
    logger.info("stopped")
  }

  /// Listens, with the mark that a hub runs here set before the first request can come.
  private func bind(
    _ listener: Listener, on loops: HubLoops, _ stored: StoredState
  ) async throws -> any Channel {
    try stored.markRunning()
    do {
      return try await listener.bind(on: loops)
    } catch {
      if !stored.isUnclean { try stored.store.markStopped() }
      throw error
    }
  }

  /// Takes a snapshot at each interval and on SIGUSR1, for as long as `body` runs. What goes wrong
  /// is in the log; the next one may succeed.
  private func takeSnapshots(
    by taker: SnapshotTaker, of sequencer: Sequencer, while body: () async throws -> Void
  ) async throws {
    let interval = configuration.snapshotInterval
    let timer = Task {
      while true {
        try await Task.sleep(for: interval)
        _ = await taker.take(of: sequencer, because: "interval")
      }
    }
    let signals = await UnixSignalsSequence(trapping: .sigusr1)
    let watch = Task {
      for await _ in signals { _ = await taker.take(of: sequencer, because: "SIGUSR1") }
    }
    defer {
      timer.cancel()
      watch.cancel()
    }
    try await body()
  }

  private static func authority(_ host: String, _ port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
