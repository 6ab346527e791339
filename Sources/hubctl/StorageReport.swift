internal import ArgumentParser
internal import Foundation

/// What can be told of something that a hub keeps on disk.
protocol StorageReport: Encodable {
  /// Lines for people.
  var lines: [String] { get }
}

/// Nothing can be told of it.
struct Unreadable: Error {
  /// Names the file and says why.
  let sentence: String
}

extension StorageReport {
  /// Prints what `look` finds, as lines or as one object. The exit code is 1 when nothing can be
  /// told.
  @discardableResult
  static func show(
    json: Bool, _ look: () throws(Unreadable) -> Self
  ) async throws -> Self {
    let output = Output()
    do throws(Unreadable) {
      let report = try look()
      for line in json ? [report.json] : report.lines { try? await output.line(line) }
      return report
    } catch {
      await output.note("hubctl: \(error.sentence)")
      throw ExitCode(1)
    }
  }

  /// One object.
  private var json: String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
