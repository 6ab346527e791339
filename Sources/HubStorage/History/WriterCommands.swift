import GRDB

/// The statements of the thread that writes.
struct WriterCommands {
  let put: Command
  let enqueue: Command
  let channel: Command
  let state: Command
  let queued: Command
  let dequeue: Command
  let indexed: Command
  let index: Command
  let unindex: Command
  let rows: Command
  let delete: Command
  let message: Command
  let channelRow: Command

  init(_ db: Database) throws {
    put = try Command(
      db,
      """
      INSERT INTO message (id, ts, rev, author, parent, key, deleted, doc, crc, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET ts = excluded.ts, rev = excluded.rev,
          author = excluded.author, parent = excluded.parent, key = excluded.key,
          deleted = excluded.deleted, doc = coalesce(doc, excluded.doc), crc = excluded.crc,
          body = excluded.body
      """)
    enqueue = try Command(db, "INSERT INTO queue (number, message) VALUES (?, ?)")
    channel = try Command(
      db, "INSERT OR REPLACE INTO channel (ref, name, floor, cleared, crc) VALUES (?, ?, ?, ?, ?)")
    state = try Command(
      db,
      "INSERT OR REPLACE INTO state (id, format, high, low, applied, number, crc) "
        + "VALUES (1, ?, ?, ?, ?, ?, ?)")
    queued = try Command(db, "SELECT number, message FROM queue ORDER BY number LIMIT ?")
    dequeue = try Command(db, "DELETE FROM queue WHERE number <= ?")
    indexed = try Command(db, "SELECT text FROM search WHERE rowid = ?")
    index = try Command(
      db, "INSERT INTO search (rowid, channel, text, message) VALUES (?, ?, ?, ?)")
    unindex = try Command(db, "DELETE FROM search WHERE rowid = ?")
    rows = try Command(
      db, "SELECT id, doc FROM message WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?")
    delete = try Command(db, "DELETE FROM message WHERE id BETWEEN ? AND ?")
    message = try Command(db, MessageRow.select + " WHERE id = ?")
    channelRow = try Command(
      db, "SELECT ref, name, floor, cleared, crc FROM channel WHERE ref = ?")
  }
}
