import GRDB
import GRDBSQLite

/// A prepared statement that takes its values and gives its rows without boxes: a tenth of what
/// GRDB's arguments and rows cost.
final class Command {
  // SAFETY: SQLite copies what is bound so before the call returns.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  // Held for `handle`, which it closes.
  private let statement: Statement
  // SAFETY: used on the thread of its connection alone, as long as `statement` is there.
  private let handle: OpaquePointer
  private var place: CInt = 0

  init(_ db: Database, _ sql: String) throws {
    statement = try db.makeStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// The next value is the first. All of them are to be set again.
  @discardableResult
  func begin() -> Command {
    sqlite3_reset(handle)
    place = 0
    return self
  }

  /// Sets the next value.
  @discardableResult
  func add(_ value: Int) -> Command {
    took(sqlite3_bind_int64(handle, next(), Int64(value)))
  }

  /// Sets the next value.
  @discardableResult
  func add(_ value: Int?) -> Command {
    guard let value else { return took(sqlite3_bind_null(handle, next())) }
    return add(value)
  }

  /// Sets the next value.
  @discardableResult
  func add(_ value: String?) -> Command {
    guard var value else { return took(sqlite3_bind_null(handle, next())) }
    let place = next()
    return took(
      value.withUTF8 { bytes in
        // SAFETY: the bytes are copied within the call. Of none there may be no pointer.
        bytes.withMemoryRebound(to: CChar.self) { text in
          text.isEmpty
            ? sqlite3_bind_text(handle, place, "", 0, Self.copied)
            : sqlite3_bind_text(handle, place, text.baseAddress, CInt(text.count), Self.copied)
        }
      })
  }

  /// Sets the next value.
  @discardableResult
  func add(_ value: [UInt8]) -> Command {
    let place = next()
    // SAFETY: the bytes are copied within the call.
    return took(
      value.withUnsafeBytes { bytes in
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, place, 0)
          : sqlite3_bind_blob(handle, place, bytes.baseAddress, CInt(bytes.count), Self.copied)
      })
  }

  private func next() -> CInt {
    place += 1
    return place
  }

  private func took(_ code: CInt) -> Command {
    // Only a place that is not in the statement is refused, or a value beyond 1 GB.
    precondition(code == SQLITE_OK, "a value was not taken by \(statement.sql)")
    return self
  }

  /// Runs it to the end; how many rows an insert, update or delete changed.
  @discardableResult
  func execute() throws -> Int {
    defer { sqlite3_reset(handle) }
    while try step() {}
    return Int(sqlite3_changes(sqlite3_db_handle(handle)))
  }

  /// Calls `body` for each row until it says false.
  func forEach(_ body: (ResultRow) throws -> Bool) throws {
    defer { sqlite3_reset(handle) }
    while try step() {
      guard try body(ResultRow(handle)) else { return }
    }
  }

  /// Goes to the next row; false behind the last.
  private func step() throws -> Bool {
    let code = sqlite3_step(handle)
    guard code != SQLITE_ROW else { return true }
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))), sql: statement.sql)
    }
    return false
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
  private let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

  func number(_ column: CInt) -> Int { Int(sqlite3_column_int64(handle, column)) }

  func optionalNumber(_ column: CInt) -> Int? {
    isNull(column) ? nil : number(column)
  }

  func text(_ column: CInt) -> String? {
    guard !isNull(column), let text = sqlite3_column_text(handle, column) else { return nil }
    // SAFETY: the text stays until the next step, and is so many bytes long.
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  func optionalBytes(_ column: CInt) -> [UInt8]? {
    isNull(column) ? nil : bytes(column)
  }

  func bytes(_ column: CInt) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    // SAFETY: the bytes stay until the next step, and are so many.
    return [UInt8](
      UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }

  private func isNull(_ column: CInt) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }
}
