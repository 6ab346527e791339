import HubCore
import HubProtocol

/// A row of `notifications`.
struct NotificationRow {
  /// What `init(_:)` reads, without a condition.
  static let select =
    "SELECT number, ts, type, actor, kind, target, url, thumb, title, text, data, expires, crc "
    + "FROM notifications"
  /// What `write(to:)` fills in.
  static let insert = """
    INSERT OR REPLACE INTO notifications (number, ts, type, actor, kind, target, url, thumb, title,
      text, data, expires, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  let number: Int
  private let ts: Int
  /// `type`, `actor`, `kind`, `target`, `url`, `thumb`, `title` and `text`, in this order.
  private let texts: [String?]
  private let data: [UInt8]?
  private let expires: Int?
  private let crc: Int

  private static let textCount: CInt = 8

  init(_ stored: StoredNotification) {
    let notification = stored.notification
    let target = notification.target
    number = stored.number
    ts = stored.ts.milliseconds
    texts = [
      notification.type, notification.actor?.text, target?.kind, target?.id, target?.url,
      target?.thumb, notification.title, notification.text,
    ]
    data = notification.data?.bytes
    expires = notification.expiresTs?.milliseconds
    crc = 0
  }

  init(_ row: ResultRow) {
    number = row.number(0)
    ts = row.number(1)
    texts = (2..<2 + Self.textCount).map { row.text($0) }
    data = row.optionalBytes(2 + Self.textCount)
    expires = row.optionalNumber(3 + Self.textCount)
    crc = row.number(4 + Self.textCount)
  }

  private var checksum: Int {
    CRC32C.of(
      [number, ts, expires == nil ? 0 : 1, expires ?? 0, data == nil ? 0 : 1], texts: texts,
      bytes: data ?? [])
  }

  /// Writes the row by `insert`.
  func write(to command: Command) throws {
    command.begin().add(number).add(ts)
    for text in texts { command.add(text) }
    if let data { command.add(data) } else { command.add(Int?.none) }
    try command.add(expires).add(checksum).execute()
  }

  /// The notification; throws when the row is not what was written.
  func stored(file: String) throws -> StoredNotification {
    guard crc == checksum else { throw damage("its checksum is wrong", file: file) }
    guard let type = texts[0], let text = texts[7] else {
      throw damage("it has no type or no text", file: file)
    }
    let actor = texts[1].map(UserID.init)
    if case .some(nil) = actor { throw damage("its actor is no user", file: file) }
    var target: InboxTarget?
    if let kind = texts[2], let id = texts[3] {
      target = InboxTarget(kind: kind, id: id, url: texts[4], thumb: texts[5])
    }
    return StoredNotification(
      number: number, ts: Timestamp(milliseconds: ts),
      notification: Notification(
        type: type, actor: actor ?? nil, target: target, title: texts[6], text: text,
        data: data.map { RawJSON(checked: $0) },
        expiresTs: expires.map { Timestamp(milliseconds: $0) }))
  }

  private func damage(_ what: String, file: String) -> RowDamage {
    RowDamage("\(file): notification \(number) is damaged: \(what)")
  }
}
