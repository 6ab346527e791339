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
      "SELECT rowid, message, text FROM search WHERE search MATCH ? AND rowid < ? "
        + "ORDER BY rowid DESC LIMIT ?", db)
    command.add(query).add(search.below ?? Int.max).add(searchRows)
    var found: [MessageRow] = []
    var walked = 0
    var last: Int?
    try command.forEach { row in
      walked += 1
      last = row.number(0)
      let id = RowID(number: row.number(1))
      guard search.channels.contains(id.channel) else { return true }
      if let hit = try hit(id, doc: row.number(0), text: row.text(2), db),
        !search.excluded.contains(where: { Int($0.index) == hit.author })
      {
        found.append(hit)
      }
      return found.count < search.limit
    }
    let mayBeMore = found.count == search.limit || walked == searchRows
    return .found(try messages(of: found, db), next: mayBeMore ? last : nil)
  }

  /// The candidate's row, if its present text is the one that was found.
  private func hit(_ id: RowID, doc: Int, text: String?, _ db: Database) throws -> MessageRow? {
    guard let view = try view(id.channel, db), id.seq > view.floor else { return nil }
    let command = try command(MessageRow.select + " WHERE id = ?", db)
    guard let row = try command.add(id.number).first({ MessageRow($0) }), row.doc == doc else {
      return nil
    }
    try row.check(file: file)
    let present = try SearchText.text(of: row, file: file)
    return present != nil && present == text ? row : nil
  }
}
