/// Writes compact JSON (RFC 8259) behind what it holds already: UTF-8 as it is, escapes only where
/// they must be.
struct JSONWriter {
  /// What was written.
  var bytes: [UInt8] = []

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Empties it. The memory is kept up to `limit` bytes.
  mutating func removeAll(keepingAtMost limit: Int) {
    bytes.removeAll(keepingCapacity: bytes.capacity <= limit)
  }

  /// Writes `count` zero bytes.
  mutating func zeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: count))
  }

  /// Writes text of our own as it is: names, punctuation.
  mutating func literal(_ literal: StaticString) {
    // SAFETY: the buffer is read at once and not kept.
    literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes a value that was checked before.
  mutating func raw(_ value: RawJSON) {
    bytes.append(contentsOf: value.bytes)
  }

  /// Writes a string of the alphabet of names, in which nothing needs an escape.
  mutating func name(_ name: String) {
    bytes.append(JSONByte.quote)
    bytes.append(contentsOf: name.utf8)
    bytes.append(JSONByte.quote)
  }

  mutating func bool(_ value: Bool) {
    literal(value ? "true" : "false")
  }

  mutating func integer(_ value: Int) {
    if value < 0 { bytes.append(JSONByte.minus) }
    var rest = value.magnitude
    // SAFETY: the digits live and are copied inside the closure; 20 hold every 64-bit number.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = 20
      repeat {
        first -= 1
        // SAFETY: a number below 2^64 has at most 20 digits, so `first` >= 0.
        digits[first] = JSONByte.zero + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      // SAFETY: the bytes from `first` on were written above; they are copied at once.
      bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[first...]))
    }
  }

  /// Writes a string with its quotation marks, escaping what must be escaped.
  mutating func string(_ text: String) {
    bytes.append(JSONByte.quote)
    JSONSource.read(text) { escaped($0) }
    bytes.append(JSONByte.quote)
  }

  /// Writes a string that is the value of a number.
  mutating func numberedName(_ number: Int) {
    bytes.append(JSONByte.quote)
    integer(number)
    bytes.append(JSONByte.quote)
  }

  /// Writes what `write` writes for each element, with commas between.
  mutating func list<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    var isFirst = true
    for element in elements {
      if isFirst { isFirst = false } else { bytes.append(JSONByte.comma) }
      write(&self, element)
    }
  }

  /// Writes an array of what `write` writes for each element.
  mutating func array<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    bytes.append(JSONByte.openArray)
    list(elements, write)
    bytes.append(JSONByte.closeArray)
  }
}

// MARK: - Escapes

extension JSONWriter {
  private mutating func escaped(_ text: JSONSource) {
    var start = 0
    while start < text.end {
      let end = text.endOfRun(from: start)
      text.append(start..<end, to: &bytes)
      guard end < text.end else { return }
      escape(text.byte(at: end))
      start = end + 1
    }
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case JSONByte.quote: literal("\\\"")
    case JSONByte.backslash: literal("\\\\")
    case 0x08: literal("\\b")
    case 0x09: literal("\\t")
    case 0x0A: literal("\\n")
    case 0x0C: literal("\\f")
    case 0x0D: literal("\\r")
    default:
      literal("\\u00")
      bytes.append(Self.hexDigit(byte >> 4))
      bytes.append(Self.hexDigit(byte & 15))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? JSONByte.zero + value : UInt8(ascii: "a") + value - 10
  }
}
