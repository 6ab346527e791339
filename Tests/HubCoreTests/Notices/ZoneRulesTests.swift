import HubCore
import HubProtocol
import SeededRandom
import Testing

@Suite("Protocol, Users: the rules of a time zone")
struct ZoneRulesTests {
  @Test("without a transition the offset is always the same", arguments: [-43_200, 0, 20_700])
  func fixed(offset: Int) {
    let rules = ZoneRules(firstOffset: offset)
    for milliseconds in [-1_000_000_000_000, -1, 0, 1, Limits.largestInteger] {
      #expect(rules.offset(at: Timestamp(milliseconds: milliseconds)) == offset)
    }
  }

  @Test(
    "an offset holds from its transition on, to the millisecond",
    arguments: [
      ("2026-01-01T00:00:00Z", 0, 3_600), ("2026-03-29T01:00:00Z", -1, 3_600),
      ("2026-03-29T01:00:00Z", 0, 7_200), ("2026-03-29T01:00:00Z", 1, 7_200),
      ("2026-10-25T01:00:00Z", -1, 7_200), ("2026-10-25T01:00:00Z", 0, 3_600),
      ("2099-07-01T00:00:00Z", 0, 3_600),
    ])
  func edges(text: String, milliseconds: Int, offset: Int) {
    let instant = moment(text).advanced(byMilliseconds: milliseconds)
    #expect(Zones.oslo.offset(at: instant) == offset)
  }

  @Test("transitions may come in any order; of two at one time the later given counts")
  func unordered() {
    let given = [(30, 3), (10, 1), (20, 7), (20, 2)].map { from, offset in
      ZoneRules.Transition(from: Timestamp(milliseconds: from), offset: offset)
    }
    let rules = ZoneRules(firstOffset: 0, transitions: given)
    #expect(rules.transitions.map(\.offset) == [1, 2, 3])
    let offsets = [9, 10, 19, 20, 29, 30].map { rules.offset(at: Timestamp(milliseconds: $0)) }
    #expect(offsets == [0, 1, 1, 2, 2, 3])
  }

  @Test("what is found equals a look at every transition, for random zones")
  func search() {
    var random = SplitMix64(seed: TestSeed.value)
    for _ in 0..<300 {
      let given = random.list(upTo: 20) { random in
        ZoneRules.Transition(
          from: Timestamp(milliseconds: random.below(1_000)), offset: random.below(100))
      }
      let rules = ZoneRules(firstOffset: -1, transitions: given)
      let at = Timestamp(milliseconds: random.below(1_100) - 50)
      let latest = given.map(\.from).filter { $0 <= at }.max()
      let expected = given.last { $0.from == latest }?.offset ?? -1
      #expect(rules.offset(at: at) == expected, "\(TestSeed.hint)")
    }
  }
}
