import GRDB

/// What `history.sqlite` is made of.
enum HistorySchema {
  /// The format that this hub reads and writes; also the file's `user_version`.
  static let format = 2
  /// "Hubh" in the header of the file.
  static let application = 0x4875_6268
  static let file = "history.sqlite"

  /// `state` looks the same in every format. `parent` is the row of the message that is answered.
  /// `doc` is a message's place in `search`, which holds no texts; it is not in `crc`, which covers
  /// the rest. What came behind `indexed` is not in `search` yet; `stale` holds the texts by which
  /// `search` knows messages that have another one by now. The rows of a channel up to `floor` do
  /// not exist any more, those up to `cleared` are deleted.
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
    "CREATE INDEX found ON message (doc) WHERE doc IS NOT NULL",
    "CREATE TABLE indexed (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, crc INTEGER NOT NULL)",
    """
    CREATE TABLE stale (doc INTEGER PRIMARY KEY, number INTEGER NOT NULL, text TEXT,
      crc INTEGER NOT NULL)
    """,
    searchTable,
    """
    CREATE TABLE notifications (number INTEGER PRIMARY KEY, ts INTEGER NOT NULL,
      type TEXT NOT NULL, actor TEXT, kind TEXT, target TEXT, url TEXT, thumb TEXT, title TEXT,
      text TEXT NOT NULL, data BLOB, expires INTEGER, crc INTEGER NOT NULL)
    """,
  ]

  private static let searchTable = """
    CREATE VIRTUAL TABLE search USING fts5 (channel, text, content = '', columnsize = 0,
      tokenize = 'unicode61 remove_diacritics 2', prefix = '1')
    """

  /// What is wrong with what search knows; nil when it is whole.
  static func searchFlaw(_ db: Database, isSmall: Bool) -> String? {
    do {
      guard try IndexedRow.read(db) != nil else {
        return "how far search knows is damaged: it is made anew"
      }
      guard isSmall else { return nil }
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
    try db.execute(sql: "DELETE FROM stale")
    try IndexedRow(number: 0).write(db)
  }

  /// All tables and indexes, sorted, without those that SQLite adds.
  static let names = [
    "changed", "channel", "found", "indexed", "keyed", "message", "notifications", "reply",
    "search", "search_config", "search_data", "search_idx", "stale", "state",
  ]
}
