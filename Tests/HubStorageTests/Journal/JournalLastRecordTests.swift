import HubStorage
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: the last record of a journal that a kill ended")
struct JournalLastRecordTests {
  private func place(_ disk: SimulatedDisk) -> JournalPlace {
    let sizes = JournalSizes(first: 8_192, most: 8_192)
    return JournalPlace(path: JournalStage.path, on: disk, sizes: sizes)
  }

  private func recover(_ disk: SimulatedDisk) throws -> JournalRecovery {
    try #require(try place(disk).recover())
  }

  /// One record in the first sector, and a second that lies in several.
  private func journal(_ count: Int) throws -> (disk: SimulatedDisk, start: Int, end: Int) {
    let disk = try JournalStage.disk()
    var writer = try place(disk).create(store: JournalStage.store, firstLSN: LSN(1))
    try writer.append(1)
    let start = try #require(disk.bytes(of: JournalStage.segment(1))).lastIndex { $0 != 0 } ?? 0
    var batch = FrameBatch(store: writer.store)
    batch.begin(after: writer.last, synced: writer.synced)
    batch.add { bytes in
      bytes += (0..<count).map { UInt8($0 % 251) }
      return 1
    }
    try writer.write(batch)
    try writer.sync()
    let bytes = try #require(disk.bytes(of: JournalStage.segment(1)))
    return (disk, start + 1, (bytes.lastIndex { $0 != 0 } ?? 0) + 1)
  }

  @Test("one bit changed in it is damage, not an interrupted write", arguments: [0, 1, 40, 600])
  func flipped(count: Int) throws {
    let (disk, start, end) = try journal(count)
    let whole = try #require(disk.bytes(of: JournalStage.segment(1)))
    #expect(try recover(disk.restart()).writer.last == LSN(2))
    for offset in start..<end {
      let damaged = disk.restart()
      var bytes = whole
      bytes[offset] ^= 0x10
      damaged.damage(JournalStage.segment(1), bytes)
      let error = #expect(throws: JournalFlaw.self, "byte \(offset)") {
        try recover(damaged)
      }
      #expect(error?.description.contains("at byte \(start)") == true, "byte \(offset)")
    }
  }

  @Test("a sector of it that was never written is an interrupted write")
  func torn() throws {
    let (disk, start, end) = try journal(1_600)
    let whole = try #require(disk.bytes(of: JournalStage.segment(1)))
    for sector in start / 512...(end - 1) / 512 {
      let torn = disk.restart()
      var bytes = whole
      for offset in max(start, sector * 512)..<min(end, sector * 512 + 512) { bytes[offset] = 0 }
      torn.damage(JournalStage.segment(1), bytes)
      let recovery = try recover(torn)
      #expect(recovery.writer.last == LSN(1) && recovery.cut != nil, "sector \(sector)")
    }
  }
}
