/// The value of a scanned number.
enum JSONNumber {
  /// The integer in `slice` of `source`; nil for another kind of value and outside ±(2^53−1).
  /// `slice` was scanned from `source`.
  static func integer(_ slice: JSONSlice, in source: JSONSource) -> Int? {
    guard slice.kind == .integer else { return nil }
    var index = slice.range.lowerBound
    let isNegative = source.byte(at: index) == JSONByte.minus
    if isNegative { index += 1 }
    // JSON has no leading zeros, and 16 digits cannot overflow.
    guard slice.range.upperBound - index <= 16 else { return nil }
    var magnitude = 0
    while index < slice.range.upperBound {
      magnitude = magnitude * 10 + Int(source.byte(at: index) &- JSONByte.zero)
      index += 1
    }
    guard magnitude <= Limits.largestInteger else { return nil }
    return isNegative ? -magnitude : magnitude
  }
}
