#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the file system refused.
package struct FileError: Error, Equatable, CustomStringConvertible {
  /// What was tried, such as "write".
  package let operation: String
  package let path: String
  /// The system's words for it.
  package let reason: String
  /// Whether there was no room for it, and there may be later. Never after a failed sync: then
  /// nobody knows what was written.
  package let isDiskFull: Bool

  package init(operation: String, path: String, reason: String, isDiskFull: Bool = false) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.isDiskFull = isDiskFull && operation != "sync"
  }

  /// The error of the call that has just failed on this thread.
  init(_ operation: String, _ path: String) {
    let code = errno
    self.init(
      operation: operation, path: path, reason: String(cString: strerror(code)),
      isDiskFull: code == ENOSPC || code == EDQUOT)
  }

  package var description: String { "cannot \(operation) \(path): \(reason)" }
}

/// Errors of which one is that the file system refused something.
package protocol FileFailure: Error {
  static func file(_ error: FileError) -> Self
}

extension FileFailure {
  /// What `body` answers; the errors of the file system as errors of this kind.
  static func of<Value>(_ body: () throws(FileError) -> Value) throws(Self) -> Value {
    do {
      return try body()
    } catch {
      throw .file(error)
    }
  }
}
