internal import ArgumentParser
internal import HubStorage

/// What can be told of a journal.
struct JournalReport: StorageReport {
  struct Segment: Encodable {
    let file: String
    let firstLsn: Int?
    let lastLsn: Int?
    let records: Int
    let usedBytes: Int
    let bytes: Int
    let isSealed: Bool
    let unsealedTail: Int
    let flaws: [String]
  }

  let directory: String
  let store: String
  let records: Int
  let isSound: Bool
  let segments: [Segment]

  /// Reads and checks every byte; nil when there is no journal.
  init?(_ directory: String) throws(JournalFlaw) {
    let path = directory + "/journal"
    guard let outline = try JournalPlace(path: path, on: DiskFileSystem()).inspect() else {
      return nil
    }
    self.directory = directory
    store = outline.store.description
    isSound = outline.flaws.isEmpty
    segments = outline.segments.map { segment in
      Segment(
        file: segment.file, firstLsn: segment.first?.number, lastLsn: segment.last?.number,
        records: segment.records, usedBytes: segment.usedBytes, bytes: segment.byteCount,
        isSealed: segment.isSealed, unsealedTail: segment.unsealedTail,
        flaws: segment.flaws.map(\.description))
    }
    records = segments.reduce(0) { $0 + $1.records }
  }

  /// Lines for people.
  var lines: [String] {
    var lines = ["store    \(store)", "records  \(records)"]
    for segment in segments {
      let range = segment.firstLsn.map { first in
        segment.lastLsn.map { "records \(first) to \($0)" } ?? "no record yet, \(first) is next"
      }
      let seal = segment.isSealed ? ", sealed" : ""
      let tail = segment.unsealedTail > 0 ? ", an unfinished write behind" : ""
      lines.append(
        TerminalText.escape(segment.file) + ": \(range ?? "prepared"), "
          + "\(segment.usedBytes) of \(segment.bytes) bytes\(seal)\(tail)")
      lines += segment.flaws.map { "  " + TerminalText.escape($0) }
    }
    return lines + [isSound ? "sound" : "damaged"]
  }

  /// Prints what is found. The exit code is 1 when there is none, or when it cannot be read, or,
  /// while verifying, when something is wrong with it.
  static func print(_ directory: String, json: Bool, isVerifying: Bool) async throws {
    let report = try await show(json: json) { () throws(Unreadable) in
      try found(in: directory)
    }
    if isVerifying, !report.isSound { throw ExitCode(1) }
  }

  private static func found(in directory: String) throws(Unreadable) -> JournalReport {
    let report: JournalReport?
    do {
      report = try JournalReport(directory)
    } catch {
      throw Unreadable(sentence: TerminalText.escape("\(error)"))
    }
    guard let report else {
      throw Unreadable(sentence: "\(TerminalText.escape(directory)): there is no journal")
    }
    return report
  }
}
