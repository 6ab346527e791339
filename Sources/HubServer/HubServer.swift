import HubProtocol
package import HubStorage
package import Logging
import NIOCore
import ServiceLifecycle

/// Why a hub did not start.
package enum StartError: Error, CustomStringConvertible {
  /// The address is taken, or not this machine's.
  case cannotListen(host: String, port: Int, reason: String)
  case dataDirectory(DataDirectoryError)
  /// What is stored cannot be used.
  case recovery(RecoveryRefusal)

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host):\(port): \(reason)"
    case .dataDirectory(let error):
      error.description
    case .recovery(let refusal):
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
    var random = SystemRandomNumberGenerator()
    let hashSeed = (random.next() as UInt64, random.next() as UInt64)
    let stored = try StoredState(configuration, hashSeed: hashSeed, logger: logger)
    let loops = HubLoops(count: configuration.loops)
    do {
      try await serve(on: loops, stored, hashSeed)
    } catch {
      stored.close()
      try await loops.shutDown()
      throw error
    }
    try await loops.shutDown()
  }

  private func serve(
    on loops: HubLoops, _ stored: StoredState, _ hashSeed: (UInt64, UInt64)
  ) async throws {
    let taker = SnapshotTaker(stored, logger: logger)
    let health = StorageHealth(logger: logger)
    let figures = HubFigures()
    let cluster = try await ShardCluster(
      on: loops, configuration, stored, hashSeed: hashSeed, snapshots: taker, health: health,
      figures: figures)
    try await begin(stored, cluster.sequencer, taker)
    let metrics = StorageMetrics(
      steps: stored.steps, journal: stored.journal, history: stored.history, health: health)
    let listener = Listener(
      cluster: cluster, configuration: configuration,
      status: HubStatus(trouble: { health.trouble }, metrics: { metrics.text + figures.text }))
    let channel = try await listener.bind(on: loops)
    let url = "http://\(Self.authority(configuration.host, channel.localAddress?.port ?? 0))"
    logger.info("listening", metadata: ["url": "\(url)"])
    onListening(url)

    let upkeep = Upkeep(
      configuration: configuration, stored: stored, sequencer: cluster.sequencer, taker: taker,
      logger: logger)
    try await upkeep.run { try await gracefulShutdown() }
    let connections = try await cluster.connectionCount()
    logger.info("stopping", metadata: ["connections": "\(connections)"])
    try await channel.close()
    try await cluster.closeAll()
    try await end(stored, cluster.sequencer, taker)
  }

  /// Before the first request can come: what must be on the disk by then.
  private func begin(
    _ stored: StoredState, _ sequencer: Sequencer, _ taker: SnapshotTaker
  ) async throws {
    if stored.needsEpochs { await sequencer.renewEpochs() }
    await sequencer.doubtNotifications(upTo: stored.doubtedNotifications)
    // The mark of the hub before this one says what was lost, until that has been made good.
    try stored.log.sync()
    if stored.needsSnapshot,
      case .failure(let refusal) = await taker.take(of: sequencer, because: "start")
    {
      throw StartError.recovery(.history(refusal.message))
    }
    try stored.markRunning()
  }

  private func end(
    _ stored: StoredState, _ sequencer: Sequencer, _ taker: SnapshotTaker
  ) async throws {
    let result = await taker.take(of: sequencer, because: "stop")
    if case .failure(let refusal) = result, stored.journal == nil {
      throw StopError.noLastSnapshot(refusal.message)
    }
    // With a journal a snapshot that fails loses nothing, if that is whole: the next start replays
    // more.
    try stored.close(hasSnapshot: (try? result.get()) != nil)
    logger.info("stopped")
  }

  private static func authority(_ host: String, _ port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
