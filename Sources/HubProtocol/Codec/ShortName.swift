/// A name of at most 16 bytes held in two words, so that names are compared without a `String`.
struct ShortName: Equatable {
  /// The most bytes that fit.
  static let maximumBytes = 16

  private let low: UInt64
  private let high: UInt64

  /// The name in `range` of `source`, nil when it is longer.
  ///
  /// Names with a NUL in them would be ambiguous; the scanner lets none through unescaped.
  init?(_ source: JSONSource, _ range: Range<Int>) {
    guard range.count <= Self.maximumBytes else { return nil }
    low = Self.word(source, from: range.lowerBound, count: min(range.count, 8))
    high =
      range.count > 8 ? Self.word(source, from: range.lowerBound + 8, count: range.count - 8) : 0
  }

  /// The name in `text`, nil when it is longer than `maximumBytes`.
  init?(_ text: String) {
    let name = JSONSource.read(text) { ShortName($0, 0..<$0.end) }
    guard let name else { return nil }
    self = name
  }

  /// A number whose low bits differ for most pairs of names.
  var hash: UInt64 {
    ((low ^ (high << 5)) &* 0x9E37_79B9_7F4A_7C15) >> 48
  }

  /// The first `count` bytes, at most eight, from `start` on; the first in the lowest bits.
  private static func word(_ source: JSONSource, from start: Int, count: Int) -> UInt64 {
    guard count > 0 else { return 0 }
    if let word = source.word(at: start) {
      return word & (.max &>> UInt64(truncatingIfNeeded: 64 - count * 8))
    }
    var word: UInt64 = 0
    for position in 0..<count {
      word |= UInt64(source.byte(at: start + position)) << UInt64(position * 8)
    }
    return word
  }
}
