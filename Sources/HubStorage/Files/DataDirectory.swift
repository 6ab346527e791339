#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a data directory cannot be used.
package enum DataDirectoryError: Error, Equatable, CustomStringConvertible {
  /// It could not be made or opened.
  case unusable(path: String, reason: String)
  /// Another hub has it.
  case locked(path: String)

  package var description: String {
    switch self {
    case .unusable(let path, let reason):
      "the data directory \(path) cannot be used: \(reason)"
    case .locked(let path):
      "another hub is running on the data directory \(path)"
    }
  }
}

/// A hub's own directory, locked for as long as this object lives, whatever way the process ends.
package final class DataDirectory: Sendable {
  /// Where it is.
  package let path: String
  /// Where its files are kept, all but the lock.
  package let files: any FileSystem
  private let lock: CInt

  /// Makes the directory if it is not there, and locks it. The lock is on the machine's own disk,
  /// whatever `files` is.
  package init(
    path: String, files: any FileSystem = DiskFileSystem()
  ) throws(DataDirectoryError) {
    guard !path.isEmpty else { throw .unusable(path: path, reason: "its name is empty") }
    self.path = path
    self.files = files
    try Self.makeDirectories(path)
    lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw .unusable(path: path, reason: Self.lastError) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      let reason = Self.lastError
      // `deinit` closes it: it runs although this throws.
      throw isTaken ? .locked(path: path) : .unusable(path: path, reason: reason)
    }
  }

  /// Makes or takes a directory for a copy: there must be nothing in it.
  package convenience init(forCopy path: String) throws(DataDirectoryError) {
    let names = try? DiskFileSystem().names(in: path)
    guard names?.allSatisfy({ $0 == "lock" }) ?? true else {
      throw .unusable(path: path, reason: "there is something in it already")
    }
    try self.init(path: path)
  }

  /// Deletes everything in it but the lock.
  package func removeAll() throws(FileError) {
    for name in try files.names(in: path) where name != "lock" { try files.remove(path(of: name)) }
  }

  deinit {
    // Not by closing alone: a process that is being started holds a copy for a moment.
    flock(lock, LOCK_UN)
    close(lock)
  }

  private static func makeDirectories(_ path: String) throws(DataDirectoryError) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for component in path.split(separator: "/") {
      prefix += component + "/"
      guard mkdir(prefix, 0o700) == 0 || errno == EEXIST || isDirectory(prefix) else {
        throw .unusable(path: path, reason: lastError)
      }
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static var lastError: String { String(cString: strerror(errno)) }
}
