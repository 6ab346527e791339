import HubCore
import HubServer
import HubStorage
import HubWebSocket
import NIOCore
import NIOEmbedded

/// A whole hub on several loops, each with its own thread of control: what goes from one to
/// another hops, and a hop is done when the test runs the loop.
final class LoopsStage: Sendable {
  private let sequencerLoop: NIOAsyncTestingEventLoop
  private let ports: [(loop: NIOAsyncTestingEventLoop, shard: NIOLoopBound<Shard>)]

  /// `hasOwnLoop` says whether the sequencer has a loop besides the `loopCount` of the shards.
  init(loopCount: Int, hasOwnLoop: Bool) async throws {
    let loops = (0..<loopCount).map { _ in NIOAsyncTestingEventLoop() }
    let heart = hasOwnLoop ? NIOAsyncTestingEventLoop() : loops[0]
    let log = DelayedRecordLog(disk: DelayedRecordLog.Disk())
    let sequencer = Sequencer(
      loop: heart, executor: heart.executor, hub: .staged(), log: log, history: NoHistory(),
      clock: HubClock(), loopCount: loopCount)
    var ports: [(loop: NIOAsyncTestingEventLoop, shard: NIOLoopBound<Shard>)] = []
    for (index, loop) in loops.enumerated() {
      let shard = try await loop.executeInContext {
        let settings = ShardSettings(tokens: DevTokens(), heartbeatMilliseconds: 25_000)
        let shard = Shard(
          index: UInt16(index), loop: loop, sequencer: sequencer, settings: settings,
          clock: HubClock())
        return NIOLoopBound(shard, eventLoop: loop)
      }
      ports.append((loop, shard))
    }
    sequencerLoop = heart
    self.ports = ports
    let attached = ports.map { Sequencer.Port(loop: $0.loop, shard: $0.shard) }
    try await heart.executeInContext { sequencer.assumeIsolated { $0.attach(attached) } }
  }

  /// A new connection on the loop of that index.
  func connect(loop index: Int) async throws -> NIOAsyncTestingChannel {
    let (loop, shard) = ports[index]
    let channel = NIOAsyncTestingChannel(loop: loop)
    try await loop.executeInContext {
      let webSocket = WebSocketHandler(WebSocketConfiguration(role: .server))
      let handler = ConnectionHandler(
        webSocket: webSocket, shard: shard.value,
        token: UpgradeToken(authorization: nil, query: nil, by: DevTokens()), now: 0)
      try channel.pipeline.syncOperations.addHandlers([webSocket, handler])
    }
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
    return channel
  }

  /// Does one round of what is to be done on every loop; a message needs a few until it is there.
  func run(rounds: Int = 1) async {
    for _ in 0..<rounds {
      if !ports.contains(where: { $0.loop === sequencerLoop }) { await sequencerLoop.run() }
      for port in ports { await port.loop.run() }
    }
  }
}

/// One client of a `LoopsStage`.
struct LoopsClient: ~Copyable {
  private let channel: NIOAsyncTestingChannel
  private var listener = FrameListener()

  init(_ stage: LoopsStage, loop: Int) async throws {
    channel = try await stage.connect(loop: loop)
  }

  /// Sends a text message; nothing is done with it before the stage runs.
  func send(_ text: String) async throws {
    let frame = Frame.encode(.text, payload: ByteBuffer(string: text), mask: 7)
    try await channel.writeInbound(frame)
  }

  /// What the hub has sent since the last call, in short.
  mutating func heard() async throws -> [String] {
    while let buffer = try await channel.readOutbound(as: ByteBuffer.self) {
      listener.hear(buffer)
    }
    return listener.take().map(\.summary)
  }
}
