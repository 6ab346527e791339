/// Checks JSON text in one pass (RFC 8259, strictly, UTF-8 included) and tells where its values
/// stand.
struct JSONScanner {
  /// Levels of objects and arrays that are scanned by recursion; deeper ones are counted in a list,
  /// so that no text exhausts the stack.
  static let recursionLevels = 64
  /// The longest text that is looked at, far above `Limits.messageBytes`; offsets have 32 bits.
  static let largestText = Int(Int32.max)

  let source: JSONSource
  var index: Int
  /// The deepest level met since it was last reset.
  var deepest = 0

  /// Scans `source` from `start` on.
  init(_ source: JSONSource, from start: Int) {
    self.source = source
    self.index = start
  }

  /// Gives the members of the one object in `source`, from `start` on, to `sink`; white space
  /// around it is allowed.
  static func scanObject(
    _ source: JSONSource, from start: Int, into sink: inout some JSONMemberSink
  ) throws(NotJSON) {
    guard source.end <= largestText else { throw NotJSON() }
    var scanner = JSONScanner(source, from: start)
    scanner.skipSpace()
    guard scanner.byte == JSONByte.openObject else { throw NotJSON() }
    try scanner.scanObject(level: 1, into: &sink)
    scanner.skipSpace()
    guard scanner.index == source.end else { throw NotJSON() }
  }

  /// The next element of the array whose opening bracket, or element before, was passed; nil at its
  /// end.
  mutating func nextElement() throws(NotJSON) -> JSONSlice? {
    skipSpace()
    switch byte {
    case JSONByte.openArray, JSONByte.comma: index += 1
    default: return nil
    }
    skipSpace()
    return byte == JSONByte.closeArray ? nil : try scanValue(level: 0)
  }

  /// The byte at the index, 0 at the end.
  var byte: UInt8 { source.byte(at: index) }

