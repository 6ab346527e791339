import GRDB

/// The one row that says how far search is.
struct IndexedRow {
  /// The number up to which search knows everything.
  var number: Int

  func write(_ db: Database) throws {
    try write(
      Command(db, "INSERT OR REPLACE INTO indexed (id, number, crc) VALUES (1, ?, ?)"))
  }

  /// Writes it by a command of that shape.
  func write(_ command: Command) throws {
    try command.begin().add(number).add(CRC32C.of([number])).execute()
  }

  /// Nil when there is none, or when its checksum is wrong.
  static func read(_ db: Database) throws -> IndexedRow? {
    let command = try Command(db, "SELECT number, crc FROM indexed WHERE id = 1")
    return try command.begin().first { row -> IndexedRow? in
      let number = row.number(0)
      return row.number(1) == CRC32C.of([number]) ? IndexedRow(number: number) : nil
    } ?? nil
  }
}

/// A message by whose old text search still knows it.
struct StaleRow {
  static let select = "SELECT doc, number, text, crc FROM stale"

  /// Its place in `search`.
  let doc: Int
  /// When the text changed, in the order in which messages came.
  let number: Int
  /// The text that search knows; nil when it knows none.
  let text: String?
  private let crc: Int

  init(doc: Int, number: Int, text: String?) {
    self.doc = doc
    self.number = number
    self.text = text
    crc = CRC32C.of([doc, number], text: text)
  }

  init(_ row: ResultRow) {
    doc = row.number(0)
    number = row.number(1)
    text = row.text(2)
    crc = row.number(3)
  }

  var isDamaged: Bool { crc != CRC32C.of([doc, number], text: text) }

  /// Writes it by `WriterCommands.stale`.
  func write(_ command: Command) throws -> Int {
    try command.begin().add(doc).add(number).add(text).add(crc).execute()
  }
}
