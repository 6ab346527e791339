import GRDB

/// The statements of the thread that writes.
struct WriterCommands {
  /// Changes nothing where there is a row.
  let insert: Command
  let update: Command
  let channel: Command
  let state: Command
  let waiting: Command
  let indexed: Command
  let index: Command
  let unindex: Command
  /// Changes nothing where there is a row.
  let stale: Command
  let staleRows: Command
  let staleRow: Command
  let fresh: Command
  let rows: Command
  let delete: Command
  let message: Command
  let found: Command
  let channelRow: Command
  let notify: Command
  let kept: Command
  let forget: Command

  init(_ db: Database) throws {
    insert = try Command(
      db,
      """
      INSERT OR IGNORE INTO message
        (ts, rev, author, parent, key, deleted, doc, crc, body, id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    update = try Command(
      db,
      """
      UPDATE message SET ts = ?, rev = ?, author = ?, parent = ?, key = ?, deleted = ?, doc = ?,
        crc = ?, body = ? WHERE id = ?
      """)
    channel = try Command(
      db, "INSERT OR REPLACE INTO channel (ref, name, floor, cleared, crc) VALUES (?, ?, ?, ?, ?)")
    state = try Command(
      db,
      "INSERT OR REPLACE INTO state (id, format, high, low, applied, number, crc) "
        + "VALUES (1, ?, ?, ?, ?, ?, ?)")
    waiting = try Command(
      db, "SELECT doc, id FROM message WHERE doc IS NOT NULL AND doc > ? ORDER BY doc LIMIT ?")
    indexed = try Command(
      db, "INSERT OR REPLACE INTO indexed (id, number, crc) VALUES (1, ?, ?)")
    index = try Command(db, "INSERT INTO search (rowid, channel, text) VALUES (?, ?, ?)")
    unindex = try Command(
      db, "INSERT INTO search (search, rowid, channel, text) VALUES ('delete', ?, ?, ?)")
    stale = try Command(
      db, "INSERT OR IGNORE INTO stale (doc, number, text, crc) VALUES (?, ?, ?, ?)")
    staleRows = try Command(db, StaleRow.select + " ORDER BY number LIMIT ?")
    staleRow = try Command(db, StaleRow.select + " WHERE doc = ?")
    fresh = try Command(db, "DELETE FROM stale WHERE doc = ?")
    rows = try Command(
      db, MessageRow.select + " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?")
    delete = try Command(db, "DELETE FROM message WHERE id BETWEEN ? AND ?")
    message = try Command(db, MessageRow.select + " WHERE id = ?")
    found = try Command(db, MessageRow.select + " WHERE doc = ?")
    channelRow = try Command(
      db, "SELECT ref, name, floor, cleared, crc FROM channel WHERE ref = ?")
    notify = try Command(db, NotificationRow.insert)
    kept = try Command(
      db,
      "SELECT number FROM notifications WHERE number > ? AND number < ? ORDER BY number LIMIT ?")
    forget = try Command(db, "DELETE FROM notifications WHERE number = ?")
  }
}
