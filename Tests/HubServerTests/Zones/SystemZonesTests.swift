import Foundation
import HubCore
import HubProtocol
import HubServer
import SeededRandom
import Testing

/// The expected offsets are those of Python's `zoneinfo`, with the data 2025b.
@Suite("Protocol, Users: the system's time zones")
struct SystemZonesTests {
  private let zones = SystemZones(start: Self.moment("2026-01-01T00:00:00Z"))

  private static func moment(_ text: String) -> Timestamp {
    guard let date = try? Date(text, strategy: .iso8601) else {
      preconditionFailure("`\(text)` is no moment")
    }
    return Timestamp(milliseconds: Int(date.timeIntervalSince1970) * 1_000)
  }

  @Test(
    "offsets are those of other readers of the same data",
    arguments: [
      ("Europe/Oslo", "2025-01-15T00:00:00Z", 3_600),
      ("Europe/Oslo", "2026-03-29T00:59:59Z", 3_600),
      ("Europe/Oslo", "2026-03-29T01:00:00Z", 7_200),
      ("Europe/Oslo", "2026-07-01T00:00:00Z", 7_200),
      ("Europe/Oslo", "2026-10-25T00:59:59Z", 7_200),
      ("Europe/Oslo", "2026-10-25T01:00:00Z", 3_600),
      ("Europe/Oslo", "2034-03-26T00:59:59Z", 3_600),
      ("Europe/Oslo", "2034-03-26T01:00:00Z", 7_200),
      ("America/New_York", "2025-01-15T00:00:00Z", -18_000),
      ("America/New_York", "2026-03-08T06:59:59Z", -18_000),
      ("America/New_York", "2026-03-08T07:00:00Z", -14_400),
      ("America/New_York", "2026-11-01T05:59:59Z", -14_400),
      ("America/New_York", "2026-11-01T06:00:00Z", -18_000),
      ("America/New_York", "2034-11-05T05:59:59Z", -14_400),
      ("America/New_York", "2034-11-05T06:00:00Z", -18_000),
      ("Asia/Kolkata", "2025-01-15T00:00:00Z", 19_800),
      ("Asia/Kolkata", "2026-07-01T00:00:00Z", 19_800),
      ("Asia/Kolkata", "2034-07-01T00:00:00Z", 19_800),
      ("Australia/Lord_Howe", "2025-01-15T00:00:00Z", 39_600),
      ("Australia/Lord_Howe", "2026-04-04T14:59:59Z", 39_600),
      ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", 37_800),
      ("Australia/Lord_Howe", "2026-10-03T15:29:59Z", 37_800),
      ("Australia/Lord_Howe", "2026-10-03T15:30:00Z", 39_600),
      ("Australia/Lord_Howe", "2034-09-30T15:30:00Z", 39_600),
      ("America/Sao_Paulo", "2025-01-15T00:00:00Z", -10_800),
      ("America/Sao_Paulo", "2026-07-01T00:00:00Z", -10_800),
      ("America/Sao_Paulo", "2034-12-15T00:00:00Z", -10_800),
      ("Africa/Casablanca", "2025-01-15T00:00:00Z", 3_600),
      ("Africa/Casablanca", "2026-02-15T01:59:59Z", 3_600),
      ("Africa/Casablanca", "2026-02-15T02:00:00Z", 0),
      ("Africa/Casablanca", "2026-03-22T01:59:59Z", 0),
      ("Africa/Casablanca", "2026-03-22T02:00:00Z", 3_600),
      ("Africa/Casablanca", "2034-11-05T02:00:00Z", 0),
    ])
  func offsets(zone: String, text: String, offset: Int) throws {
    let rules = try #require(zones.rules(of: zone))
    #expect(rules.offset(at: Self.moment(text)) == offset)
  }

