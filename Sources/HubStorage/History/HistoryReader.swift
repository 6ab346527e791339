import GRDB
import HubCore
import HubProtocol

/// One reading thread with its own connection. Each query sees one moment of the file.
final class HistoryReader {
  let file: String
  let searchRows: Int
  private let core: HistoryCore
  private let database: DatabaseQueue
  private var prepared: [String: Command] = [:]
  /// The channels that the present query has looked up.
  private var channels: [ChannelRef: ChannelView?] = [:]

  /// What readers need of a channel.
  struct ChannelView {
    let ref: ChannelRef
    let name: ChannelName
    /// Nothing up to that seq exists.
    let floor: Int
  }

  init(_ core: HistoryCore, _ database: DatabaseQueue) {
    self.core = core
    self.database = database
    file = core.path
    searchRows = core.options.searchRows
  }

  /// Works until the lane is closed.
  func run(_ lane: ReadLane) {
    while let job = lane.next() {
      switch job {
      case .query(let query, let completion):
        completion(
          read({ $1 ? .damaged($0) : .failed($0) }) { db in try self.answer(query, db) })
      case .expiries(let rules, let completion):
        completion(
          read({ sentence, _ in .failure(.failed(sentence)) }) { db in
            .success(try self.expiries(rules, db))
          })
      }
    }
    prepared = [:]
    try? database.close()
  }

  /// `failed` is given a sentence, and whether what was to be read is damaged for good.
  private func read<Value>(
    _ failed: (String, Bool) -> Value, _ body: (Database) throws -> Value
  ) -> Value {
    channels = [:]
    do {
      return try database.inDatabase { db in
        try db.beginTransaction(.deferred)
        defer { if db.isInsideTransaction { try? db.rollback() } }
        return try body(db)
      }
    } catch {
      prepared = [:]
      let damage = error as? RowDamage
      let sentence = damage?.sentence ?? "\(file): it cannot be read: \(error)"
      core.notice(.damaged(sentence))
      let code = (error as? DatabaseError)?.resultCode
      return failed(sentence, damage != nil || code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB)
    }
  }

  private func answer(_ query: HistoryQuery, _ db: Database) throws -> HistoryAnswer {
    switch query {
    case .range(let channel, let range):
      .messages(try messages(channel, range, db))
    case .thread(let channel, let seq, let after, let limit):
      try thread(channel, seq: seq, after: after, limit: limit, db).map(HistoryAnswer.messages)
        ?? .nothingExact
    case .facts(let channel, let seqs, let key):
      try facts(channel, seqs: seqs, key: key, db)
    case .missed(let channel, let range, let rev, let upTo, let limit):
      try missed(channel, range: range, changedAfter: rev, upTo: upTo, limit: limit, db)
    case .posts(let channels, let below, let limit):
      .messages(try posts(channels, below: below, limit: limit, db))
    case .search(let search):
      try found(search, db)
    case .notifications(let numbers):
      try notifications(numbers, db)
    }
  }

  /// Tells of something damaged that is left out of an answer.
  func tell(_ damage: RowDamage) { core.notice(.damaged(damage.sentence)) }

  private func found(_ search: HistorySearch, _ db: Database) throws -> HistoryAnswer {
    do {
      return try self.search(search, db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      core.makeSearchAgain()
      throw error
    }
  }

  /// A statement, prepared once.
  func command(_ sql: String, _ db: Database) throws -> Command {
    if let command = prepared[sql] { return command.begin() }
    let command = try Command(db, sql)
    prepared[sql] = command
    return command.begin()
  }

  /// What is kept of a channel; nil when there is nothing.
  func view(_ channel: ChannelRef, _ db: Database) throws -> ChannelView? {
    if let known = channels[channel] { return known }
    let command = try command(
      "SELECT ref, name, floor, cleared, crc FROM channel WHERE ref = ?", db)
    let row = try command.add(Int(channel.index)).first { row in
      try ChannelRow.read(row, file: file).channel
    }
    var view: ChannelView?
    if let row, row.floor < ChannelRow.removed, let name = ChannelName(row.name) {
      view = ChannelView(ref: channel, name: name, floor: row.floor)
    }
    channels[channel] = .some(view)
    return view
  }

  /// The rows that a statement finds.
  func rows(_ command: Command) throws -> [MessageRow] {
    var rows: [MessageRow] = []
    try command.forEach { row in
      rows.append(MessageRow(row))
      return true
    }
    return rows
  }

  /// The messages of rows, with how many answer each.
  func messages(of rows: [MessageRow], _ db: Database) throws -> [StoredMessage] {
    let counts = try replyCounts(of: rows.map(\.id), db)
    var messages: [StoredMessage] = []
    for row in rows {
      guard let view = try view(row.id.channel, db), row.id.seq > view.floor else { continue }
      messages.append(
        try row.message(named: view.name, replyCount: counts[row.id.number] ?? 0, file: file))
    }
    return messages
  }

  /// How many messages that are not deleted answer each row; none is not said.
  private func replyCounts(of ids: [RowID], _ db: Database) throws -> [Int: Int] {
    guard let first = ids.min(), let last = ids.max() else { return [:] }
    var counts: [Int: Int] = [:]
    guard last.number - first.number >= 4 * ids.count else {
      let command = try command(
        "SELECT parent, count(*) FROM message INDEXED BY reply "
          + "WHERE parent BETWEEN ? AND ? AND deleted = 0 GROUP BY parent", db)
      try command.add(first.number).add(last.number).forEach { row in
        counts[row.number(0)] = row.number(1)
        return true
      }
      return counts
    }
    for id in ids {
      let command = try command(
        "SELECT count(*) FROM message INDEXED BY reply WHERE parent = ? AND deleted = 0", db)
      counts[id.number] = try command.add(id.number).first { $0.number(0) }
    }
    return counts
  }
}
