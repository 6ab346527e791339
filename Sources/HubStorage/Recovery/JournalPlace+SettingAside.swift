/// What becomes of a journal that is not gone on with.
extension JournalPlace {
  /// Gives all files of a journal names that no journal has, for somebody to look at.
  func setAside() throws(FileError) {
    guard files.exists(path) else { return }
    let names = try files.names(in: path)
    let present = Set(names)
    let files = names.filter { $0 == Self.manifestName || Self.segmentNumber($0) != nil }
    var number = 1
    while files.contains(where: { present.contains("\($0).bad-\(number)") }) { number += 1 }
    for name in files {
      try self.files.rename("\(path)/\(name)", to: "\(path)/\(name).bad-\(number)")
    }
    try self.files.syncDirectory(path)
  }
}
