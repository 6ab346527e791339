/// Text of other people's, made fit for a line on a terminal.
package enum TerminalText {
  /// `text` with everything escaped that would move the cursor, change the terminal or turn the
  /// line around: control characters (C0, DEL, C1), line and paragraph separators, and the
  /// overrides and isolates of bidirectional text. Everything else, marks and joiners included,
  /// stays.
  package static func escape(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let name = name(of: scalar) {
        escaped.append(contentsOf: name.unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private static func name(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case ..<0x20, 0x7F...0x9F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069:
      "\\u{\(String(scalar.value, radix: 16))}"
    default: nil
    }
  }
}
