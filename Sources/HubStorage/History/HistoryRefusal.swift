/// Why a hub does not start on its history.
package enum HistoryRefusal: Error, Equatable, CustomStringConvertible {
  /// A newer or an older hub wrote the file.
  case otherFormat(file: String, version: Int)
  /// It can be neither used nor set aside.
  case unusable(file: String, reason: String)

  package var description: String {
    switch self {
    case .otherFormat(let file, let version):
      "\(file): format \(version) is \(version > HistorySchema.format ? "newer" : "older") "
        + "than this hub's \(HistorySchema.format)"
    case .unusable(let file, let reason):
      "\(file) cannot be used: \(reason)"
    }
  }
}

/// Why history did not do what was asked.
package enum HistoryFailure: Error, Equatable, CustomStringConvertible {
  case closed
  /// There is no room on the disk.
  case full(String)
  /// The file is damaged, or cannot be read or written.
  case failed(String)
  /// It was asked for at an LSN where history is not.
  case misplaced(String)

  package var description: String {
    switch self {
    case .closed: "history is closed"
    case .full(let reason), .failed(let reason), .misplaced(let reason): reason
    }
  }
}
