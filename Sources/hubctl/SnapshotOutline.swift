internal import Foundation
internal import HubCore
internal import HubProtocol
internal import HubStorage

/// What can be told of a snapshot file.
struct SnapshotOutline: StorageReport {
  /// One kind of block.
  struct Section: Encodable {
    var blocks = 0
    var bytes = 0
  }

  let file: String
  let format: UInt32
  let store: String
  let lsn: Int
  let takenTs: Int
  let bytes: Int
  private(set) var sections: [String: Section] = [:]
  /// Users and channels, once everything was loaded.
  private(set) var users: Int?
  private(set) var channels: Int?

  /// Reads the whole file and checks its checksums.
  init(_ file: String) throws(SnapshotFlaw) {
    var reader = try SnapshotReader(file)
    var sections: [String: Section] = [:]
    var end = SnapshotHeader.byteCount + SnapshotReader.footerBytes
    while let block = try reader.next() {
      sections["\(block.section)", default: Section()].blocks += 1
      sections["\(block.section)", default: Section()].bytes += block.payload.count
      end += SnapshotReader.blockHeaderBytes + block.payload.count
    }
    self.file = file
    format = SnapshotHeader.version
    store = reader.header.store.description
    lsn = reader.header.lsn.number
    takenTs = reader.header.taken.milliseconds
    bytes = end
    self.sections = sections
  }

  /// Lines for people.
  var lines: [String] {
    let taken = Date(timeIntervalSince1970: Double(takenTs) / 1_000)
    var lines = [
      "file     \(TerminalText.escape(file))", "format   \(format)", "store    \(store)",
      "lsn      \(lsn)", "taken    \(taken.formatted(.iso8601))", "bytes    \(bytes)",
    ]
    for (name, section) in sections.sorted(by: { $0.key < $1.key }) {
      lines.append("\(name): \(section.blocks) blocks, \(section.bytes) bytes")
    }
    if let users, let channels {
      lines.append("sound: \(users) users, \(channels) channels")
    }
    return lines
  }

  /// Prints what is found. The exit code is 1 when the file cannot be read or, while verifying, a
  /// hub could not start from it.
  static func print(_ file: String, json: Bool, isVerifying: Bool) async throws {
    try await show(json: json) { () throws(Unreadable) in
      do throws(SnapshotFlaw) {
        var outline = try SnapshotOutline(file)
        guard isVerifying else { return outline }
        let (_, registry) = try SnapshotReader.registry(at: file, windowMemory: .max)
        (outline.users, outline.channels) = registry.counts
        return outline
      } catch {
        throw Unreadable(sentence: "\(TerminalText.escape(file)): \(error)")
      }
    }
  }
}
