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

  package init(operation: String, path: String, reason: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// The error of the call that has just failed on this thread.
  init(_ operation: String, _ path: String) {
    self.init(operation: operation, path: path, reason: String(cString: strerror(errno)))
  }

  package var description: String { "cannot \(operation) \(path): \(reason)" }
}
