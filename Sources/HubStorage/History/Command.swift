#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import GRDB

/// A prepared statement that takes its values without boxes: a tenth of what GRDB's arguments cost.
/// After an error it must be dropped: GRDB cannot reset it then.
final class Command {
  private let statement: Statement
  private var place: CInt = 0

  init(_ db: Database, _ sql: String) throws {
    statement = try db.makeStatement(sql: sql)
  }

  /// Forgets all values; the next one is the first.
  @discardableResult
  func begin() -> Command {
    statement.setUncheckedArguments(StatementArguments())
    place = 0
    return self
  }

  /// Sets the next value.
  @discardableResult
  func add(_ value: Int) -> Command {
    bind(Int64(value))
  }

  /// Sets the next value.
  @discardableResult
  func add(_ value: Int?) -> Command {
    guard let value else { return skip() }
    return bind(Int64(value))
  }

  /// Sets the next value.
  @discardableResult
  func add(_ value: String?) -> Command {
    guard let value else { return skip() }
    return bind(value)
  }

  /// Sets the next value.
  @discardableResult
  func add(_ value: [UInt8]) -> Command {
    bind(Data(value))
  }

  /// What is not set is NULL.
  private func skip() -> Command {
    place += 1
    return self
  }

  private func bind(_ value: some StatementBinding) -> Command {
    place += 1
    // Only a place that is not in the statement is refused, or a value beyond 1 GB.
    let code = value.bind(to: statement.sqliteStatement, at: place)
    precondition(code == 0, "a value was not taken by \(statement.sql)")
    return self
  }

  func execute() throws {
    try statement.execute()
  }

  /// Calls `body` for each row until it says false.
  func forEach(_ body: (ResultRow) throws -> Bool) throws {
    let rows = try Row.fetchCursor(statement)
    while try rows.next() != nil {
      guard try body(ResultRow(statement)) else { return }
    }
  }

  /// What `read` makes of the first row; nil when there is none.
  func first<Value>(_ read: (ResultRow) throws -> Value) throws -> Value? {
    var value: Value?
    try forEach { row in
      value = try read(row)
      return false
    }
    return value
  }
}

/// The row that a statement stands on. Values of another type than asked for are converted as
/// SQLite does.
struct ResultRow {
  private let statement: Statement

  init(_ statement: Statement) { self.statement = statement }

  func number(_ column: CInt) -> Int { optionalNumber(column) ?? 0 }

  func optionalNumber(_ column: CInt) -> Int? {
    Int64.fromStatement(statement.sqliteStatement, atUncheckedIndex: column).map { Int($0) }
  }

  func text(_ column: CInt) -> String? {
    String.fromStatement(statement.sqliteStatement, atUncheckedIndex: column)
  }

  func bytes(_ column: CInt) -> [UInt8] {
    let data = Data.fromStatement(statement.sqliteStatement, atUncheckedIndex: column)
    return data.map { [UInt8]($0) } ?? []
  }
}
