import HubCore
import HubProtocol

/// Texts as `search` holds them, and what is looked for in them.
enum SearchText {
  /// The word that stands for a channel.
  static func token(of channel: ChannelRef) -> String { "c\(channel.index)" }

  /// The text that search finds a message by; nil when it has none.
  static func text(of row: MessageRow, file: String) throws -> String? {
    guard !row.isDeleted, let name = ChannelName("c") else { return nil }
    let stored = try row.message(named: name, replyCount: 0, file: file)
    return stored.message.content.text
  }

  /// The text with every letter of a script that writes without spaces as a word of its own.
  static func split(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }),
      text.unicodeScalars.contains(where: isUnspaced)
    else { return text }
    var split = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard isUnspaced(scalar) else {
        split.append(scalar)
        continue
      }
      split.append(" ")
      split.append(scalar)
      split.append(" ")
    }
    return String(split)
  }

  /// What `search` is asked for: all words, the last one as a beginning; in certain channels only,
  /// if there are any. Nil when there is nothing to look for.
  static func query(_ text: String, in channels: [ChannelRef]) -> String? {
    var words: [String] = []
    for word in text.unicodeScalars.split(whereSeparator: { !isPart($0) }) {
      guard word.contains(where: isLetter) else { continue }
      // A quoted word holds no syntax, and letters only.
      words.append("\"" + split(String(String.UnicodeScalarView(word))) + "\"")
    }
    guard !words.isEmpty else { return nil }
    let wanted = "text : (" + words.joined(separator: " ") + " *)"
    guard !channels.isEmpty else { return wanted }
    let tokens = channels.map { "\"" + token(of: $0) + "\"" }.joined(separator: " OR ")
    return "(channel : (\(tokens))) AND (\(wanted))"
  }

  /// Whether the scalar can stand in a word: letters, numbers, and marks on them.
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: isLetter(scalar)
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Han, Hiragana, Katakana, Hangul and Thai.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0e00...0x0e7f, 0x1100...0x11ff, 0x2e80...0x2fdf, 0x3005...0x3007, 0x3021...0x3029,
      0x3031...0x3035, 0x3038...0x303b, 0x3041...0x30ff, 0x3130...0x318f, 0x31a0...0x31bf,
      0x31f0...0x31ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa960...0xa97f, 0xac00...0xd7ff,
      0xf900...0xfaff, 0xff66...0xffdc, 0x1b000...0x1b16f, 0x20000...0x3ffff:
      true
    default: false
    }
  }
}
