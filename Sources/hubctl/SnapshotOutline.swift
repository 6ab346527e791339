internal import ArgumentParser
internal import Foundation
internal import HubCore
internal import HubProtocol
internal import HubStorage

/// What can be told of a snapshot file.
struct SnapshotOutline: Encodable {
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
  var users: Int?
  var channels: Int?

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

  /// One object.
  private var json: String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Prints what `look` finds, or what is wrong with the file: then the exit code is 1.
  static func explaining(
    _ file: String, json: Bool, _ look: () throws(SnapshotFlaw) -> SnapshotOutline
  ) async throws {
    let output = Output()
    do throws(SnapshotFlaw) {
      let outline = try look()
      if json {
        try? await output.line(outline.json)
      } else {
        for line in outline.lines { try? await output.line(line) }
      }
    } catch {
      await output.note("hubctl: \(TerminalText.escape(file)): \(error)")
      throw ExitCode(1)
    }
  }
}
