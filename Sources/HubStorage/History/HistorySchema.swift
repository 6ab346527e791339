import GRDB

/// What `history.sqlite` is made of.
enum HistorySchema {
  /// The format that this hub reads and writes; also the file's `user_version`.
  static let format = 1
  /// "Hubh" in the header of the file.
  static let application = 0x4875_6268
  static let file = "history.sqlite"

  /// `state` looks the same in every format. `parent` is the row of the message that is answered.
  /// `doc` is a message's place in `search`, for good; it is not in `crc`, which covers the rest.
  /// `queue` holds what `search` must still learn, oldest first. The rows of a channel up to
  /// `floor` do not exist any more, those up to `cleared` are deleted.
  static let statements = [
    """
    CREATE TABLE state (id INTEGER PRIMARY KEY, format INTEGER NOT NULL, high INTEGER NOT NULL,
      low INTEGER NOT NULL, applied INTEGER NOT NULL, number INTEGER NOT NULL,
      crc INTEGER NOT NULL)
    """,
    """
    CREATE TABLE channel (ref INTEGER PRIMARY KEY, name TEXT NOT NULL, floor INTEGER NOT NULL,
      cleared INTEGER NOT NULL, crc INTEGER NOT NULL)
    """,
    """
    CREATE TABLE message (id INTEGER PRIMARY KEY, ts INTEGER NOT NULL, rev INTEGER NOT NULL,
      author INTEGER NOT NULL, parent INTEGER, key TEXT, deleted INTEGER NOT NULL, doc INTEGER,
      crc INTEGER NOT NULL, body BLOB NOT NULL)
    """,
    "CREATE INDEX changed ON message (id >> 35, rev) WHERE rev > 0",
    "CREATE INDEX reply ON message (parent, id, deleted) WHERE parent IS NOT NULL",
    "CREATE INDEX keyed ON message (id >> 35, author, key) WHERE key IS NOT NULL",
    "CREATE TABLE queue (number INTEGER PRIMARY KEY, message INTEGER NOT NULL)",
    searchTable,
  ]

  private static let searchTable = """
    CREATE VIRTUAL TABLE search USING fts5 (channel, text, message UNINDEXED,
      tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3')
    """

  /// What is wrong with what search knows; nil when it is whole.
  static func searchFlaw(_ db: Database) -> String? {
    do {
      try db.execute(sql: "INSERT INTO search (search) VALUES ('integrity-check')")
      return nil
    } catch {
      return "what search knows is damaged, and is made anew: \(error)"
    }
  }

  /// Makes search forget everything, and has it learn all messages again, in their old order.
  static func beginSearchAgain(_ db: Database) throws {
    try db.execute(sql: "DROP TABLE search")
    try db.execute(sql: searchTable)
    try db.execute(sql: "DELETE FROM queue")
    try db.execute(
      sql: "INSERT INTO queue (number, message) SELECT doc, id FROM message WHERE doc IS NOT NULL")
  }

  /// All tables and indexes, sorted, without those that SQLite adds.
  static let names = [
    "changed", "channel", "keyed", "message", "queue", "reply", "search", "search_config",
    "search_content", "search_data", "search_docsize", "search_idx", "state",
  ]
}
