import GRDB
import HubCore
import HubProtocol

/// Working off what search must learn, and deleting what does not exist any more.
extension HistoryWriter {
  /// Messages that are indexed in one transaction: the larger, the less is merged later.
  private static let indexChunk = 10_000
  /// Messages that are deleted in one transaction.
  private static let clearChunk = 500

  /// Makes what search knows anew.
  func makeSearchAgain() {
    let isDone = attempt([]) { db in
      try HistorySchema.beginSearchAgain(db)
      try progress.countUnindexed(db)
    }
    core.desk.with { $0.isSearchDamaged = false }
    if isDone { publish() }
  }

  /// Has search learn the oldest of what it does not know, in the order in which it came.
  func indexChunk(_ db: Database) throws {
    let commands = try prepared(db)
    var waiting: [(doc: Int, id: Int)] = []
    commands.waiting.begin().add(progress.indexedUpTo).add(Self.indexChunk)
    try commands.waiting.forEach { row in
      waiting.append((row.number(0), row.number(1)))
      return true
    }
    var stale: [StaleRow] = []
    try commands.staleRows.begin().add(Self.indexChunk).forEach { row in
      stale.append(StaleRow(row))
      return true
    }
    var end = progress.state.number
    if waiting.count == Self.indexChunk, let last = waiting.last { end = min(end, last.doc) }
    if stale.count == Self.indexChunk, let last = stale.last { end = min(end, last.number) }
    let isAll = end == progress.state.number
    for entry in waiting where entry.doc <= end { try index(entry.doc, entry.id, commands) }
    for row in stale where row.number <= end { try renew(row, commands) }
    let count = waiting.count { $0.doc <= end } + stale.count { $0.number <= end }
    progress.unindexed = isAll ? 0 : max(0, progress.unindexed - count)
    progress.indexedUpTo = end
    try IndexedRow(number: end).write(commands.indexed)
    fresh.remove(upTo: end)
  }

  private func index(_ doc: Int, _ id: Int, _ commands: WriterCommands) throws {
    if let text = fresh[doc] {
      return try commands.add(text, of: RowID(number: id).channel, as: doc)
    }
    let row = try commands.message.begin().add(id).first { MessageRow($0) }
    if let row, row.doc == doc, let text = text(of: row) {
      try commands.add(text, of: row.id.channel, as: doc)
    }
  }

  /// Has search know a message by its present text.
  private func renew(_ stale: StaleRow, _ commands: WriterCommands) throws {
    try commands.fresh.begin().add(stale.doc).execute()
    guard !stale.isDamaged else { return core.makeSearchAgain() }
    let row = try commands.found.begin().add(stale.doc).first { MessageRow($0) }
    guard let channel = row?.id.channel else { return }
    if let old = stale.text { try commands.remove(old, of: channel, as: stale.doc) }
    guard let row, row.doc == stale.doc, let text = text(of: row) else { return }
    try commands.add(text, of: channel, as: stale.doc)
  }

  /// The text that search finds a message by; of a damaged one none: whoever reads it is told.
  private func text(of row: MessageRow) -> String? {
    do {
      return try SearchText.text(of: row, file: core.path)
    } catch {
      core.notice(.damaged((error as? RowDamage)?.sentence ?? "\(error)"))
      return nil
    }
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
    var rows: [MessageRow] = []
    commands.rows.begin().add(range.lowerBound.number).add(range.upperBound.number).add(limit)
    try commands.rows.forEach { row in
      rows.append(MessageRow(row))
      return true
    }
    guard let end = rows.last?.id.number else { return 0 }
    for row in rows { try forget(row, commands) }
    try commands.delete.begin().add(range.lowerBound.number).add(end).execute()
    return rows.count
  }

  /// Has search forget a message that is deleted. Of a damaged one it finds no message any more.
  private func forget(_ row: MessageRow, _ commands: WriterCommands) throws {
    guard let doc = row.doc, doc <= progress.indexedUpTo else { return }
    let stale = try commands.staleRow.begin().add(doc).first { StaleRow($0) }
    let known = stale == nil ? text(of: row) : stale?.text
    if let stale, stale.isDamaged { return core.makeSearchAgain() }
    if let known { try commands.remove(known, of: row.id.channel, as: doc) }
    if stale != nil { try commands.fresh.begin().add(doc).execute() }
  }
}

extension WriterCommands {
  /// Has search know a message by a text.
  fileprivate func add(_ text: String, of channel: ChannelRef, as doc: Int) throws {
    index.begin().add(doc).add(SearchText.token(of: channel)).add(SearchText.split(text))
    try index.execute()
  }

  /// Has search forget the text by which it knows a message: exactly that one.
  fileprivate func remove(_ text: String, of channel: ChannelRef, as doc: Int) throws {
    unindex.begin().add(doc).add(SearchText.token(of: channel)).add(SearchText.split(text))
    try unindex.execute()
  }
}
