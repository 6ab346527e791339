import GRDB
import HubCore
import HubProtocol

/// Finding messages by their words.
extension HistoryReader {
  /// Channels that the index itself looks for; of more, candidates are left out one by one.
  private static let indexedChannels = 8

  func search(_ search: HistorySearch, _ db: Database) throws -> HistoryAnswer {
    let few = search.channels.count <= Self.indexedChannels ? search.channels.sorted() : []
    guard !search.channels.isEmpty, search.limit > 0,
      let query = SearchText.query(search.text, in: few)
    else { return .found([], next: nil) }
    let command = try command(
      "SELECT rowid FROM search WHERE search MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?", db)
    command.add(query).add(search.below ?? Int.max).add(searchRows)
    var found: [MessageRow] = []
    var walked = 0
    var last: Int?
    try command.forEach { row in
      walked += 1
      let doc = row.number(0)
      last = doc
      if let id = try place(of: doc, db), search.channels.contains(id.channel),
        let hit = try hit(id, doc: doc, db),
        !search.excluded.contains(where: { Int($0.index) == hit.author })
      {
        found.append(hit)
      }
      return found.count < search.limit
    }
    let mayBeMore = found.count == search.limit || walked == searchRows
    return .found(try messages(of: found, db), next: mayBeMore ? last : nil)
  }

  /// The message that search knows as `doc`.
  private func place(of doc: Int, _ db: Database) throws -> RowID? {
    let command = try command("SELECT id FROM message WHERE doc = ?", db)
    return try command.add(doc).first { RowID(number: $0.number(0)) }
  }

  /// The candidate's row, if its present text is the one that was found.
  private func hit(_ id: RowID, doc: Int, _ db: Database) throws -> MessageRow? {
    guard let view = try view(id.channel, db), id.seq > view.floor else { return nil }
    let stale = try command("SELECT 1 FROM stale WHERE doc = ?", db)
    guard try stale.add(doc).first({ $0.number(0) }) == nil else { return nil }
    let command = try command(MessageRow.select + " WHERE id = ?", db)
    guard let row = try command.add(id.number).first({ MessageRow($0) }), row.doc == doc else {
      return nil
    }
    try row.check(file: file)
    return row.isDeleted ? nil : row
  }
}
