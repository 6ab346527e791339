#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One open file of the machine.
final class DiskFile: OpenFile {
  /// Bytes asked for at once, so that a length that the file does not have takes no memory.
  private static let readBytes = 4 << 20

  let path: String
  private let descriptor: CInt

  init(_ path: String, _ mode: FileMode) throws(FileError) {
    self.path = path
    switch mode {
    case .reading: descriptor = open(path, O_RDONLY | O_CLOEXEC)
    case .writing: descriptor = open(path, O_RDWR | O_CLOEXEC)
    case .creating: descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw FileError(mode == .creating ? "create" : "open", path) }
  }

  deinit {
    close(descriptor)
  }

  func size() throws(FileError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError("measure", path) }
    return Int(status.st_size)
  }

  func read(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let wanted = min(count - bytes.count, Self.readBytes)
      let place = offset + bytes.count
      var got = 0
      // SAFETY: at most `wanted` bytes are written into room for `wanted`.
      let more = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
        got = pread(descriptor, buffer.baseAddress, wanted, off_t(place))
        initialized = max(0, got)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileError("read", path) }
      guard got > 0 else { break }
      if bytes.isEmpty { bytes = more } else { bytes += more }
    }
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    var done = 0
    while done < bytes.count {
      // SAFETY: the pointer is used inside the call only, within the array.
      let count = bytes.withUnsafeBytes { buffer in
        let rest = buffer[done...]
        return pwrite(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
          off_t(offset + done))
      }
      guard count >= 0 || errno == EINTR else { throw FileError("write", path) }
      done += max(0, count)
    }
  }

  func preallocate(_ size: Int) throws(FileError) {
    #if canImport(Darwin)
      guard try self.size() < size else { return }
      guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileError("enlarge", path) }
    #else
      // It answers its error instead of setting `errno`.
      var code = posix_fallocate(descriptor, 0, off_t(size))
      while code == EINTR { code = posix_fallocate(descriptor, 0, off_t(size)) }
      errno = code
      guard code == 0 else { throw FileError("enlarge", path) }
    #endif
  }

  func sync() throws(FileError) {
    #if canImport(Darwin)
      // `fsync` leaves bytes in the cache of the disk there.
      guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw FileError("sync", path) }
    #else
      guard fdatasync(descriptor) == 0 else { throw FileError("sync", path) }
    #endif
  }
}
