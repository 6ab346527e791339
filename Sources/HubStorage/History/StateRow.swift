import GRDB

/// The one row that says whose file it is and how far it is.
struct StateRow: Equatable {
  /// Of the hub that wrote it.
  var format = HistorySchema.format
  var store: StoreID
  var applied: LSN
  /// The highest number that was given to a message, in the order in which they came.
  var number: Int

  private var checksum: Int {
    CRC32C.of([
      format, Int(bitPattern: UInt(store.high)), Int(bitPattern: UInt(store.low)),
      applied.number, number,
    ])
  }

  func write(_ db: Database) throws {
    let command = try Command(
      db,
      "INSERT OR REPLACE INTO state (id, format, high, low, applied, number, crc) "
        + "VALUES (1, ?, ?, ?, ?, ?, ?)")
    try write(command)
  }

  /// Writes it by a command of that shape.
  func write(_ command: Command) throws {
    command.begin().add(format).add(Int(bitPattern: UInt(store.high)))
    command.add(Int(bitPattern: UInt(store.low))).add(applied.number).add(number).add(checksum)
    try command.execute()
  }

  /// Nil when there is none, or when its checksum is wrong.
  static func read(_ db: Database) throws -> StateRow? {
    let command = try Command(
      db, "SELECT format, high, low, applied, number, crc FROM state WHERE id = 1")
    return try command.begin().first { row -> StateRow? in
      let state = StateRow(
        format: row.number(0),
        store: StoreID(
          high: UInt64(UInt(bitPattern: row.number(1))),
          low: UInt64(UInt(bitPattern: row.number(2)))),
        applied: LSN(row.number(3)), number: row.number(4))
      guard row.number(5) == state.checksum, state.applied.number >= 0 else { return nil }
      return state.number >= 0 ? state : nil
    } ?? nil
  }
}

/// What is kept of a channel besides its messages.
struct ChannelRow: Equatable {
  var name: String
  /// Messages up to that seq do not exist any more.
  var floor: Int
  /// Up to where they are deleted from the file, too.
  var cleared: Int

  /// The floor of a channel that is removed.
  static let removed = RowID.lastSeq

  func checksum(of ref: Int) -> Int {
    CRC32C.of([ref, floor, cleared], text: name)
  }

  /// Reads ref, name, floor, cleared and crc; throws when they do not belong together.
  static func read(_ row: ResultRow, file: String) throws -> (ref: Int, channel: ChannelRow) {
    let ref = row.number(0)
    let channel = ChannelRow(
      name: row.text(1) ?? "", floor: row.number(2), cleared: row.number(3))
    guard channel.checksum(of: ref) == row.number(4) else {
      throw RowDamage("\(file): the checksum of channel \(ref) is wrong")
    }
    return (ref, channel)
  }
}

/// A row is not what was written.
struct RowDamage: Error {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
