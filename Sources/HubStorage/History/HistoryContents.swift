import GRDB

/// What the thread that writes knows of the file without looking.
struct HistoryContents {
  /// What every transaction may change.
  struct Progress {
    var state: StateRow
    /// Channels of which rows are to be deleted.
    var clearing: [Int] = []
    /// Messages that search does not know in their present state.
    var unindexed = 0
    /// The number up to which search knows everything.
    var indexedUpTo = 0
  }

  /// What is known of a channel that has a row.
  struct Known {
    /// The seq up to which nothing of it exists any more.
    var floor: Int
    var isNamed: Bool
  }

  private(set) var progress: Progress
  private(set) var channels: [Int: Known] = [:]

  /// Those of a file that was just begun.
  init(_ state: StateRow) { progress = Progress(state: state) }

  /// Reads them; throws when a row is not what was written.
  init(_ state: StateRow, _ db: Database, file: String) throws {
    self.init(state)
    let rows = try Command(db, "SELECT ref, name, floor, cleared, crc FROM channel").begin()
    try rows.forEach { row in
      let (ref, channel) = try ChannelRow.read(row, file: file)
      channels[ref] = Known(floor: channel.floor, isNamed: !channel.name.isEmpty)
      if channel.cleared < channel.floor { progress.clearing.append(ref) }
      return true
    }
    try progress.countUnindexed(db)
  }
}

extension HistoryContents.Progress {
  /// Reads how far search is.
  mutating func countUnindexed(_ db: Database) throws {
    indexedUpTo = try IndexedRow.read(db)?.number ?? 0
    let counts = try Command(
      db,
      """
      SELECT (SELECT count(*) FROM message WHERE doc IS NOT NULL AND doc > ?),
        (SELECT count(*) FROM stale)
      """)
    unindexed = try counts.begin().add(indexedUpTo).first { $0.number(0) + $0.number(1) } ?? 0
  }
}
