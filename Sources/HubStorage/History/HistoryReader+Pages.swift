import GRDB
import HubCore
import HubProtocol

/// Messages of one channel.
extension HistoryReader {
  private static let range = MessageRow.select + " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?"

  /// The messages of a range that are kept.
  func messages(
    _ channel: ChannelRef, _ range: ClosedRange<Int>, _ db: Database
  ) throws -> [StoredMessage] {
    try messages(of: try rows(channel, range, limit: .max, db), db)
  }

  private func rows(
    _ channel: ChannelRef, _ range: ClosedRange<Int>, limit: Int, _ db: Database
  ) throws -> [MessageRow] {
    guard let view = try view(channel, db),
      let first = RowID(channel, max(range.lowerBound, view.floor + 1)),
      let last = RowID(channel, min(range.upperBound, RowID.lastSeq)), first <= last
    else { return [] }
    let command = try command(Self.range, db)
    return try rows(command.add(first.number).add(last.number).add(limit))
  }

  /// Replies to a message: one more than `limit` if there are more.
  func thread(
    _ channel: ChannelRef, seq: Int, after: Int, limit: Int, _ db: Database
  ) throws -> [StoredMessage]? {
    guard let view = try view(channel, db), seq > view.floor, let parent = RowID(channel, seq),
      let place = RowID(channel, max(after, view.floor))
    else { return nil }
    let command = try command(
      MessageRow.select + " WHERE parent = ? AND id > ? ORDER BY id LIMIT ?", db)
    let rows = try rows(command.add(parent.number).add(place.number).add(limit + 1))
    try check(rows, parent.channel) { $0.parent == parent.number }
    return try messages(of: rows, db)
  }

  /// An index is not under a checksum: what it led to must be what was looked for.
  private func check(
    _ rows: [MessageRow], _ channel: ChannelRef, _ isRight: (MessageRow) -> Bool
  ) throws {
    let wrong = rows.first { $0.id.channel != channel || !isRight($0) }
    guard let wrong else { return }
    throw RowDamage(
      "\(file): channel \(channel.index), message \(wrong.id.seq): an index is damaged")
  }

  func facts(
    _ channel: ChannelRef, seqs: [Int], key: (sender: UserRef, key: String)?, _ db: Database
  ) throws -> HistoryAnswer {
    var found: [MessageRow] = []
    for seq in Set(seqs).sorted() {
      found += try rows(channel, seq...seq, limit: 1, db)
    }
    return .facts(
      try messages(of: found, db),
      first: try key.flatMap { try first(channel, sender: $0.sender, key: $0.key, db) })
  }

  private func first(
    _ channel: ChannelRef, sender: UserRef, key: String, _ db: Database
  ) throws -> KeyTable.Sent? {
    guard let view = try view(channel, db) else { return nil }
    let command = try command(
      MessageRow.select + " WHERE id >> 35 = ? AND author = ? AND key = ? AND id > ? "
        + "ORDER BY id LIMIT 1", db)
    command.add(Int(channel.index)).add(Int(sender.index)).add(key)
    let rows = try rows(command.add(Int(channel.index) << 35 | view.floor))
    try check(rows, channel) { $0.author == Int(sender.index) && $0.key == key }
    guard let row = rows.first else { return nil }
    try row.check(file: file)
    return KeyTable.Sent(seq: row.id.seq, ts: Timestamp(milliseconds: row.ts))
  }

  func missed(
    _ channel: ChannelRef, range: ClosedRange<Int>?, changedAfter rev: Int?, upTo: Int,
    limit: Int, _ db: Database
  ) throws -> HistoryAnswer {
    var after: [MessageRow] = []
    if let range {
      guard range.count <= limit else { return .nothingExact }
      after = try rows(channel, range, limit: limit + 1, db)
      guard after.count == range.count else { return .nothingExact }
    }
    let missed = try messages(of: after, db)
    guard let rev else { return .missed(messages: missed, changed: []) }
    let changed = try changed(channel, after: rev, upTo: upTo, limit: limit - after.count, db)
    return .missed(messages: missed, changed: try changed.map { try messages(of: $0, db) })
  }

  private func changed(
    _ channel: ChannelRef, after rev: Int, upTo: Int, limit: Int, _ db: Database
  ) throws -> [MessageRow]? {
    guard let view = try view(channel, db), view.floor < upTo else { return [] }
    let command = try command(
      MessageRow.select + " INDEXED BY changed WHERE id >> 35 = ? AND rev > ? AND rev > 0 "
        + "AND id BETWEEN ? AND ? LIMIT ?", db)
    let base = Int(channel.index) << 35
    command.add(Int(channel.index)).add(rev).add(base | view.floor + 1)
    let rows = try rows(command.add(base | min(upTo, RowID.lastSeq)).add(limit + 1))
    guard rows.count <= limit else { return nil }
    try check(rows, channel) { $0.rev > rev }
    return rows.sorted { $0.id < $1.id }
  }
}
