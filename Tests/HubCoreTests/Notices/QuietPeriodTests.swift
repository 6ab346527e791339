import Foundation
import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Users: `dnd_schedule`")
struct QuietPeriodTests {
  /// Monday 2026-11-16 to Sunday 2026-11-22.
  private let week = (16...22).map { "2026-11-\($0)" }

  /// When the period is under way, by a look at every minute from a date on: `16 22:00-17 07:00`.
  private func active(
    _ period: QuietPeriod, _ rules: ZoneRules, from date: String, days: Int
  ) -> [String] {
    let first = moment("\(date)T00:00:00Z")
    var spans: [String] = []
    var began: String?
    for minute in 0...(days * 1_440) {
      let at = first.advanced(byMilliseconds: minute * 60_000)
      let isActive = minute < days * 1_440 && period.isActive(at: at, rules: rules)
      if isActive, began == nil { began = text(at) }
      guard !isActive, let begin = began else { continue }
      spans.append("\(begin)-\(text(at))")
      began = nil
    }
    return spans
  }

  /// Day of the month and time, UTC.
  private func text(_ moment: Timestamp) -> String {
    let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
    let iso = date.formatted(.iso8601)
    return "\(iso.dropFirst(8).prefix(2)) \(iso.dropFirst(11).prefix(5))"
  }

  @Test("a period is under way on its day, and on no other", arguments: QuietPeriod.Day.allCases)
  func weekday(day: QuietPeriod.Day) throws {
    let index = try #require(QuietPeriod.Day.allCases.firstIndex(of: day))
    let period = QuietPeriod([day], "09:00", "17:30")
    let spans = active(period, Zones.utc, from: week[0], days: 7)
    #expect(spans == ["\(16 + index) 09:00-\(16 + index) 17:30"])
  }

  @Test("it begins with the first millisecond of `from` and ends before that of `to`")
  func edges() {
    let period = QuietPeriod([.monday], "09:00", "17:30")
    let begin = moment("2026-11-16T09:00:00Z")
    let end = moment("2026-11-16T17:30:00Z")
    let cases = [(begin, -1, false), (begin, 0, true), (end, -1, true), (end, 0, false)]
    for (at, milliseconds, isActive) in cases {
      let instant = at.advanced(byMilliseconds: milliseconds)
      #expect(period.isActive(at: instant, rules: Zones.utc) == isActive)
    }
  }

  @Test(
    "where `to` is not after `from` it ends on the next day",
    arguments: [
      ([.monday], "22:00", "07:00", ["16 22:00-17 07:00"]),
      ([.monday, .tuesday], "22:00", "07:00", ["16 22:00-17 07:00", "17 22:00-18 07:00"]),
      ([.friday], "00:01", "00:00", ["20 00:01-21 00:00"]),
      ([.saturday], "23:59", "00:01", ["21 23:59-22 00:01"]),
      ([.wednesday], "22:00", "00:00", ["18 22:00-19 00:00"]),
    ] as [([QuietPeriod.Day], String, String, [String])])
  func overMidnight(days: [QuietPeriod.Day], from: String, to: String, spans: [String]) {
    let period = QuietPeriod(days, from, to)
    #expect(active(period, Zones.utc, from: week[0], days: 7) == spans)
  }

  @Test("from Sunday it goes on into Monday")
  func sundayToMonday() {
    let period = QuietPeriod([.sunday], "22:00", "07:00")
    let spans = active(period, Zones.utc, from: "2026-11-21", days: 4)
    #expect(spans == ["22 22:00-23 07:00"])
    #expect(period.isActive(at: moment("2026-11-16T06:59:59Z"), rules: Zones.utc))
  }

  @Test(
    "where `from` and `to` are the same it lasts 24 hours",
    arguments: [
      ([.tuesday], "13:00", ["17 13:00-18 13:00"]),
      ([.tuesday], "00:00", ["17 00:00-18 00:00"]),
      ([.tuesday, .wednesday], "13:00", ["17 13:00-19 13:00"]),
      (QuietPeriod.Day.allCases, "05:00", ["16 00:00-23 00:00"]),
    ] as [([QuietPeriod.Day], String, [String])])
  func wholeDay(days: [QuietPeriod.Day], time: String, spans: [String]) {
    let period = QuietPeriod(days, time, time)
    #expect(active(period, Zones.utc, from: week[0], days: 7) == spans)
  }

