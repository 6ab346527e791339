import Foundation
import HubProtocol
import Testing

/// The tables of `protocol/codes.md`.
enum CodesDocument {
  /// The rows of the first table below a heading, as cells; empty when there is none.
  static func table(_ heading: String) -> [[String]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    let rows = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    // The first two are the titles and the line below them.
    return rows.dropFirst(2).map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private static let text: String = {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("protocol/codes.md")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()
}

@Suite("Errors and close codes")
struct CodesDocumentTests {
  @Test("the table of error codes holds each code once with its HTTP status, and no other")
  func errorCodes() {
    let rows = CodesDocument.table("Error codes").map { $0.prefix(2).joined(separator: " ") }
    let codes = ErrorCode.allCases.map { "`\($0.rawValue)` \($0.httpStatus)" }
    #expect(rows.sorted() == codes.sorted())
  }

  @Test("the table of close codes holds each code once, and no other")
  func closeCodes() {
    let rows = CodesDocument.table("Close codes").map { $0.first ?? "" }
    #expect(rows == CloseCode.allCases.map { "\($0.rawValue)" })
  }

  @Test("44xx come back, 45xx do not", arguments: CloseCode.allCases)
  func comingBack(_ code: CloseCode) throws {
    let rows = CodesDocument.table("Close codes")
    let row = try #require(rows.first { $0.first == "\(code.rawValue)" })
    let answer = try #require(row.last)
    switch code.rawValue {
    case 4400..<4500: #expect(answer.hasPrefix("yes"))
    case 4500..<4600: #expect(answer == "no")
    default: #expect(answer.hasPrefix("yes") || answer == "no")
    }
  }

  @Test("whatever a vector is refused with, or closed with, stands in the tables")
  func vectors() {
    let errors = CodesDocument.table("Error codes").compactMap(\.first)
    let closes = CodesDocument.table("Close codes").compactMap(\.first)
    let refused = Set(Vectors.requests.compactMap { $0.refused.map { "`\($0.code)`" } })
    let closed = Set(Vectors.requests.compactMap { $0.closes.map { "\($0)" } })
    #expect(refused.isSubset(of: errors) && refused.count > 3)
    #expect(closed.isSubset(of: closes) && !closed.isEmpty)
  }

  @Test("every row says what its code means", arguments: ["Error codes", "Close codes"])
  func meanings(_ heading: String) {
    let rows = CodesDocument.table(heading)
    #expect(!rows.isEmpty)
    #expect(rows.allSatisfy { row in row.contains { $0.hasSuffix(".") } })
  }
}
