/// Why a hub does not start on what it finds. Each sentence names the file.
package enum RecoveryRefusal: FileFailure, Equatable, CustomStringConvertible {
  case snapshots(SnapshotRefusal)
  case journal(JournalFlaw)
  case history(String)
  /// What is there does not fit together: something is missing.
  case incomplete(String)
  case file(FileError)

  package var description: String {
    switch self {
    case .snapshots(let refusal): refusal.description
    case .journal(let flaw): flaw.description + Self.advice(flaw)
    case .history(let sentence): sentence
    case .incomplete(let sentence): sentence + " (--accept-data-loss starts without it)"
    case .file(let error): error.description
    }
  }

  private static func advice(_ flaw: JournalFlaw) -> String {
    switch flaw {
    case .damaged: " (--accept-data-loss starts without what follows the last good snapshot)"
    case .otherFormat, .file: ""
    }
  }
}
