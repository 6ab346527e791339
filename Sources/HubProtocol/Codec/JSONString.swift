/// The text of a scanned string.
enum JSONString {
  /// Why a string cannot be used as text.
  enum Flaw: Error {
    /// A `\ud800`…`\udfff` without its other half.
    case loneSurrogate
    /// A `\u0000`.
    case nul
  }

  /// What the string in `slice` of `source` says, its escapes resolved. `slice` was scanned from
  /// `source`.
  static func decode(_ slice: JSONSlice, in source: JSONSource) throws(Flaw) -> String {
    guard slice.hasEscapes else { return source.text(slice.range) }
    var unescaper = Unescaper(
      source: source, index: slice.range.lowerBound, end: slice.range.upperBound)
    return try unescaper.unescape()
  }
}

/// Resolves the escapes of one string that the scanner has passed.
private struct Unescaper {
  let source: JSONSource
  var index: Int
  let end: Int

  mutating func unescape() throws(JSONString.Flaw) -> String {
    var units: [UInt8] = []
    // An escape is never shorter than what it stands for.
    units.reserveCapacity(end - index)
    while index < end {
      let byte = source.byte(at: index)
      if byte == JSONByte.backslash {
        units.append(contentsOf: Unicode.UTF8.encode(try nextEscape()) ?? .init())
      } else {
        units.append(byte)
        index += 1
      }
    }
    return String(decoding: units, as: UTF8.self)
  }

  private mutating func nextEscape() throws(JSONString.Flaw) -> Unicode.Scalar {
    let letter = source.byte(at: index + 1)
    guard letter == UInt8(ascii: "u") else {
      index += 2
      return Unicode.Scalar(Self.meaning(of: letter))
    }
    let unit = codeUnit(at: index)
    index += 6
    guard unit != 0 else { throw .nul }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, index + 6 <= end, source.byte(at: index) == JSONByte.backslash,
      source.byte(at: index + 1) == UInt8(ascii: "u")
    else { throw .loneSurrogate }
    let low = codeUnit(at: index)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw .loneSurrogate }
    index += 6
    return scalar
  }

  /// The number in the `\uXXXX` at `position`.
  private func codeUnit(at position: Int) -> UInt32 {
    var unit: UInt32 = 0
    for digit in position + 2..<position + 6 {
      unit = unit << 4 | (JSONByte.hexValue(source.byte(at: digit)) ?? 0)
    }
    return unit
  }

  /// The control character of a short escape; the others stand for themselves.
  private static func meaning(of letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): 0x0D
    default: letter
    }
  }
}
