import HubCore
import HubProtocol

/// A row of `message`.
struct MessageRow {
  /// What `init(_:)` reads, without a condition.
  static let select =
    "SELECT id, ts, rev, author, parent, key, deleted, crc, body, doc FROM message"

  let id: RowID
  let ts: Int
  let rev: Int
  let author: Int
  /// The row of the message that this one answers.
  let parent: Int?
  let key: String?
  let isDeleted: Bool
  let body: [UInt8]
  /// Its place in `search`; nil when it never had a text.
  let doc: Int?
  private let crc: Int

  init(_ id: RowID, _ stored: StoredMessage) {
    let message = stored.message
    self.id = id
    ts = message.ts.milliseconds
    rev = message.rev
    author = Int(stored.author.index)
    parent = message.replyTo.flatMap { RowID(stored.channel, $0)?.number }
    key = message.key
    isDeleted = message.isDeleted
    body = stored.body
    doc = nil
    crc = 0
  }

  init(_ row: ResultRow) {
    id = RowID(number: row.number(0))
    ts = row.number(1)
    rev = row.number(2)
    author = row.number(3)
    parent = row.optionalNumber(4)
    key = row.text(5)
    isDeleted = row.number(6) != 0
    crc = row.number(7)
    body = row.bytes(8)
    doc = row.optionalNumber(9)
  }

  private var checksum: Int {
    CRC32C.of(
      [id.number, ts, rev, author, parent ?? -1, isDeleted ? 1 : 0], text: key, bytes: body)
  }

  /// Writes the row by `WriterCommands.insert` or `update`; how many rows that changed.
  @discardableResult
  func write(doc: Int?, to command: Command) throws -> Int {
    command.begin().add(ts).add(rev).add(author).add(parent).add(key)
    command.add(isDeleted ? 1 : 0).add(doc).add(checksum).add(body)
    return try command.add(id.number).execute()
  }

  /// The message; throws when the row is not what was written.
  func message(named name: ChannelName, replyCount: Int, file: String) throws -> StoredMessage {
    try check(file: file)
    guard let author = UInt32(exactly: author) else { throw damage("impossible", file: file) }
    do {
      return try StoredMessage(
        body: body, channel: id.channel, named: name, seq: id.seq,
        author: UserRef(index: author), replyCount: replyCount)
    } catch {
      throw damage("\(error)", file: file)
    }
  }

  /// Throws when the row is not what was written.
  func check(file: String) throws {
    guard crc == checksum else { throw damage("its checksum is wrong", file: file) }
  }

  private func damage(_ what: String, file: String) -> RowDamage {
    RowDamage("\(file): channel \(id.channel.index), message \(id.seq) is damaged: \(what)")
  }
}
