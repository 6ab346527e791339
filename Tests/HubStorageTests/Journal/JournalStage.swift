import HubStorage
import SimulatedDisk
import Testing

/// A journal with small segments on a simulated disk, and records that are known by their LSN.
enum JournalStage {
  static let store = StoreID(high: 0x0123_4567_89ab_cdef, low: 5)
  static let path = "/data/journal"
  static let sizes = JournalSizes(first: 768, most: 3_072)

  static func place(_ disk: SimulatedDisk) -> JournalPlace {
    JournalPlace(path: path, on: disk, sizes: sizes)
  }

  static func segment(_ number: Int) -> String { "\(path)/segment-000000000\(number)" }

  /// A disk with a data directory.
  static func disk(seed: UInt64 = 0) throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: seed)
    try disk.makeDirectory("/data")
    try disk.syncDirectory("/")
    return disk
  }

  /// An empty journal.
  static func journal(on disk: SimulatedDisk, firstLSN: Int = 1) throws -> JournalWriter {
    try place(disk).create(store: store, firstLSN: LSN(firstLSN))
  }

  static func recover(_ disk: SimulatedDisk, unneeded: Int = 0) throws -> JournalRecovery {
    try #require(try place(disk).recover(unneeded: LSN(unneeded)))
  }

  /// The payload of a record: up to 63 bytes, none of them two the same way.
  static func payload(_ lsn: Int) -> [UInt8] {
    (0..<(lsn * 7 % 64)).map { UInt8(truncatingIfNeeded: lsn * 31 + $0 * 5 + 1) }
  }

  /// The version of a record's payload.
  static func version(_ lsn: Int) -> UInt8 { UInt8(lsn % 5) }

  /// Frames of the next `count` records.
  static func batch(_ count: Int, after writer: JournalWriter) -> FrameBatch {
    var batch = FrameBatch(store: writer.store)
    batch.begin(after: writer.last, synced: writer.synced)
    for lsn in (writer.last.number + 1)..<(writer.last.number + 1 + count) {
      batch.add { bytes in
        bytes += payload(lsn)
        return version(lsn)
      }
    }
    return batch
  }

  /// Checks every record from `start` on, and that there are no holes; answers how many there are.
  @discardableResult
  static func check(
    _ writer: JournalWriter, from start: Int = 0, _ comment: Comment = ""
  ) throws -> Int {
    var next = max(start, writer.first.number)
    let first = next
    try writer.replay(from: LSN(start)) { lsn, bytes, version in
      let isRight =
        lsn.number == next && Array(bytes) == payload(next) && version == Self.version(next)
      if !isRight { Issue.record("record \(lsn.number) is not record \(next): \(comment)") }
      next += 1
    }
    #expect(next == writer.last.number + 1, comment)
    return next - first
  }
}

extension JournalWriter {
  /// Writes and syncs batches of so many records.
  mutating func append(_ counts: Int...) throws {
    for count in counts {
      try write(JournalStage.batch(count, after: self))
      try sync()
      prepareAhead()
    }
  }
}
