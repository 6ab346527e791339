import GRDB
import HubCore

/// What notifications say.
extension HistoryReader {
  /// Numbers that one query may ask for.
  private static let mostNotifications = 10_000

  /// What is kept of those with `numbers`, ascending; what is damaged is told of and left out.
  func notifications(_ numbers: [Int], _ db: Database) throws -> HistoryAnswer {
    guard numbers.count <= Self.mostNotifications else {
      return .failed("\(numbers.count) notifications were asked for at once")
    }
    var found: [StoredNotification] = []
    for number in Set(numbers).sorted() {
      let command = try command(NotificationRow.select + " WHERE number = ?", db)
      guard let row = try command.add(number).first({ NotificationRow($0) }) else { continue }
      do {
        found.append(try row.stored(file: file))
      } catch let damage as RowDamage {
        tell(damage)
      }
    }
    return .notifications(found)
  }
}
