#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is done with the files of a data directory as a whole.
extension DataDirectory {
  /// The names of all files, sorted.
  func names() throws(FileError) -> [String] {
    guard let directory = opendir(path) else { throw FileError("list", path) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // SAFETY: `d_name` is NUL-terminated within the entry, which lives until the next call.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      names.append(name)
    }
    return names.sorted()
  }

  /// Where a file is.
  func path(of name: String) -> String { path + "/" + name }

  /// Gives a file another name, in place of what has that name, for good.
  func rename(_ name: String, to other: String) throws(FileError) {
    guard system_rename(path(of: name), path(of: other)) == 0 else {
      throw FileError("rename", path(of: name))
    }
    try sync()
  }

  /// Deletes a file, if it is there.
  func remove(_ name: String) throws(FileError) {
    guard unlink(path(of: name)) == 0 || errno == ENOENT else {
      throw FileError("delete", path(of: name))
    }
  }

  /// Whether there is a file of that name.
  func contains(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

  /// Waits until made, renamed and deleted names are on the disk.
  func sync() throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError("sync", path) }
  }
}

private func system_rename(_ from: String, _ to: String) -> CInt { rename(from, to) }
