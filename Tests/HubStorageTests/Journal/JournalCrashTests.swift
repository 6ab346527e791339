import HubStorage
import SeededRandom
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: a journal whose machine crashes")
struct JournalCrashTests {
  private static let seeds: [UInt64] = [1, 2] + (0..<2).map { _ in UInt64.random(in: 0 ... .max) }
  private static let steps = 40

  /// What must be found after a crash.
  private struct Promise {
    var synced = LSN(0)
    var attempted = LSN(0)
    var deletable = LSN(0)

    mutating func take(_ life: JournalWorkload) {
      synced = max(synced, life.synced)
      attempted = max(life.attempted, life.synced)
      deletable = max(deletable, life.deletable)
    }
  }

  /// Opens or makes the journal and works on it, until it is done or the machine crashes.
  private func live(
    on disk: SimulatedDisk, seed: UInt64, _ promise: inout Promise, _ comment: Comment
  ) throws {
    let writer: JournalWriter
    do {
      let place = JournalStage.place(disk)
      writer =
        try place.recover()?.writer
        ?? place.create(store: JournalStage.store, firstLSN: LSN(1))
    } catch {
      if !disk.hasCrashed { Issue.record("refused: \(error): \(comment)") }
      return
    }
    if !disk.hasCrashed { try check(writer, promise, comment) }
    // What was found is synced now, and all there is.
    promise.synced = max(promise.synced, writer.last)
    promise.attempted = writer.last
    var life = JournalWorkload(writer, seed: seed)
    do throws(LogFailure) {
      try life.work(Self.steps)
    } catch {
      if !disk.hasCrashed { Issue.record("failed: \(error): \(comment)") }
    }
    promise.take(life)
  }

  private func check(
    _ writer: JournalWriter, _ promise: Promise, _ comment: Comment
  ) throws {
    #expect(promise.synced <= writer.last && writer.last <= promise.attempted, comment)
    #expect(writer.first.number <= promise.deletable.number + 1, comment)
    try JournalStage.check(writer, comment)
  }

  @Test("at any operation, it has what was synced, nothing else, and no holes", arguments: seeds)
  func crashes(seed: UInt64) throws {
    let whole = try JournalStage.disk()
    var promise = Promise()
    try live(on: whole, seed: seed, &promise, "seed \(seed), without a crash")
    #expect(promise.synced > LSN(20) && whole.operations > 60)
    for operation in 1...whole.operations - 2 {
      var random = SplitMix64(seed: seed ^ UInt64(operation) << 32)
      var disk = try JournalStage.disk()
      var promise = Promise()
      disk.crashAtOperation(operation)
      try live(on: disk, seed: seed, &promise, "seed \(seed), operation \(operation)")
      #expect(disk.hasCrashed)
      // It is crashed again, on its way up or later, and in the end it runs.
      for round in 1...4 {
        disk = disk.crash(seed: random.next())
        if round < 4 { disk.crashAtOperation(1 + random.below(30)) }
        try live(
          on: disk, seed: random.next(), &promise,
          "seed \(seed), operation \(operation), round \(round)")
      }
      #expect(!disk.hasCrashed)
    }
  }

  @Test("a process that is killed loses nothing that was written", arguments: seeds)
  func killed(seed: UInt64) throws {
    var disk = try JournalStage.disk()
    var writer = try JournalStage.journal(on: disk)
    for round in 0..<20 {
      var life = JournalWorkload(writer, seed: seed ^ UInt64(round))
      try life.work(10)
      disk = disk.restart()
      writer = try JournalStage.recover(disk).writer
      #expect(writer.last == life.writer.last, "seed \(seed), round \(round)")
      try JournalStage.check(writer, "seed \(seed), round \(round)")
    }
  }

  @Test("what was cut never comes back, whatever is written in its place", arguments: seeds)
  func stale(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<100 {
      let disk = try JournalStage.disk()
      var writer = try JournalStage.journal(on: disk)
      try writer.append(1 + random.below(3))
      try writer.write(JournalStage.batch(1 + random.below(12), after: writer))
      let crashed = disk.crash(seed: random.next())
      let recovery = try JournalStage.recover(crashed)
      var again = recovery.writer
      // Frames as long as those that were cut, and then none where the next of those stood.
      try again.write(JournalStage.batch(1, after: again))
      try again.sync()
      let after = try JournalStage.recover(crashed.crash(seed: random.next()))
      #expect(after.writer.last == again.last, "seed \(seed), round \(round)")
      #expect(after.cut == nil, "seed \(seed), round \(round)")
    }
  }
}
