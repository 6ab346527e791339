import Foundation
import HubCore
import HubProtocol
import HubStage

/// Time zones as they are in 2026, by hand.
enum Zones {
  static let utc = ZoneRules(firstOffset: 0)
  static let kolkata = ZoneRules(firstOffset: 19_800)
  static let oslo = ZoneRules(
    firstOffset: 3_600,
    transitions: [
      ZoneRules.Transition(from: moment("2026-03-29T01:00:00Z"), offset: 7_200),
      ZoneRules.Transition(from: moment("2026-10-25T01:00:00Z"), offset: 3_600),
    ])
  static let newYork = ZoneRules(
    firstOffset: -18_000,
    transitions: [
      ZoneRules.Transition(from: moment("2026-03-08T07:00:00Z"), offset: -14_400),
      ZoneRules.Transition(from: moment("2026-11-01T06:00:00Z"), offset: -18_000),
    ])
  /// Its clocks change by half an hour.
  static let lordHowe = ZoneRules(
    firstOffset: 39_600,
    transitions: [
      ZoneRules.Transition(from: moment("2026-04-04T15:00:00Z"), offset: 37_800),
      ZoneRules.Transition(from: moment("2026-10-03T15:30:00Z"), offset: 39_600),
    ])

  static let all = FixedZones(rules: [
    "UTC": utc, "Asia/Kolkata": kolkata, "Europe/Oslo": oslo, "America/New_York": newYork,
    "Australia/Lord_Howe": lordHowe,
  ])
}

/// A moment as ISO 8601 writes it, to the second.
func moment(_ text: String) -> Timestamp {
  guard let date = try? Date(text, strategy: .iso8601) else {
    preconditionFailure("`\(text)` is no moment")
  }
  return Timestamp(milliseconds: Int(date.timeIntervalSince1970) * 1_000)
}

extension QuietPeriod {
  /// From and to as `HH:MM`.
  init(_ days: [Day], _ from: String, _ to: String, _ zone: String = "UTC") {
    self.init(days: days, from: Self.minutes(from), to: Self.minutes(to), zone: zone)
  }

  private static func minutes(_ text: String) -> Int {
    let parts = text.split(separator: ":").compactMap { Int($0) }
    precondition(parts.count == 2, "`\(text)` is no time of day")
    return parts[0] * 60 + parts[1]
  }
}
