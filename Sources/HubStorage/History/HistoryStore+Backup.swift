import GRDB

/// Copies of the file while it is written.
extension HistoryStore {
  /// Copies everything up to exactly `lsn` into a file that is not there yet. To be called in order
  /// with `append`, right after what ends at `lsn`. Answers with the bytes of the copy, which is on
  /// the disk then, on a thread of its own.
  package func backup(
    to path: String, at lsn: LSN,
    completion: @escaping @Sendable (Result<Int, HistoryFailure>) -> Void
  ) {
    let isTaken = perform { writer in
      do {
        try HistoryCopy(of: writer, at: lsn, to: path).start(completion)
      } catch let failure as HistoryFailure {
        completion(.failure(failure))
      } catch {
        completion(.failure(.failed("\(path): \(error)")))
      }
    }
    if !isTaken { completion(.failure(.closed)) }
  }
}

/// One copy in the making: the moment is held from the beginning, the copying goes on beside the
/// writer.
private struct HistoryCopy: Sendable {
  private let source: DatabaseQueue
  private let path: String

  /// Holds the moment.
  init(of writer: HistoryWriter, at lsn: LSN, to path: String) throws {
    self.path = path
    let applied = writer.progress.state.applied
    guard applied == lsn else {
      throw HistoryFailure.misplaced(
        "\(path): a copy at record \(lsn.number) was asked for at \(applied.number)")
    }
    guard !HistoryFile.exists(path) else {
      throw HistoryFailure.failed("\(path): there is a file of that name")
    }
    source = try HistoryFile.reader(writer.core.path, holdsTransaction: true)
    try source.inDatabase { db in
      try db.beginTransaction(.deferred)
      // The first look fixes the moment.
      guard try StateRow.read(db)?.applied == lsn else {
        throw HistoryFailure.failed("\(writer.core.path): the checksum of its state is wrong")
      }
    }
  }

  func start(_ completion: @escaping @Sendable (Result<Int, HistoryFailure>) -> Void) throws {
    let isStarted = BlockingThread().start {
      do {
        try copy()
        completion(.success(HistoryFile.size(of: path)))
      } catch {
        for ending in ["", "-wal", "-shm", "-journal"] { HistoryFile.remove(path + ending) }
        completion(.failure(.failed("\(path): \(error)")))
      }
    }
    guard isStarted else { throw HistoryFailure.failed("\(path): there is no thread") }
  }

  private func copy() throws {
    let target = try DatabaseQueue(path: path)
    try source.inDatabase { from in
      try target.inDatabase { to in
        try from.backup(to: to, pagesPerStep: 1_024)
        // The copy says that it is in WAL mode like its source.
        try to.execute(sql: "PRAGMA journal_mode = DELETE")
      }
      try from.rollback()
    }
    try target.close()
    try source.close()
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard HistoryFile.sync(path), HistoryFile.sync(directory.isEmpty ? "/" : directory) else {
      throw HistoryFailure.failed("it cannot be synced")
    }
  }
}
