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
  private let lock: CInt

  /// Makes the directory if it is not there, and locks it.
  package init(path: String) throws(DataDirectoryError) {
    guard !path.isEmpty else { throw .unusable(path: path, reason: "its name is empty") }
    self.path = path
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

  deinit {
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
