import HubCore
import HubProtocol
import HubStorage
import NIOCore

/// All shards of a hub and their sequencer.
struct ShardCluster: Sendable {
  private let ports: [Sequencer.Port]
  let sequencer: Sequencer

  /// Makes the sequencer on the first loop of `loops.sequencer`, and a shard on each of
  /// `loops.connections`.
  init(
    on loops: HubLoops, _ configuration: ServerConfiguration, _ stored: StoredState,
    hashSeed: (UInt64, UInt64), snapshots: SnapshotTaker, health: StorageHealth,
    figures: HubFigures
  ) async throws {
    let clock = HubClock()
    let heart = loops.sequencer
    let served = loops.connections
    let heartbeat = Int(configuration.heartbeat.components.seconds) * 1_000
    var hub = Hub(
      configuration: Self.hubConfiguration(
        configuration, hashSeed, heartbeatMilliseconds: heartbeat),
      registry: stored.registry)
    hub.historyHas(stored.history.applied.number)
    let sequencer = Sequencer(
      loop: heart, executor: heart.executor, hub: hub, log: stored.log, history: stored.history,
      snapshots: snapshots, health: health, figures: figures, clock: clock,
      loopCount: served.count)
    self.sequencer = sequencer
    let settings = ShardSettings(tokens: DevTokens(), heartbeatMilliseconds: heartbeat)

    var ports: [Sequencer.Port] = []
    for (index, loop) in served.enumerated() {
      let shard = loop.submit {
        let shard = Shard(
          index: UInt16(index), loop: loop, sequencer: sequencer, settings: settings, clock: clock)
        shard.start()
        return NIOLoopBound(shard, eventLoop: loop)
      }
      ports.append(Sequencer.Port(loop: loop, shard: try await shard.get()))
    }
    self.ports = ports
    await sequencer.attach(ports)
    sequencer.listen(to: stored.historyNotices)
  }

  /// The shard of a connection's loop; nil where there is none.
  func shard(on loop: any EventLoop) -> Shard? {
    ports.first { $0.loop === loop }?.shard.value
  }

  /// How many connections there are.
  func connectionCount() async throws -> Int {
    var count = 0
    for port in ports { count += try await port.loop.submit { port.shard.value.count }.get() }
    return count
  }

  /// Closes all connections and waits until they are gone; the close deadline bounds that.
  func closeAll() async throws {
    for port in ports {
      try await port.loop.flatSubmit { port.shard.value.closeAll(.goingAway) }.get()
    }
  }

  private static func hubConfiguration(
    _ configuration: ServerConfiguration, _ hashSeed: (UInt64, UInt64),
    heartbeatMilliseconds: Int
  ) -> Hub.Configuration {
    var random = SystemRandomNumberGenerator()
    return Hub.Configuration(
      registry: Registry.Configuration(
        windowMemory: configuration.windowMemory.bytes, hashSeed: hashSeed),
      requestsPerSecond: configuration.requestsPerSecond,
      heartbeatMilliseconds: heartbeatMilliseconds,
      zones: SystemZones(start: HubClock().moment().wall), idSeed: (random.next(), random.next()))
  }
}
