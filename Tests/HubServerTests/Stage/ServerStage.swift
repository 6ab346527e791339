import HubCore
import HubProtocol
import HubServer
import HubStorage
import NIOCore
import NIOEmbedded
import SeededRandom

/// A whole hub on one embedded loop, with a log and a history that the test delays: everything
/// happens inside `run`, in the test's own thread.
final class ServerStage {
  let loop = EmbeddedEventLoop()
  let disk = DelayedRecordLog.Disk()
  let history = DelayedHistory()
  let shard: Shard

  init(
    windowMemory: Int = 1 << 20, requestsPerSecond: Int? = nil, heartbeatMilliseconds: Int = 25_000
  ) {
    let sequencer = Sequencer(
      loop: loop, executor: EmbeddedExecutor(),
      hub: .staged(
        windowMemory: windowMemory, requestsPerSecond: requestsPerSecond,
        heartbeatMilliseconds: heartbeatMilliseconds),
      log: DelayedRecordLog(disk: disk), history: history, clock: HubClock(), loopCount: 1)
    shard = Shard(
      index: 0, loop: loop, sequencer: sequencer,
      settings: ShardSettings(
        tokens: DevTokens(), heartbeatMilliseconds: heartbeatMilliseconds),
      clock: HubClock())
    let port = Sequencer.Port(loop: loop, shard: NIOLoopBound(shard, eventLoop: loop))
    sequencer.assumeIsolated { $0.attach([port]) }
  }

  /// Does everything that is to be done now.
  func run() {
    loop.run()
  }

  /// Makes what was logged durable, and lets it take effect.
  func sync(_ count: Int = .max) {
    disk.sync(count)
    run()
  }

  /// Lets history answer a read that waits for it.
  func answerHistory(_ answer: HistoryAnswer, at index: Int = 0) {
    history.answer(answer, at: index)
    run()
  }

  /// A new connection, upgraded `age` milliseconds ago.
  func connect(authorization: String? = nil, query: String? = nil, age: Int = 0) throws
    -> StageClient
  {
    try StageClient(self, authorization: authorization, query: query, age: age)
  }

  /// A new connection that has said hello, with the answer taken off.
  func join(_ user: String) throws -> StageClient {
    let client = try connect()
    try client.send(#"{"id":1,"op":"hello","token":"dev:\#(user)"}"#)
    _ = try client.heard()
    return client
  }
}

extension Hub {
  /// A hub whose random words are fixed.
  static func staged(
    windowMemory: Int = 1 << 20, requestsPerSecond: Int? = nil, heartbeatMilliseconds: Int = 25_000
  ) -> Hub {
    Hub(
      configuration: Configuration(
        registry: Registry.Configuration(windowMemory: windowMemory, hashSeed: (1, 2)),
        requestsPerSecond: requestsPerSecond, heartbeatMilliseconds: heartbeatMilliseconds,
        zones: SystemZones(start: Timestamp(milliseconds: 1_700_000_000_000)), idSeed: (3, 4)))
  }
}
