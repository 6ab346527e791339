import GRDB
import HubCore
import HubProtocol

/// Posts of several channels, and what is to expire.
extension HistoryReader {
  /// The next posts of one channel, newest first.
  private struct Source {
    let view: ChannelView
    var next: [MessageRow]
    var below: RowID

    var place: PostPlace? {
      next.last.map {
        PostPlace(ts: Timestamp(milliseconds: $0.ts), channel: view.name, seq: $0.id.seq)
      }
    }
  }

  func posts(
    _ channels: [ChannelRef], below: PostPlace?, limit: Int, _ db: Database
  ) throws -> [StoredMessage] {
    var sources: [Source] = []
    for channel in Set(channels) {
      guard let view = try view(channel, db) else { continue }
      guard let end = RowID(channel, try end(of: view, below: below, db)) else { continue }
      var source = Source(view: view, next: [], below: end)
      try fill(&source, chunk: 2, db)
      if !source.next.isEmpty { sources.append(source) }
    }
    // The newest source last; it is put in its place again after each post.
    sources.sort { isOlder($0, $1) }
    var found: [MessageRow] = []
    while found.count < limit, var source = sources.popLast() {
      found.append(contentsOf: source.next.popLast().map { [$0] } ?? [])
      if source.next.isEmpty { try fill(&source, chunk: min(limit, 20), db) }
      guard !source.next.isEmpty else { continue }
      let place = sources.firstIndex { isOlder(source, $0) } ?? sources.endIndex
      sources.insert(source, at: place)
    }
    return try messages(of: found, db)
  }

  private func isOlder(_ one: Source, _ other: Source) -> Bool {
    guard let one = one.place, let other = other.place else { return false }
    return one < other
  }

  private func fill(_ source: inout Source, chunk: Int, _ db: Database) throws {
    guard let first = RowID(source.view.ref, source.view.floor) else { return }
    let command = try command(
      MessageRow.select + " WHERE id > ? AND id < ? AND +parent IS NULL "
        + "ORDER BY id DESC LIMIT ?", db)
    let rows = try rows(command.add(first.number).add(source.below.number).add(chunk))
    for row in rows { try row.check(file: file) }
    if let last = rows.last { source.below = last.id }
    source.next = rows.reversed()
  }

  /// The lowest seq that is not below a place in the order of posts.
  private func end(
    of view: ChannelView, below: PostPlace?, _ db: Database
  ) throws -> Int {
    guard let below else { return RowID.lastSeq }
    let isTieBelow = view.name < below.channel
    var end = try lowestSeq(of: view, db) { ts in
      isTieBelow ? ts > below.ts.milliseconds : ts >= below.ts.milliseconds
    }
    // Within its own channel the place is a seq.
    if view.name == below.channel { end = max(end, below.seq) }
    return end
  }

  /// The lowest seq from which on messages are of a time that `isLater` accepts; times never fall
  /// as seq rises.
  private func lowestSeq(
    of view: ChannelView, _ db: Database, _ isLater: (Int) -> Bool
  ) throws -> Int {
    guard let newest = try newest(of: view, upTo: RowID.lastSeq, db) else { return view.floor + 1 }
    var low = view.floor + 1
    var high = newest.id.seq + 1
    while low < high {
      let middle = low + (high - low) / 2
      // Of a hole the message below it decides.
      let row = try self.newest(of: view, upTo: middle, db)
      if let row, isLater(row.ts) { high = min(middle, row.id.seq) } else { low = middle + 1 }
    }
    return low
  }

  /// The newest message up to a seq.
  private func newest(
    of view: ChannelView, upTo seq: Int, _ db: Database
  ) throws -> MessageRow? {
    guard let first = RowID(view.ref, view.floor), let last = RowID(view.ref, seq) else {
      return nil
    }
    let command = try command(
      MessageRow.select + " WHERE id > ? AND id <= ? ORDER BY id DESC LIMIT 1", db)
    let row = try rows(command.add(first.number).add(last.number)).first
    try row?.check(file: file)
    return row
  }

  /// For every channel where something is to go, up to where.
  func expiries(_ rules: [RetentionRule], _ db: Database) throws -> [Expiry] {
    var expiries: [Expiry] = []
    for rule in rules {
      guard let view = try view(rule.channel, db),
        let newest = try newest(of: view, upTo: RowID.lastSeq, db)
      else { continue }
      var upTo = view.floor
      if let count = rule.newest { upTo = max(upTo, newest.id.seq - max(count, 0)) }
      if let before = rule.before {
        let kept = try lowestSeq(of: view, db) { $0 >= before.milliseconds }
        upTo = max(upTo, min(kept - 1, newest.id.seq))
      }
      guard upTo > view.floor else { continue }
      expiries.append(Expiry(channel: rule.channel, upTo: upTo))
    }
    return expiries
  }
}
