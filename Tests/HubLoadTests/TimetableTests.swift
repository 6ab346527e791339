import HubLoad
import SeededRandom
import Testing

@Suite("Plan: what is due when")
struct TimetableTests {
  @Test("the first is due at once, the others evenly after it")
  func even() {
    let timetable = Timetable(perSecond: 1_000)
    #expect((0...3).map { timetable.due($0) } == [0, 1_000_000, 2_000_000, 3_000_000])
    #expect(timetable.count(by: 0) == 1)
    #expect(timetable.count(by: 999_999) == 1)
    #expect(timetable.count(by: 1_000_000) == 2)
  }

  @Test("rates below one a second work too")
  func slow() {
    let timetable = Timetable(perSecond: 0.5)
    #expect(timetable.count(by: 1_999_999_999) == 1)
    #expect(timetable.count(by: 2_000_000_000) == 2)
  }

  @Test("what is counted is due, and the next one is not", arguments: 0..<100 as Range<UInt64>)
  func agreement(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let timetable = Timetable(perSecond: .random(in: 0.1...3_000_000, using: &random))
    for _ in 0..<50 {
      let elapsed = UInt64.random(in: 0...3_600_000_000_000, using: &random)
      let count = timetable.count(by: elapsed)
      #expect(timetable.due(count - 1) <= elapsed, "seed \(seed), \(elapsed)")
      #expect(timetable.due(count) > elapsed, "seed \(seed), \(elapsed)")
    }
  }

  @Test("a late look finds everything that became due meanwhile, at its own time")
  func late() {
    let timetable = Timetable(perSecond: 100)
    let count = timetable.count(by: 55_000_000)
    #expect(count == 6)
    #expect((0..<count).map { timetable.due($0) } == (0..<6).map { UInt64($0) * 10_000_000 })
  }
}
