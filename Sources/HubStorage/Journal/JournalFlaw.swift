/// Why a journal cannot be used. Each sentence names the file.
package enum JournalFlaw: FileFailure, Equatable, CustomStringConvertible {
  /// At that byte it is not what it should be.
  case damaged(file: String, offset: Int, String)
  /// A newer or an older hub wrote it.
  case otherFormat(file: String, version: UInt32)
  /// The file system refused something.
  case file(FileError)

  package var description: String {
    switch self {
    case .damaged(let file, let offset, let what):
      return "\(file): damaged at byte \(offset): \(what)"
    case .otherFormat(let file, let version):
      let age = version > FileHead.version ? "newer" : "older"
      return "\(file): format \(version) is \(age) than this hub's \(FileHead.version)"
    case .file(let error):
      return error.description
    }
  }
}
