#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file system of the machine.
package struct DiskFileSystem: FileSystem {
  package init() {}

  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any OpenFile {
    try DiskFile(path, mode)
  }

  package func names(in directory: String) throws(FileError) -> [String] {
    guard let stream = opendir(directory) else { throw FileError("list", directory) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // SAFETY: `d_name` is NUL-terminated within the entry, which lives until the next call.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package func rename(_ path: String, to other: String) throws(FileError) {
    guard system_rename(path, other) == 0 else { throw FileError("rename", path) }
  }

  package func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw FileError("delete", path) }
  }

  package func makeDirectory(_ path: String) throws(FileError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError("make", path) }
  }

  package func syncDirectory(_ path: String) throws(FileError) {
    let descriptor = system_open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError("sync", path) }
  }
}

// The names of the members stand in front of the C library's.
private func system_rename(_ from: String, _ to: String) -> CInt { rename(from, to) }

private func system_open(_ path: String, _ flags: CInt) -> CInt { open(path, flags) }
