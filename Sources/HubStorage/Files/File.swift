#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One open file, closed when this goes away. Calls block: not for event loops.
final class File {
  let path: String
  private let descriptor: CInt

  /// Makes an empty file, whatever was there.
  init(creating path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError("create", path) }
  }

  /// Opens a file to be read.
  init(reading path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("open", path) }
  }

  deinit {
    close(descriptor)
  }

  /// Writes all bytes at the end of what was written.
  func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the pointer is used inside the call only.
      let count = rest.withUnsafeBytes { system_write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw FileError("write", path) }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Reads up to `count` bytes; fewer at the end of the file only.
  func read(_ count: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let wanted = min(count - bytes.count, 1 << 20)
      var got = 0
      // SAFETY: at most `wanted` bytes are written into room for `wanted`.
      let more = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
        got = system_read(descriptor, buffer.baseAddress, wanted)
        initialized = max(0, got)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileError("read", path) }
      guard got > 0 else { break }
      bytes += more
    }
    return bytes
  }

  /// Waits until everything written is on the disk.
  func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError("sync", path) }
  }
}

// The names of the members stand in front of the C library's.
// SAFETY: the caller's buffer holds `count` bytes.
private func system_write(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}

// SAFETY: the caller's buffer has room for `count` bytes.
private func system_read(_ file: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}
