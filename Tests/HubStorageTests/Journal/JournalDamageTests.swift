import HubStorage
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: a damaged journal")
struct JournalDamageTests {
  private let disk: SimulatedDisk
  /// Bytes of each file.
  private let files: [(path: String, bytes: [UInt8])]
  /// The first record of the batch that was written last, which nothing says was synced.
  private let unproven: Int
  private let last: Int

  init() throws {
    let disk = try JournalStage.disk()
    var writer = try JournalStage.journal(on: disk)
    try writer.append(4, 6, 2)
    try writer.seal(isFinal: false)
    try writer.append(3, 12, 5, 20, 3, 2)
    unproven = writer.last.number - 1
    last = writer.last.number
    self.disk = disk
    files = try disk.paths.map { ($0, try #require(disk.bytes(of: $0))) }
    #expect(writer.segmentCount == 3)
  }

  /// Recovers a damaged copy. What is found is what was written, or a refusal that names the file;
  /// or it lacks at most the records from `least` on, and then it says what was cut.
  private func judge(_ path: String, _ bytes: [UInt8]?, least: Int, _ comment: Comment) throws {
    let damaged = disk.restart()
    damaged.damage(path, bytes)
    let outline = Result { try JournalStage.place(damaged).inspect() }
    let before = damaged.operations
    do {
      let recovery = try JournalStage.recover(damaged)
      try JournalStage.check(recovery.writer, comment)
      let found = recovery.writer.last.number
      #expect(found == last || (found >= least - 1 && recovery.cut?.file == path), comment)
      #expect(try outline.get()?.flaws == [], comment)
    } catch let flaw as JournalFlaw {
      #expect(flaw.description.contains(path), comment)
      #expect(flaw.description.contains("at byte "), comment)
      #expect(damaged.operations == before, "changed, and refused: \(comment)")
      if case .success(let outline) = outline { #expect(outline?.flaws == [flaw], comment) }
    }
  }

  @Test(
    "with any byte changed, it is refused, or what was written last is cut, or all is there",
    arguments: [0x01, 0x80, 0xff] as [UInt8])
  func flipped(mask: UInt8) throws {
    for (path, whole) in files {
      let end = (whole.lastIndex { $0 != 0 } ?? 63) + 1
      for offset in Array(0..<end) + [end + 1, end + 40, whole.count - 1]
      where offset < whole.count {
        var bytes = whole
        bytes[offset] ^= mask
        try judge(path, bytes, least: unproven, "\(path), byte \(offset) ^ \(mask)")
      }
    }
  }

  @Test("with any sector gone behind which there is more, it is refused, or lacks that batch")
  func sectors() throws {
    for (path, whole) in files {
      // In the newest segment a record of the last batch is to be left behind the sector.
      let isNewest = path == files.last?.path
      let end = isNewest ? (whole.lastIndex { $0 != 0 } ?? 0) - 90 : whole.count
      for start in stride(from: 0, to: whole.count, by: 512) {
        var bytes = whole
        for index in start..<min(start + 512, whole.count) { bytes[index] = 0 }
        guard bytes != whole, start + 512 <= end || !isNewest else { continue }
        try judge(path, bytes, least: unproven, "\(path), sector at \(start)")
      }
    }
  }

  @Test("cut anywhere, it is refused")
  func truncated() throws {
    for (path, whole) in files {
      for length in 0..<whole.count {
        let damaged = disk.restart()
        damaged.damage(path, Array(whole.prefix(length)))
        let flaw = #expect(throws: JournalFlaw.self) { try JournalStage.recover(damaged) }
        #expect(flaw?.description.contains(path) == true, "\(path) of \(length) bytes")
      }
    }
  }

  @Test("without any of its files, it is refused")
  func deleted() throws {
    for (path, _) in files {
      let damaged = disk.restart()
      damaged.damage(path, nil)
      let flaw = #expect(throws: JournalFlaw.self) { try JournalStage.recover(damaged) }
      #expect(flaw?.description.hasPrefix("\(path): damaged at byte 0") == true)
    }
  }

  @Test("two segments exchanged are refused")
  func exchanged() throws {
    let segments = files.filter { $0.path.contains("segment") }
    let damaged = disk.restart()
    damaged.damage(segments[0].path, segments[1].bytes)
    damaged.damage(segments[1].path, segments[0].bytes + segments[1].bytes)
    #expect(throws: JournalFlaw.self) { try JournalStage.recover(damaged) }
  }

  @Test("after a stop in order, no record is ever cut")
  func sealed() throws {
    var writer = try JournalStage.recover(disk).writer
    try writer.seal(isFinal: true)
    for path in disk.paths {
      let whole = try #require(disk.bytes(of: path))
      for offset in 0...(whole.lastIndex { $0 != 0 } ?? 63) {
        var bytes = whole
        bytes[offset] ^= 0x10
        let damaged = disk.restart()
        damaged.damage(path, bytes)
        guard let recovery = try? JournalStage.recover(damaged) else { continue }
        #expect(recovery.writer.last == LSN(last), "\(path), byte \(offset)")
        #expect(!recovery.wasStoppedInOrder || recovery.cut == nil)
      }
    }
  }

  @Test("the flaw of a bad record says where it is, and what shows that it is no torn write")
  func sentence() throws {
    let damaged = disk.restart()
    let path = JournalStage.segment(2)
    var bytes = try #require(disk.bytes(of: path))
    bytes[64] ^= 1
    damaged.damage(path, bytes)
    let flaw = #expect(throws: JournalFlaw.self) { try JournalStage.recover(damaged) }
    let sentence = flaw?.description ?? ""
    #expect(
      sentence.hasPrefix("\(path): damaged at byte 64: the checksum of a record is wrong, and "))
  }

  @Test(
    "what is not needed is reported, and does not stand in the way",
    arguments: [nil, []] as [[UInt8]?])
  func unneeded(bytes: [UInt8]?) throws {
    let path = JournalStage.segment(1)
    let outline = try #require(try JournalStage.place(disk).inspect())
    let end = try #require(outline.segments[0].last).number
    let damaged = disk.restart()
    damaged.damage(path, bytes)
    #expect(throws: JournalFlaw.self) { try JournalStage.recover(damaged, unneeded: end - 1) }
    let recovery = try JournalStage.recover(damaged, unneeded: end)
    #expect(recovery.warnings.count == 1)
    #expect(recovery.warnings.first?.description.contains(path) == true)
    #expect(try JournalStage.check(recovery.writer, from: end + 1) == last - end)
    #expect(throws: JournalFlaw.self) { try JournalStage.check(recovery.writer) }
    var writer = recovery.writer
    try writer.deleteSegments(upTo: LSN(end))
    #expect(try JournalStage.recover(damaged).warnings == [])
  }

  @Test("a newer format is told from damage", arguments: ["manifest", "segment-0000000002"])
  func otherFormat(name: String) throws {
    let path = JournalStage.path + "/" + name
    var bytes = try #require(disk.bytes(of: path))
    bytes[8] = 2
    let crc = CRC32C.of(bytes.prefix(60))
    for index in 0..<4 { bytes[60 + index] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index)) }
    disk.damage(path, bytes)
    #expect(throws: JournalFlaw.otherFormat(file: path, version: 2)) {
      try JournalStage.recover(disk)
    }
    #expect(
      JournalFlaw.otherFormat(file: path, version: 2).description
        == "\(path): format 2 is newer than this hub's 1")
  }
}
