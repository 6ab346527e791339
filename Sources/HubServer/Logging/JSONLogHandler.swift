import Foundation
package import Logging

/// Writes log lines to standard error as one JSON object each, for machines that collect them.
package struct JSONLogHandler: LogHandler {
  /// One line.
  private struct Line: Encodable {
    let ts: Int
    let level: String
    let message: String
    let metadata: [String: String]
  }

  package var logLevel = Logger.Level.info
  package var metadata: Logger.Metadata = [:]

  package init() {}

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let line = Line(
      ts: Int(Date().timeIntervalSince1970 * 1_000), level: event.level.rawValue,
      message: event.message.description, metadata: all.mapValues(\.description))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard var bytes = try? encoder.encode(line) else { return }
    bytes.append(UInt8(ascii: "\n"))
    // One call, so that lines of several threads do not mix.
    try? FileHandle.standardError.write(contentsOf: bytes)
  }
}
