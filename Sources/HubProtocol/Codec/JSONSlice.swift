/// Where one JSON value stands in the text it was scanned from.
struct JSONSlice {
  /// What a value is. `integer` is a number without fraction and exponent.
  enum Kind: UInt8 {
    case string
    case integer
    case number
    case bool
    case null
    case object
    case array
  }

  /// Offset of the first byte, of a string the one behind its quotation mark.
  let start: UInt32
  /// Offset behind the last byte, of a string the closing quotation mark.
  let end: UInt32
  let kind: Kind
  /// Whether a string has a backslash in it.
  let hasEscapes: Bool
  /// Levels of objects and arrays in the value: 0 for a scalar, 1 for `[]`.
  let depth: UInt16

  init(from start: Int, to end: Int, _ kind: Kind, hasEscapes: Bool = false, depth: Int = 0) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.kind = kind
    self.hasEscapes = hasEscapes
    self.depth = UInt16(clamping: depth)
  }

  /// Offsets of the string's inside, or of the whole value.
  var range: Range<Int> { Int(start)..<Int(end) }

  /// Offsets of the whole value, a string with its quotation marks.
  var outerRange: Range<Int> {
    kind == .string ? Int(start) - 1..<Int(end) + 1 : Int(start)..<Int(end)
  }
}

/// Takes the members of one object as they are scanned.
protocol JSONMemberSink {
  /// One member; `key` is a string, and both stand in `source`.
  mutating func add(key: JSONSlice, value: JSONSlice, in source: JSONSource)
}

/// The sink of values that are only checked.
struct JSONIgnored: JSONMemberSink {
  mutating func add(key: JSONSlice, value: JSONSlice, in source: JSONSource) {}
}

/// The text is not JSON as RFC 8259 has it.
struct NotJSON: Error {}
