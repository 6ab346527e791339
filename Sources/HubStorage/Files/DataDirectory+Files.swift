/// What is done with the files of a data directory as a whole.
extension DataDirectory {
  /// The names of all files, sorted.
  func names() throws(FileError) -> [String] { try files.names(in: path) }

  /// Where a file is.
  func path(of name: String) -> String { path + "/" + name }

  /// Gives a file another name, in place of what has that name, for good.
  func rename(_ name: String, to other: String) throws(FileError) {
    try files.rename(path(of: name), to: path(of: other))
    try sync()
  }

  /// Deletes a file, if it is there.
  func remove(_ name: String) throws(FileError) { try files.remove(path(of: name)) }

  /// Whether there is a file of that name.
  func contains(_ name: String) -> Bool { files.exists(path(of: name)) }

  /// Waits until made, renamed and deleted names are on the disk.
  func sync() throws(FileError) { try files.syncDirectory(path) }
}
