import GRDB
import HubCore
import HubProtocol

/// Working off what search must learn, and deleting what does not exist any more.
extension HistoryWriter {
  /// Messages that are indexed in one transaction.
  private static let indexChunk = 1_000
  /// Messages that are deleted in one transaction.
  private static let clearChunk = 500

  /// Makes what search knows anew.
  func makeSearchAgain() {
    let isDone = attempt([]) { db in
      try HistorySchema.beginSearchAgain(db)
      progress.unindexed = try Int.fetchOne(db, sql: "SELECT count(*) FROM queue") ?? 0
      progress.indexedUpTo = 0
    }
    core.desk.with { $0.isSearchDamaged = false }
    if isDone { publish() }
  }

  /// Indexes the oldest messages of the queue.
  func indexChunk(_ db: Database) throws {
    let commands = try prepared(db)
    var queued: [(number: Int, message: Int)] = []
    try commands.queued.begin().add(Self.indexChunk).forEach { row in
      queued.append((row.number(0), row.number(1)))
      return true
    }
    for entry in queued { try index(entry.message, number: entry.number, commands) }
    guard let last = queued.last else {
      progress.unindexed = 0
      progress.indexedUpTo = progress.state.number
      return
    }
    try commands.dequeue.begin().add(last.number).execute()
    progress.unindexed = max(0, progress.unindexed - queued.count)
    progress.indexedUpTo = last.number
  }

  private func index(_ id: Int, number: Int, _ commands: WriterCommands) throws {
    let row = try commands.message.begin().add(id).first { MessageRow($0) }
    guard let row, let doc = row.doc else { return }
    guard row.id.seq > channels[Int(row.id.channel.index)]?.floor ?? 0 else { return }
    let text: String?
    do {
      try row.check(file: core.path)
      text = try SearchText.text(of: row, file: core.path)
    } catch let damage as RowDamage {
      // Search will not find it; whoever reads it is told.
      core.notice(.damaged(damage.sentence))
      text = nil
    }
    // The first time there is nothing to be replaced.
    if number != doc {
      let known = try commands.indexed.begin().add(doc).first { $0.text(0) } ?? nil
      guard known != text else { return }
      try commands.unindex.begin().add(doc).execute()
    }
    guard let text else { return }
    let channel = SearchText.token(of: row.id.channel)
    try commands.index.begin().add(doc).add(channel).add(text).add(id).execute()
  }

  /// Deletes some rows of a channel up to its floor.
  func clearChunk(_ db: Database) throws {
    let commands = try prepared(db)
    guard let ref = progress.clearing.last, let known = channels[ref],
      let first = RowID(ChannelRef(index: UInt32(ref)), 0),
      let last = RowID(first.channel, known.floor)
    else {
      _ = progress.clearing.popLast()
      return
    }
    let deleted = try delete(first...last, limit: Self.clearChunk, commands)
    guard deleted < Self.clearChunk else { return }
    progress.clearing.removeLast()
    guard var row = try channelRow(ref, commands) else { return }
    row.cleared = row.floor
    try write(row, of: ref, commands)
  }

  /// Deletes the first rows of a range, `limit` of them, and what search knows of them; how many
  /// there were.
  func delete(
    _ range: ClosedRange<RowID>, limit: Int, _ commands: WriterCommands
  ) throws -> Int {
    var rows: [(id: Int, doc: Int?)] = []
    commands.rows.begin().add(range.lowerBound.number).add(range.upperBound.number).add(limit)
    try commands.rows.forEach { row in
      rows.append((row.number(0), row.optionalNumber(1)))
      return true
    }
    guard let end = rows.last?.id else { return 0 }
    for doc in rows.compactMap(\.doc) { try commands.unindex.begin().add(doc).execute() }
    try commands.delete.begin().add(range.lowerBound.number).add(end).execute()
    return rows.count
  }
}
