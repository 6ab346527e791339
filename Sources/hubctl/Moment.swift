internal import ArgumentParser
package import Foundation

/// A time to come, as people write it: `90s`, `30m`, `2h`, `7d`, `2026-12-24`, `2026-12-24T18:30`.
package enum Moment: Equatable, Sendable {
  /// So many milliseconds from now.
  case after(Int)
  /// Milliseconds since the Unix epoch.
  case at(Int)

  /// Nil for what is neither a duration nor a date.
  /// - Parameter zone: whose midnight a date means.
  package init?(_ text: String, zone: TimeZone) {
    if let milliseconds = Self.duration(text) {
      self = .after(milliseconds)
    } else if let date = Self.date(text, zone) {
      self = .at(Int(date.timeIntervalSince1970 * 1_000))
    } else {
      return nil
    }
  }

  /// In milliseconds since the Unix epoch.
  package func ts(now: Int) -> Int {
    switch self {
    case .after(let milliseconds): now + milliseconds
    case .at(let ts): ts
    }
  }

  private static func duration(_ text: String) -> Int? {
    let units: [Character: Int] = [
      "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]
    guard let unit = text.last.flatMap({ units[$0] }), text.first?.isNumber == true,
      let number = Int(text.dropLast()), number <= 1_000_000
    else { return nil }
    return number * unit
  }

  private static func date(_ text: String, _ zone: TimeZone) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = zone
    formatter.isLenient = false
    for format in ["yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd'T'HH:mm:ss"] {
      formatter.dateFormat = format
      // Formatted again it must be what was written: the parser takes 26-1-1 for a date, too.
      if let date = formatter.date(from: text), formatter.string(from: date) == text {
        return date
      }
    }
    return nil
  }
}

extension Moment: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(argument, zone: .current)
  }
}
