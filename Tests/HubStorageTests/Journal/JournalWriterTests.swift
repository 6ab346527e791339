import HubStorage
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: the journal, segment by segment")
struct JournalWriterTests {
  private let disk: SimulatedDisk
  private let writer: JournalWriter

  init() throws {
    disk = try JournalStage.disk()
    writer = try JournalStage.journal(on: disk)
  }

  private func outline() throws -> JournalOutline {
    try #require(try JournalStage.place(disk).inspect())
  }

  @Test("a fresh directory has none; a new one is empty and begins where it is told")
  func empty() throws {
    #expect(try JournalStage.place(JournalStage.disk()).recover() == nil)
    let disk = try JournalStage.disk()
    let journal = try JournalStage.journal(on: disk, firstLSN: 41)
    #expect(journal.first == LSN(41) && journal.last == LSN(40) && journal.synced == LSN(40))
    let recovery = try JournalStage.recover(disk)
    #expect(recovery.writer.last == LSN(40) && recovery.writer.store == JournalStage.store)
    #expect(recovery.cut == nil && !recovery.wasStoppedInOrder)
  }

  @Test("what was written is replayed, from any record on, twice the same")
  func replay() throws {
    var writer = writer
    try writer.append(3, 1, 10, 5, 20, 30)
    #expect(writer.last == LSN(69) && writer.synced == LSN(69))
    for start in 0...70 {
      let count = try JournalStage.check(writer, from: start)
      #expect(count == 69 - max(start, 1) + 1)
    }
    let recovered = try JournalStage.recover(disk).writer
    #expect(try JournalStage.check(recovered) == 69)
    #expect(try JournalStage.check(recovered) == 69)
  }

  @Test("segments are doubled up to the largest, sealed when the next begins, and full of records")
  func rotation() throws {
    var writer = writer
    for _ in 0..<120 { try writer.append(2) }
    let segments = try outline().segments
    #expect(segments.map(\.byteCount).prefix(4) == [768, 1_536, 3_072, 3_072])
    let begun = segments.filter { $0.first != nil }
    #expect(begun.dropLast().allSatisfy(\.isSealed) && begun.last?.isSealed == false)
    #expect(begun.allSatisfy { $0.flaws.isEmpty && $0.unsealedTail == 0 })
    for (one, other) in zip(begun, begun.dropFirst()) {
      #expect(one.last.map { $0.number + 1 } == other.first?.number)
    }
    #expect(begun.last?.last == writer.last && segments.count == writer.segmentCount)
    #expect(segments.reduce(0) { $0 + $1.byteCount } == writer.byteCount)
  }

  @Test("the next segment is there and listed once the current one is half full")
  func ahead() throws {
    var writer = writer
    #expect(writer.segmentCount == 1)
    while writer.segmentCount == 1 { try writer.append(1) }
    let outline = try outline()
    #expect(outline.segments[0].usedBytes * 2 >= 768)
    #expect(outline.segments[0].usedBytes * 2 < 768 + 200)
    #expect(outline.segments[1].first == nil && outline.segments[1].byteCount == 1_536)
    #expect(try JournalStage.recover(disk).writer.segmentCount == 2)
  }

  @Test("a batch that no segment would hold gets a larger one", arguments: [10, 100, 400])
  func largeBatch(before: Int) throws {
    var writer = writer
    try writer.append(before, 300, 3)
    #expect(try JournalStage.check(JournalStage.recover(disk).writer) == before + 303)
    #expect(try outline().segments.contains { $0.byteCount > 3_072 })
  }

