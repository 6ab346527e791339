import GRDB

/// What the thread that writes knows of the file without looking.
struct HistoryContents {
  /// What every transaction may change.
  struct Progress {
    var state: StateRow
    /// Channels of which rows are to be deleted.
    var clearing: [Int] = []
    /// Entries of `queue`.
    var unindexed = 0
    /// Where indexing is in `queue`.
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
    progress.unindexed = try Int.fetchOne(db, sql: "SELECT count(*) FROM queue") ?? 0
    let first = try Int.fetchOne(db, sql: "SELECT min(number) FROM queue")
    progress.indexedUpTo = first.map { $0 - 1 } ?? state.number
  }
}
