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

  /// Copies a file of a journal under a name that no journal has.
  func copyAside(_ file: String) throws(FileError) {
    var number = 1
    while files.exists("\(file).bad-\(number)") { number += 1 }
    let source = try files.open(file, .reading)
    let copy = try files.open("\(file).bad-\(number)", .creating)
    let size = try source.size()
    for offset in stride(from: 0, to: size, by: SegmentReader.pieceBytes) {
      try copy.write(source.read(SegmentReader.pieceBytes, at: offset), at: offset)
    }
    try copy.sync()
    try files.syncDirectory(path)
  }
}