  @Test("a seal is written once, and the last one says that the hub stopped in order")
  func seals() throws {
    var writer = writer
    try writer.seal(isFinal: false)
    #expect(writer.isSealed && writer.written == 0, "there is nothing to seal")
    try writer.append(2)
    #expect(!writer.isSealed)
    for _ in 0..<3 { try writer.seal(isFinal: false) }
    #expect(try !JournalStage.recover(disk.crash(seed: 1)).wasStoppedInOrder)
    let written = writer.written
    for _ in 0..<3 { try writer.seal(isFinal: true) }
    #expect(writer.written == written + 33)
    var after = try JournalStage.recover(disk.crash(seed: 1))
    #expect(after.wasStoppedInOrder && after.cut == nil && after.writer.last == LSN(2))
    var again = try JournalStage.recover(disk).writer
    try again.append(1)
    after = try JournalStage.recover(disk)
    #expect(!after.wasStoppedInOrder && after.writer.last == LSN(3))
  }

  @Test("however often it is sealed, there is room to stop in order")
  func manySeals() throws {
    var writer = writer
    for _ in 0..<60 {
      try writer.append(1)
      try writer.seal(isFinal: false)
      var stopped = try JournalStage.recover(disk.crash(seed: 1)).writer
      try stopped.seal(isFinal: true)
    }
    try writer.seal(isFinal: true)
    let recovery = try JournalStage.recover(disk)
    let count = try JournalStage.check(recovery.writer)
    #expect(recovery.wasStoppedInOrder && count == 60)
  }

  @Test("segments go when all their records may, never the current one")
  func deletion() throws {
    var writer = writer
    for _ in 0..<100 { try writer.append(2) }
    let segments = try outline().segments
    let last = try #require(segments[1].last).number
    try writer.deleteSegments(upTo: LSN(last - 1))
    #expect(writer.first == segments[1].first)
    try writer.deleteSegments(upTo: LSN(last))
    #expect(writer.first == LSN(last + 1))
    #expect(disk.bytes(of: segments[0].file) == nil && disk.bytes(of: segments[1].file) == nil)
    try JournalStage.check(JournalStage.recover(disk.crash(seed: 3)).writer)
    try writer.deleteSegments(upTo: LSN(1_000))
    let rest = try JournalStage.recover(disk).writer
    #expect(rest.last == LSN(200) && rest.first <= LSN(200))
    try JournalStage.check(rest)
    try writer.append(5)
    #expect(try JournalStage.recover(disk).writer.last == LSN(205))
  }

  @Test("a new one replaces whatever was there, also a damaged one")
  func replaced() throws {
    var writer = writer
    for _ in 0..<50 { try writer.append(2) }
    disk.damage(JournalStage.path + "/manifest", [1, 2, 3])
    var other = try JournalStage.place(disk).create(
      store: StoreID(high: 1, low: 2), firstLSN: LSN(500))
    try other.append(2)
    let recovery = try JournalStage.recover(disk.crash(seed: 9))
    #expect(recovery.writer.first == LSN(500) && recovery.writer.last == LSN(501))
    #expect(recovery.writer.store == StoreID(high: 1, low: 2))
    #expect(disk.paths.count == 2)
  }

  @Test("what a crash left unlisted is removed, and names that are not ours are left alone")
  func leftovers() throws {
    for name in ["segment-0000000009", "manifest.tmp", "notes", "segment-x"] {
      _ = try disk.open(JournalStage.path + "/" + name, .creating)
    }
    _ = try JournalStage.recover(disk)
    #expect(
      try disk.names(in: JournalStage.path)
        == ["manifest", "notes", "segment-0000000001", "segment-x"])
  }

  @Test("one record may have 16 MiB")
  func largest() throws {
    var writer = writer
    var batch = FrameBatch(store: writer.store)
    batch.begin(after: writer.last, synced: writer.synced)
    batch.add { bytes in
      bytes += [UInt8](repeating: 7, count: 16 << 20)
      return 1
    }
    try writer.write(batch)
    try writer.sync()
    let recovered = try JournalStage.recover(disk).writer
    var lengths: [Int] = []
    try recovered.replay(from: LSN(1)) { _, bytes, _ in lengths.append(bytes.count) }
    #expect(lengths == [16 << 20])
  }
}
