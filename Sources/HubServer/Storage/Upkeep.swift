import HubCore
import HubStorage
import Logging
import UnixSignals

/// What goes on in the background while a hub serves: snapshots at each interval, by journal size
/// and on SIGUSR1, and retention. What goes wrong is in the log; the next time may succeed.
struct Upkeep: Sendable {
  /// Bytes of journal after which a snapshot is taken: 256 MiB.
  static let journalBytes = 256 * 1024 * 1024

  let configuration: ServerConfiguration
  let stored: StoredState
  let sequencer: Sequencer
  let taker: SnapshotTaker
  let logger: Logger

  /// Runs for as long as `body` does.
  func run(while body: () async throws -> Void) async throws {
    let signals = await UnixSignalsSequence(trapping: .sigusr1)
    let tasks = [
      Task { try await takeSnapshots() },
      Task { for await _ in signals { _ = await taker.take(of: sequencer, because: "SIGUSR1") } },
      Task { try await applyRetention() },
    ]
    defer { for task in tasks { task.cancel() } }
    try await body()
  }

  private func takeSnapshots() async throws {
    let clock = ContinuousClock()
    var due = clock.now + configuration.snapshotInterval
    while true {
      try await Task.sleep(for: min(.seconds(1), configuration.snapshotInterval))
      let isLarge = taker.journalBytes >= Self.journalBytes
      guard isLarge || clock.now >= due else { continue }
      _ = await taker.take(of: sequencer, because: isLarge ? "journal" : "interval")
      due = clock.now + configuration.snapshotInterval
    }
  }

  private func applyRetention() async throws {
    guard !configuration.retention.isEmpty else { return }
    let retention = Retention(
      policy: configuration.retention, history: stored.history, sequencer: sequencer,
      logger: logger)
    while true {
      await retention.sweep(at: HubClock().moment().wall)
      try await Task.sleep(for: configuration.retentionInterval)
    }
  }
}
