import HubCore
import HubProtocol
import SeededRandom
import Testing

@Suite("Protocol, Users: `dnd_schedule` by a clock on the wall")
struct QuietPeriodPropertyTests {
  /// A clock that goes on by a minute at a time, and is put forward and back by hand.
  private struct WallClock {
    var day: Int
    var minute: Int

    mutating func tick() {
      minute += 1
      if minute == 1_440 { (day, minute) = ((day + 1) % 7, 0) }
    }

    mutating func tickBack() {
      minute -= 1
      if minute < 0 { (day, minute) = ((day + 6) % 7, 1_439) }
    }

    mutating func put(by minutes: Int) {
      for _ in 0..<max(0, minutes) { tick() }
      for _ in 0..<max(0, -minutes) { tickBack() }
    }

  }

  /// The minutes of a week that are quiet, marked one by one with such a clock.
  private struct Marks {
    private var marked: Set<Int> = []

    init(_ period: QuietPeriod) {
      for (index, day) in QuietPeriod.Day.allCases.enumerated() where period.days.contains(day) {
        var clock = WallClock(day: index, minute: period.from)
        repeat {
          marked.insert(clock.day * 1_440 + clock.minute)
          clock.tick()
        } while clock.minute != period.to
      }
    }

    func contains(_ clock: WallClock) -> Bool { marked.contains(clock.day * 1_440 + clock.minute) }
  }

  /// Monday, midnight in UTC.
  private let monday = moment("2026-11-16T00:00:00Z")

  private func randomPeriod(_ random: inout SplitMix64) -> QuietPeriod {
    let days = QuietPeriod.Day.allCases.filter { _ in random.oneIn(2) }
    let from = random.below(1_440)
    let to = random.oneIn(5) ? from : random.below(1_440)
    return QuietPeriod(
      days: days.isEmpty ? [random.pick(QuietPeriod.Day.allCases)] : days, from: from, to: to,
      zone: "Nowhere/Nothing")
  }

  /// Minutes from Monday on, and minutes from UTC from then on.
  private func randomChanges(
    _ random: inout SplitMix64, within minutes: Int
  ) -> [Int: Int] {
    var changes: [Int: Int] = [:]
    for _ in 0..<random.below(6) {
      changes[1 + random.below(minutes)] = random.below(112) * 15 - 840
    }
    return changes
  }

  @Test("a week and a half of any period in any zone is quiet minute by minute as the clock says")
  func minutes() {
    var random = SplitMix64(seed: TestSeed.value)
    let length = 10 * 1_440
    for round in 0..<40 {
      let period = randomPeriod(&random)
      let marks = Marks(period)
      let first = random.below(112) * 15 - 840
      let changes = randomChanges(&random, within: length)
      let rules = rules(first: first, changes)
      var clock = WallClock(day: 0, minute: 0)
      clock.put(by: first)
      var offset = first
      var wrong: [Int] = []
      for minute in 0..<length {
        if let new = changes[minute] {
          clock.put(by: new - offset)
          offset = new
        }
        let at = monday.advanced(byMilliseconds: minute * 60_000 + random.below(60_000))
        if period.isActive(at: at, rules: rules) != marks.contains(clock) { wrong.append(minute) }
        clock.tick()
      }
      #expect(wrong.isEmpty, "round \(round), \(period), \(changes), \(TestSeed.hint)")
    }
  }

  private func rules(first: Int, _ changes: [Int: Int]) -> ZoneRules {
    let transitions = changes.map { minute, offset in
      ZoneRules.Transition(
        from: monday.advanced(byMilliseconds: minute * 60_000), offset: offset * 60)
    }
    return ZoneRules(firstOffset: first * 60, transitions: transitions)
  }
}
