import HubStorage
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: a journal whose disk fails or is full")
struct JournalFailureTests {
  private static let steps = 60

  /// Operations of a life in which nothing fails.
  private func operations(seed: UInt64) throws -> Int {
    let disk = try JournalStage.disk()
    var life = JournalWorkload(try JournalStage.journal(on: disk), seed: seed)
    let before = disk.operations
    try life.work(Self.steps)
    return disk.operations - before
  }

  @Test(
    "no room, at any operation: it goes on where it was, once there is some",
    arguments: [1, 2, 3] as [UInt64])
  func noSpace(seed: UInt64) throws {
    var fullCount = 0
    for operation in 1...(try operations(seed: seed)) {
      let disk = try JournalStage.disk(seed: seed)
      var life = JournalWorkload(try JournalStage.journal(on: disk), seed: seed)
      disk.failOperation(operation, .noSpace, lasting: operation.isMultiple(of: 2))
      let isDone = endures(&life, on: disk, &fullCount)
      // Only a sync that failed ends it; then what was synced is there all the same.
      if isDone { try life.sync() }
      let found = try JournalStage.recover(isDone ? disk.crash(seed: seed) : disk.restart())
      #expect(life.synced <= found.writer.last, "operation \(operation)")
      #expect(found.writer.last <= life.attempted, "operation \(operation)")
      try JournalStage.check(found.writer, "operation \(operation)")
    }
    #expect(fullCount > 10)
  }

  /// Lives on, making room whenever there is none; false when it failed for good.
  private func endures(
    _ life: inout JournalWorkload, on disk: SimulatedDisk, _ fullCount: inout Int
  ) -> Bool {
    for _ in 0..<Self.steps {
      do throws(LogFailure) {
        try life.work(1)
      } catch {
        guard error == .full else { return false }
        fullCount += 1
        disk.clearFailures()
      }
    }
    return true
  }

  @Test(
    "an error, at any operation, is final: nothing is written any more",
    arguments: [1, 2, 3] as [UInt64])
  func inputOutput(seed: UInt64) throws {
    for operation in 1...(try operations(seed: seed)) {
      let disk = try JournalStage.disk(seed: seed)
      var life = JournalWorkload(try JournalStage.journal(on: disk), seed: seed)
      disk.failOperation(operation, .inputOutput)
      let thrown = #expect(throws: LogFailure.self) { try life.work(Self.steps) }
      let error = try #require(thrown)
      #expect(error.description.contains("Input/output error"))
      let before = disk.operations
      var writer = life.writer
      #expect(throws: error) { try writer.sync() }
      #expect(throws: error) { try writer.seal(isFinal: true) }
      #expect(throws: error) { try writer.write(JournalStage.batch(1, after: writer)) }
      #expect(throws: error) { try writer.deleteSegments(upTo: LSN(1_000)) }
      writer.prepareAhead()
      #expect(disk.operations == before, "operation \(operation)")
      try restart(disk, life, seed: seed, "operation \(operation)")
    }
  }

  /// Starts a hub again after a failure, and crashes the machine then: what the hub found must not
  /// have been in memory alone.
  private func restart(
    _ disk: SimulatedDisk, _ life: JournalWorkload, seed: UInt64, _ comment: Comment
  ) throws {
    let second = disk.restart()
    let found = try JournalStage.recover(second).writer
    #expect(life.synced <= found.last && found.last <= life.attempted, comment)
    try JournalStage.check(found, comment)
    for crash in 0..<4 {
      let third = try JournalStage.recover(second.crash(seed: seed + UInt64(crash))).writer
      #expect(third.last == found.last, comment)
      try JournalStage.check(third, comment)
    }
    let crashed = try JournalStage.recover(disk.crash(seed: seed)).writer
    #expect(life.synced <= crashed.last, comment)
  }

  @Test("a full disk is told while there is still room for what is pending")
  func aheadOfNeed() throws {
    let disk = try JournalStage.disk()
    var writer = try JournalStage.journal(on: disk)
    disk.setCapacity(disk.usedBytes + 100)
    while writer.state == .writable { try writer.append(1) }
    #expect(writer.state == .full && writer.segmentCount == 1)
    let last = writer.last
    try writer.append(1, 1, 1, 1)
    #expect(writer.state == .full && writer.last == LSN(last.number + 4))
    disk.setCapacity(nil)
    writer.prepareAhead()
    #expect(writer.state == .writable && writer.segmentCount == 2)
    try writer.append(20)
    try JournalStage.check(JournalStage.recover(disk.crash(seed: 1)).writer)
  }

  @Test("a batch without room stays as it is, and is written when there is some")
  func pending() throws {
    let disk = try JournalStage.disk()
    var writer = try JournalStage.journal(on: disk)
    disk.setCapacity(disk.usedBytes)
    try writer.append(5)
    let batch = JournalStage.batch(40, after: writer)
    for _ in 0..<3 {
      #expect(throws: LogFailure.full) { try writer.write(batch) }
      #expect(writer.last == LSN(5) && writer.state == .full)
    }
    #expect(try JournalStage.recover(disk.crash(seed: 2)).writer.last == LSN(5))
    disk.setCapacity(nil)
    try writer.write(batch)
    try writer.sync()
    writer.prepareAhead()
    #expect(writer.state == .writable)
    #expect(try JournalStage.check(JournalStage.recover(disk.crash(seed: 2)).writer) == 45)
  }

  @Test("a disk that is full at the start is told, and later it works")
  func fullAtStart() throws {
    let disk = try JournalStage.disk()
    disk.setCapacity(500)
    var writer = try JournalStage.journal(on: disk)
    #expect(writer.state == .full)
    #expect(throws: LogFailure.full) { try writer.write(JournalStage.batch(1, after: writer)) }
    var again = try JournalStage.recover(disk.restart()).writer
    #expect(again.last == LSN(0) && again.state == .full)
    disk.setCapacity(nil)
    try writer.append(2)
    #expect(writer.state == .writable)
    again = try JournalStage.recover(disk.crash(seed: 1)).writer
    #expect(again.last == LSN(2))
  }
}
