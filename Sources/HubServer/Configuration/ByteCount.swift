/// A number of bytes as people write it: `1GiB`, `512 MiB`, `4096`.
package struct ByteCount: Equatable, Sendable {
  package let bytes: Int

  package init(bytes: Int) {
    self.bytes = bytes
  }

  private static let units: [(suffix: String, bytes: Int)] = [
    ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("tib", 1 << 40), ("kb", 1_000),
    ("mb", 1_000_000), ("gb", 1_000_000_000), ("tb", 1_000_000_000_000), ("b", 1),
  ]

  /// Nil unless `text` is digits and, if it likes, a unit.
  package init?(_ text: String) {
    let text = text.lowercased()
    let unit = Self.units.first { text.hasSuffix($0.suffix) }
    var digits = text.dropLast(unit?.suffix.count ?? 0)
    while unit != nil, digits.last == " " { digits.removeLast() }
    guard let count = Int(digits: digits) else { return nil }
    let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: unit?.bytes ?? 1)
    guard !isTooLarge else { return nil }
    self.bytes = bytes
  }
}

extension Duration {
  private static let units: [(suffix: String, seconds: Int)] = [
    ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400),
  ]

  /// A time as people write it: `90s`, `5m`, `12h`; nil for anything else.
  package init?(written text: String) {
    guard let unit = Self.units.first(where: { text.hasSuffix($0.suffix) }),
      let count = Int(digits: text.dropLast()), count <= Int(Int32.max)
    else { return nil }
    self = .seconds(count * unit.seconds)
  }
}

extension Int {
  /// Nil unless `text` is ASCII digits and nothing else, and fits.
  fileprivate init?(digits text: Substring) {
    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isDigits, let number = Int(text) else { return nil }
    self = number
  }
}