  @Test(
    "changes that are no daylight saving count as well",
    arguments: [
      ("America/Sao_Paulo", "2017-07-01T00:00:00Z", -10_800),
      ("America/Sao_Paulo", "2017-10-15T02:59:59Z", -10_800),
      ("America/Sao_Paulo", "2017-10-15T03:00:00Z", -7_200),
      ("America/Sao_Paulo", "2018-02-18T01:59:59Z", -7_200),
      ("America/Sao_Paulo", "2018-02-18T02:00:00Z", -10_800),
      ("America/Sao_Paulo", "2018-11-04T02:59:59Z", -10_800),
      ("America/Sao_Paulo", "2018-11-04T03:00:00Z", -7_200),
      ("America/Sao_Paulo", "2019-02-17T02:00:00Z", -10_800),
      ("America/Sao_Paulo", "2019-12-15T00:00:00Z", -10_800),
      ("Africa/Casablanca", "2017-07-15T00:00:00Z", 3_600),
      ("Africa/Casablanca", "2018-05-13T01:59:59Z", 3_600),
      ("Africa/Casablanca", "2018-05-13T02:00:00Z", 0),
      ("Africa/Casablanca", "2018-06-17T02:00:00Z", 3_600),
      ("Africa/Casablanca", "2018-10-28T03:00:00Z", 3_600),
      ("Africa/Casablanca", "2019-01-15T00:00:00Z", 3_600),
      ("Africa/Casablanca", "2019-05-05T03:00:00Z", 0),
      ("Asia/Pyongyang", "2018-05-04T14:59:59Z", 30_600),
      ("Asia/Pyongyang", "2018-05-04T15:00:00Z", 32_400),
      ("Europe/Volgograd", "2018-10-27T22:59:59Z", 10_800),
      ("Europe/Volgograd", "2018-10-27T23:00:00Z", 14_400),
      ("Europe/Volgograd", "2020-12-27T00:00:00Z", 10_800),
    ])
  func changedMinds(zone: String, text: String, offset: Int) throws {
    let zones = SystemZones(start: Self.moment("2018-01-01T00:00:00Z"))
    let rules = try #require(zones.rules(of: zone))
    #expect(rules.offset(at: Self.moment(text)) == offset)
  }

  @Test("a year before the start and ten years after it are known")
  func span() throws {
    let first = Self.moment("2025-01-01T00:00:00Z")
    let last = Self.moment("2036-01-01T00:00:00Z")
    let rules = try #require(zones.rules(of: "Europe/Oslo"))
    #expect(rules.transitions.count == 22)
    #expect(rules.transitions.allSatisfy { first < $0.from && $0.from < last })
    #expect(try #require(zones.rules(of: "Asia/Kolkata")).transitions.isEmpty)
  }

  @Test(
    "names that nobody knows have no rules",
    arguments: [
      "Nowhere/Nothing", "", "../../etc/passwd", "/etc/localtime", "Europe",
    ])
  func unknown(zone: String) {
    #expect(zones.rules(of: zone) == nil)
    #expect(zones.count == 0)
  }

  @Test("every zone of the system's list has rules, each transition a change; a name is kept once")
  func all() throws {
    for zone in TimeZone.knownTimeZoneIdentifiers + TimeZone.knownTimeZoneIdentifiers {
      let rules = try #require(zones.rules(of: zone), "\(zone)")
      let offsets = [rules.firstOffset] + rules.transitions.map(\.offset)
      #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 != $1 }, "\(zone)")
    }
    #expect(zones.count == TimeZone.knownTimeZoneIdentifiers.count)
  }

  @Test("at most 600 names are kept, and the answers stay right")
  func bounded() throws {
    for minutes in 0..<700 {
      let (hour, minute) = (minutes / 60, minutes % 60)
      let name = "GMT+\(hour < 10 ? "0" : "")\(hour)\(minute < 10 ? "0" : "")\(minute)"
      #expect(zones.rules(of: name) == ZoneRules(firstOffset: minutes * 60), "\(name)")
      #expect(zones.count <= SystemZones.limit)
    }
    #expect(zones.count == 100)
  }

  @Test(
    "quiet is what the calendar of the zone says, for random periods, zones and moments",
    arguments: 0..<20)
  func calendar(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let first = Self.moment("2025-01-02T00:00:00Z").milliseconds
    let names = TimeZone.knownTimeZoneIdentifiers
    for _ in 0..<200 {
      let name = random.pick(names)
      let zone = try #require(TimeZone(identifier: name))
      let at = Timestamp(milliseconds: first + random.below(10 * 365 * 86_400) * 1_000)
      let days = QuietPeriod.Day.allCases.filter { _ in random.oneIn(2) }
      let period = QuietPeriod(
        days: days, from: random.below(1_440), to: random.below(1_440), zone: name)
      let rules = try #require(zones.rules(of: name))
      let expected = isQuiet(period, at: at, zone)
      #expect(period.isActive(at: at, rules: rules) == expected, "\(period), \(at)")
    }
  }

  private func isQuiet(_ period: QuietPeriod, at moment: Timestamp, _ zone: TimeZone) -> Bool {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
    let parts = calendar.dateComponents([.weekday, .hour, .minute], from: date)
    guard let weekday = parts.weekday, let hour = parts.hour, let minute = parts.minute else {
      preconditionFailure("the calendar reads weekday, hour and minute")
    }
    let week: [QuietPeriod.Day] = [
      .sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday,
    ]
    let time = hour * 60 + minute
    // Begun today, or yesterday and not over yet.
    let isFromToday =
      time >= period.from && (period.to <= period.from || time < period.to)
      && period.days.contains(week[weekday - 1])
    let isFromYesterday =
      period.to <= period.from && time < period.to && period.days.contains(week[(weekday + 5) % 7])
    return isFromToday || isFromYesterday
  }
}