  @Test(
    "daylight saving changes when it begins and ends in UTC, and how long it lasts",
    arguments: [
      // A night as the clocks go forward: eight hours; as they go back: ten.
      (Zones.oslo, "2026-03-28", "22:00", "07:00", ["28 21:00-29 05:00"]),
      (Zones.oslo, "2026-10-24", "22:00", "07:00", ["24 20:00-25 06:00"]),
      (Zones.newYork, "2026-03-07", "22:00", "07:00", ["08 03:00-08 11:00"]),
      (Zones.newYork, "2026-10-31", "22:00", "07:00", ["01 02:00-01 12:00"]),
    ])
  func longNights(
    rules: ZoneRules, saturday: String, from: String, to: String, spans: [String]
  ) {
    let period = QuietPeriod([.saturday], from, to)
    #expect(active(period, rules, from: saturday, days: 2) == spans)
  }

  @Test(
    "what falls into an hour that is skipped is left out",
    arguments: [
      (Zones.oslo, "2026-03-29", "02:15", "02:45", []),
      (Zones.oslo, "2026-03-29", "01:30", "02:30", ["29 00:30-29 01:00"]),
      (Zones.oslo, "2026-03-29", "02:30", "03:30", ["29 01:00-29 01:30"]),
      (Zones.oslo, "2026-03-29", "02:00", "03:00", []),
      (Zones.newYork, "2026-03-08", "02:15", "02:45", []),
      (Zones.newYork, "2026-03-08", "02:30", "03:30", ["08 07:00-08 07:30"]),
    ] as [(ZoneRules, String, String, String, [String])])
  func skippedHour(
    rules: ZoneRules, sunday: String, from: String, to: String, spans: [String]
  ) {
    let period = QuietPeriod([.sunday], from, to)
    #expect(active(period, rules, from: sunday, days: 2) == spans)
  }

  @Test(
    "an hour that is there twice is quiet both times",
    arguments: [
      (Zones.oslo, "2026-10-25", "02:15", "02:45", ["25 00:15-25 00:45", "25 01:15-25 01:45"]),
      (Zones.oslo, "2026-10-25", "02:30", "03:30", ["25 00:30-25 01:00", "25 01:30-25 02:30"]),
      (Zones.oslo, "2026-10-25", "02:00", "03:00", ["25 00:00-25 02:00"]),
      (Zones.newYork, "2026-11-01", "01:15", "01:45", ["01 05:15-01 05:45", "01 06:15-01 06:45"]),
      (Zones.newYork, "2026-11-01", "00:30", "01:30", ["01 04:30-01 05:30", "01 06:00-01 06:30"]),
    ])
  func repeatedHour(
    rules: ZoneRules, sunday: String, from: String, to: String, spans: [String]
  ) {
    let period = QuietPeriod([.sunday], from, to)
    #expect(active(period, rules, from: sunday, days: 2) == spans)
  }

  @Test("in a zone half an hour off it begins and ends at half past")
  func halfHour() {
    let night = QuietPeriod([.monday], "22:00", "07:00")
    #expect(active(night, Zones.kolkata, from: week[0], days: 3) == ["16 16:30-17 01:30"])
    let morning = QuietPeriod([.monday], "00:00", "05:00")
    #expect(active(morning, Zones.kolkata, from: "2026-11-15", days: 3) == ["15 18:30-15 23:30"])
  }

  @Test("where the clocks change by half an hour, half an hour is there twice, or skipped")
  func halfHourChange() {
    let period = QuietPeriod([.sunday], "01:00", "02:00")
    let back = active(period, Zones.lordHowe, from: "2026-04-04", days: 2)
    #expect(back == ["04 14:00-04 15:30"])
    let late = QuietPeriod([.sunday], "02:00", "03:00")
    let forward = active(late, Zones.lordHowe, from: "2026-10-03", days: 2)
    #expect(forward == ["03 15:30-03 16:00"])
  }

  @Test("the day is that of the zone, on either side of UTC")
  func dayOfZone() {
    let period = QuietPeriod([.monday], "00:00", "00:00")
    let east = active(period, ZoneRules(firstOffset: 50_400), from: "2026-11-14", days: 5)
    #expect(east == ["15 10:00-16 10:00"])
    let west = active(period, ZoneRules(firstOffset: -43_200), from: "2026-11-14", days: 5)
    #expect(west == ["16 12:00-17 12:00"])
  }

  @Test("weekdays are right before 1970, and far from now")
  func farAway() {
    let monday = QuietPeriod([.monday], "00:00", "00:00")
    for text in ["1969-12-29T23:59:59Z", "1900-01-01T00:00:00Z", "2400-02-28T12:00:00Z"] {
      #expect(monday.isActive(at: moment(text), rules: Zones.utc), "\(text)")
      let later = moment(text).advanced(byMilliseconds: 86_400_000)
      #expect(!monday.isActive(at: later, rules: Zones.utc), "\(text)")
    }
  }
}
