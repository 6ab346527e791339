#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import GRDB

/// `history.sqlite` of a data directory, checked when it is opened.
struct HistoryFile {
  let path: String
  /// The connection that writes and checkpoints.
  let database: DatabaseQueue
  let contents: HistoryContents
  let isFresh: Bool
  /// What was wrong with the file that was here before, and where it is now.
  let setAside: String?
  /// What was wrong with what search knows, which is made anew.
  var searchFlaw: String?

  /// Why a file is not to be used.
  private enum Flaw: Error {
    case otherFormat(Int)
    case bad(String)
  }

  /// Opens the file, or begins one; sets a bad one aside.
  static func open(
    directory: String, store: StoreID, options: HistoryOptions
  ) throws(HistoryRefusal) -> HistoryFile {
    let path = directory + "/" + HistorySchema.file
    var setAside: String?
    if exists(path) || exists(path + "-wal") {
      do {
        return try opened(path, store: store, options: options)
      } catch Flaw.otherFormat(let version) {
        throw .otherFormat(file: path, version: version)
      } catch Flaw.bad(let reason) {
        setAside = try moveAway(path, in: directory, reason: reason)
      } catch let damage as RowDamage {
        setAside = try moveAway(path, in: directory, reason: damage.sentence)
      } catch {
        setAside = try moveAway(path, in: directory, reason: "\(error)")
      }
    }
    do {
      return try begun(path, store: store, options: options, setAside: setAside)
    } catch {
      throw .unusable(file: path, reason: "\(error)")
    }
  }

  private static func opened(
    _ path: String, store: StoreID, options: HistoryOptions
  ) throws -> HistoryFile {
    guard size(of: path) > 0 else { throw Flaw.bad("it is empty") }
    let database = try connection(path, options: options)
    do {
      return try database.inDatabase { db in
        let isSmall = size(of: path) <= options.checkedBytes
        let state = try check(db, store: store, isSmall: isSmall)
        let flaw = HistorySchema.searchFlaw(db, isSmall: isSmall)
        if flaw != nil {
          try db.inTransaction {
            try HistorySchema.beginSearchAgain(db)
            return .commit
          }
        }
        return HistoryFile(
          path: path, database: database, contents: try HistoryContents(state, db, file: path),
          isFresh: false, setAside: nil, searchFlaw: flaw)
      }
    } catch {
      try? database.close()
      throw error
    }
  }

  private static func begun(
    _ path: String, store: StoreID, options: HistoryOptions, setAside: String?
  ) throws -> HistoryFile {
    let database = try connection(path, options: options)
    let state = StateRow(store: store, applied: LSN(0), number: 0)
    try database.inDatabase { db in
      try db.inTransaction {
        try db.execute(sql: "PRAGMA application_id = \(HistorySchema.application)")
        try db.execute(sql: "PRAGMA user_version = \(HistorySchema.format)")
        for statement in HistorySchema.statements { try db.execute(sql: statement) }
        try state.write(db)
        try IndexedRow(number: 0).write(db)
        return .commit
      }
      try db.checkpoint(.truncate)
    }
    return HistoryFile(
      path: path, database: database, contents: HistoryContents(state), isFresh: true,
      setAside: setAside)
  }

  private static func check(
    _ db: Database, store: StoreID, isSmall: Bool
  ) throws -> StateRow {
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == HistorySchema.application else {
      throw Flaw.bad("it is not a history of the hub")
    }
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let state = try? StateRow.read(db)
    // The state says the format as well, under a checksum.
    if let state, state.format != HistorySchema.format { throw Flaw.otherFormat(state.format) }
    guard version == HistorySchema.format else {
      throw state == nil ? Flaw.otherFormat(version) : Flaw.bad("its header is damaged")
    }
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    guard names == HistorySchema.names else { throw Flaw.bad("its tables are not the hub's") }
    guard let state else { throw Flaw.bad("the checksum of its state is wrong") }
    guard state.store == store else { throw Flaw.bad("it belongs to the store \(state.store)") }
    guard isSmall else { return state }
    let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "nothing"
    guard verdict == "ok" else { throw Flaw.bad("it is damaged: \(verdict)") }
    return state
  }

  private static func connection(
    _ path: String, options: HistoryOptions
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.label = "history"
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      // What is written over costs half of what is written to a file that grows again.
      try db.execute(sql: "PRAGMA journal_size_limit = 67108864")
      try db.execute(sql: "PRAGMA cache_size = -32768")
      if let limit = options.pageLimit {
        try db.execute(sql: "PRAGMA max_page_count = \(limit)")
      }
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    let synchronous = try database.inDatabase { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    guard synchronous == 1 else { throw Flaw.bad("it cannot be opened with synchronous=NORMAL") }
    return database
  }

  /// A connection that only reads. One that `holdsTransaction` may leave it open between accesses.
  static func reader(_ path: String, holdsTransaction: Bool = false) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "history reader"
    // SAFETY: means a transaction between accesses; its one user ends it before it closes.
    configuration.allowsUnsafeTransactions = holdsTransaction
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = -8192")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Gives the file and what belongs to it another name that is free, and says so.
  private static func moveAway(
    _ path: String, in directory: String, reason: String
  ) throws(HistoryRefusal) -> String {
    let endings = ["", "-wal", "-shm"]
    var number = 1
    while endings.contains(where: { exists("\(path).bad-\(number)\($0)") }) { number += 1 }
    let other = "\(path).bad-\(number)"
    for ending in endings where exists(path + ending) {
      guard rename(path + ending, other + ending) == 0 else {
        throw .unusable(file: path, reason: String(cString: strerror(errno)))
      }
    }
    guard sync(directory) else {
      throw .unusable(file: directory, reason: String(cString: strerror(errno)))
    }
    return "\(path) was set aside as \(other): \(reason)"
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Bytes of a file; 0 when it is not there.
  static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Waits until a file, or the names in a directory, are on the disk; false when that fails.
  static func sync(_ path: String) -> Bool {
    let descriptor = system_open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  /// Deletes a file, if it is there.
  static func remove(_ path: String) { unlink(path) }
}

// The name of the member stands in front of the C library's.
private func system_open(_ path: String, _ flags: CInt) -> CInt { open(path, flags) }
