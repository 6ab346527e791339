package import HubProtocol

/// When nothing interrupts (protocol, "Users": `user.settings`).
extension QuietPeriod {
  /// Whether the period is under way, as the clocks in its zone show it: from the minute `from` on,
  /// up to and without the minute `to`, which is on the next day when it is not after `from`.
  ///
  /// Only what a clock on the wall shows counts. An hour that is there twice is quiet both times or
  /// neither; a period that would begin in an hour that is skipped begins when the hour is over.
  package func isActive(at moment: Timestamp, rules: ZoneRules) -> Bool {
    let wall = WallReading(at: moment, rules: rules)
    if from < to {
      return days.contains(wall.day) && (from..<to).contains(wall.minute)
    }
    return wall.minute >= from && days.contains(wall.day)
      || wall.minute < to && days.contains(wall.dayBefore)
  }
}

extension UserSettings {
  /// Whether the user wants not to be disturbed at that moment: for a time, or each week.
  ///
  /// A period in a zone that `zones` does not know is never under way.
  package func isQuiet(at moment: Timestamp, zones: any ZoneSource) -> Bool {
    if let quietUntil, moment < quietUntil { return true }
    return quietPeriods.contains { period in
      zones.rules(of: period.zone).map { period.isActive(at: moment, rules: $0) } ?? false
    }
  }
}

/// What a clock on the wall and a calendar beside it show.
private struct WallReading {
  private static let millisecondsPerMinute = 60_000
  private static let minutesPerDay = 1_440
  /// 1970-01-01, day 0, was a Thursday: three days after a Monday.
  private static let firstWeekday = 3

  /// Minutes after midnight, 0…1,439.
  let minute: Int
  /// Days since 1970-01-01, on the calendar of the zone.
  private let dayNumber: Int

  init(at moment: Timestamp, rules: ZoneRules) {
    let local = moment.milliseconds + rules.offset(at: moment) * 1_000
    let minutes = local.divided(by: Self.millisecondsPerMinute).quotient
    (dayNumber, minute) = minutes.divided(by: Self.minutesPerDay)
  }

  var day: QuietPeriod.Day { Self.weekday(dayNumber) }
  var dayBefore: QuietPeriod.Day { Self.weekday(dayNumber - 1) }

  private static func weekday(_ number: Int) -> QuietPeriod.Day {
    let week = QuietPeriod.Day.allCases
    return week[(number + firstWeekday).divided(by: week.count).remainder]
  }
}

extension Int {
  /// Rounded down, so that the remainder is never below 0, before 1970 as well.
  fileprivate func divided(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