  mutating func skipSpace() {
    while true {
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  /// Scans the value at the index, which stands `level` levels deep.
  private mutating func scanValue(level: Int) throws(NotJSON) -> JSONSlice {
    switch byte {
    case JSONByte.openObject, JSONByte.openArray:
      try scanContainer(level: level + 1)
    default:
      try scanScalar()
    }
  }

  /// Scans the string, number or word at the index.
  mutating func scanScalar() throws(NotJSON) -> JSONSlice {
    switch byte {
    case JSONByte.quote:
      return try scanString()
    case JSONByte.zero...JSONByte.nine, JSONByte.minus:
      return try scanNumber()
    case UInt8(ascii: "t"):
      return try scanWord("true", .bool)
    case UInt8(ascii: "f"):
      return try scanWord("false", .bool)
    case UInt8(ascii: "n"):
      return try scanWord("null", .null)
    default:
      throw NotJSON()
    }
  }

  private mutating func scanContainer(level: Int) throws(NotJSON) -> JSONSlice {
    let start = index
    let deepestOutside = deepest
    deepest = level
    let kind: JSONSlice.Kind = byte == JSONByte.openObject ? .object : .array
    if level > Self.recursionLevels {
      try scanDeepContainer(level: level)
    } else if kind == .object {
      var ignored = JSONIgnored()
      try scanObject(level: level, into: &ignored)
    } else {
      try scanArray(level: level)
    }
    let depth = deepest - level + 1
    deepest = max(deepest, deepestOutside)
    return JSONSlice(from: start, to: index, kind, depth: depth)
  }

  /// Scans the object that opens at the index.
  private mutating func scanObject(
    level: Int, into sink: inout some JSONMemberSink
  ) throws(NotJSON) {
    index += 1
    skipSpace()
    if byte == JSONByte.closeObject {
      index += 1
      return
    }
    while true {
      let key = try scanKey()
      sink.add(key: key, value: try scanValue(level: level), in: source)
      skipSpace()
      let separator = byte
      index += 1
      if separator == JSONByte.closeObject { return }
      guard separator == JSONByte.comma else { throw NotJSON() }
      skipSpace()
    }
  }

  /// Scans a member's key and the colon behind it.
  mutating func scanKey() throws(NotJSON) -> JSONSlice {
    guard byte == JSONByte.quote else { throw NotJSON() }
    let key = try scanString()
    skipSpace()
    guard byte == JSONByte.colon else { throw NotJSON() }
    index += 1
    skipSpace()
    return key
  }

  private mutating func scanArray(level: Int) throws(NotJSON) {
    index += 1
    skipSpace()
    if byte == JSONByte.closeArray {
      index += 1
      return
    }
    while true {
      _ = try scanValue(level: level)
      skipSpace()
      let separator = byte
      index += 1
      if separator == JSONByte.closeArray { return }
      guard separator == JSONByte.comma else { throw NotJSON() }
      skipSpace()
    }
  }
}

// MARK: - Scalars

extension JSONScanner {
  private mutating func scanWord(
    _ word: StaticString, _ kind: JSONSlice.Kind
  ) throws(NotJSON) -> JSONSlice {
    let start = index
    for position in 0..<word.utf8CodeUnitCount {
      // SAFETY: `word` is a literal of `utf8CodeUnitCount` bytes, and `position` lies below that.
      guard byte == word.utf8Start[position] else { throw NotJSON() }
      index += 1
    }
    return JSONSlice(from: start, to: index, kind)
  }

  private mutating func scanNumber() throws(NotJSON) -> JSONSlice {
    let start = index
    var kind = JSONSlice.Kind.integer
    if byte == JSONByte.minus { index += 1 }
    if byte == JSONByte.zero { index += 1 } else { try scanDigits() }
    if byte == UInt8(ascii: ".") {
      kind = .number
      index += 1
      try scanDigits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      kind = .number
      index += 1
      if byte == UInt8(ascii: "+") || byte == JSONByte.minus { index += 1 }
      try scanDigits()
    }
    return JSONSlice(from: start, to: index, kind)
  }

  private mutating func scanDigits() throws(NotJSON) {
    let start = index
    while (JSONByte.zero...JSONByte.nine).contains(byte) { index += 1 }
    guard index > start else { throw NotJSON() }
  }

  private mutating func scanString() throws(NotJSON) -> JSONSlice {
    index += 1
    let start = index
    var hasEscapes = false
    while true {
      skipPlain()
      switch byte {
      case JSONByte.quote:
        index += 1
        return JSONSlice(from: start, to: index - 1, .string, hasEscapes: hasEscapes)
      case JSONByte.backslash:
        hasEscapes = true
        try scanEscape()
      case 0x80...:
        try scanNonASCII()
      case 0x20...:
        index += 1
      default:
        throw NotJSON()
      }
    }
  }

  /// Passes over ASCII that stands for itself, as long as eight bytes are left.
  private mutating func skipPlain() {
    while let word = source.word(at: index) {
      let plain = JSONWord.plainPrefix(word)
      index += plain
      if plain < 8 { return }
    }
  }

  private mutating func scanEscape() throws(NotJSON) {
    switch source.byte(at: index + 1) {
    case JSONByte.quote, JSONByte.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 2
    case UInt8(ascii: "u"):
      for position in index + 2..<index + 6 {
        guard JSONByte.hexValue(source.byte(at: position)) != nil else { throw NotJSON() }
      }
      index += 6
    default:
      throw NotJSON()
    }
  }

  /// Passes over one scalar above ASCII: the well-formed sequences of Unicode, table 3-7.
  private mutating func scanNonASCII() throws(NotJSON) {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch byte {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw NotJSON()
    }
    guard second.contains(source.byte(at: index + 1)) else { throw NotJSON() }
    for position in index + 2..<index + length {
      guard source.byte(at: position) & 0xC0 == 0x80 else { throw NotJSON() }
    }
    index += length
  }
}
