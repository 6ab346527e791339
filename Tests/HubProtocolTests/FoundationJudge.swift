import Foundation

/// Foundation as the judge of what JSON is. It differs from the hub, and from RFC 8259, in this:
/// - A lone surrogate escape is refused by Foundation; to the hub it is good JSON, and bad text.
/// - Foundation reads UTF-16 and UTF-32, and skips a byte order mark; the hub reads UTF-8 only.
/// - Foundation refuses numbers that a `Double` cannot hold; the hub keeps them as they are.
/// - Foundation lets a comma stand before a closing brace or bracket.
/// - U+FEFF in a string is lost in Foundation; to the hub it is a character like others.
enum FoundationJudge {
  /// Whether the two are known to disagree on `bytes`, of which the hub says what is given.
  static func differs(on bytes: [UInt8], hubAccepts: Bool) -> Bool {
    let text = text(bytes).lowercased()
    if hubAccepts {
      // Surrogate escapes, lone or not, and exponents that leave a `Double`.
      return text.contains("\\ud") || text.contains(#/[0-9]e[-+]?[0-9]{3}/#)
    }
    // Other encodings show by a NUL, or by a byte order mark, which mutation can make.
    return bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
      || text.contains(#/,\s*[}\]]/#)
  }

  /// What Foundation keeps of a string.
  static func kept(_ text: String) -> String {
    var kept = text.unicodeScalars
    kept.removeAll { $0 == "\u{FEFF}" }
    return String(kept)
  }

  /// Whether Foundation reads the bytes as one JSON object.
  static func isObject(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any]
  }
}
