import HubServer
import Testing

@Suite("architecture, Outbound lanes: only who takes nothing for 10 s is given up")
struct ProgressWatchTests {
  /// When the watch gives up, asked every 250 ms for two minutes with what waits then.
  private func givesUp(
    hasWritten: (Int) -> Bool = { _ in false }, _ waiting: (Int) -> Int
  ) -> Int? {
    var watch = ProgressWatch()
    return stride(from: 0, through: 120_000, by: 250).first { now in
      watch.tick(now: 7_000 + now, waiting: waiting(now), hasWritten: hasWritten(now))
    }
  }

  @Test("who takes nothing is given up after 10 s")
  func takesNothing() {
    #expect(givesUp { _ in 500_000 } == 10_000)
  }

  @Test("the limit is 10 s to the millisecond", arguments: [(9_999, false), (10_000, true)])
  func exactly(elapsed: Int, isGivenUp: Bool) {
    var watch = ProgressWatch()
    #expect(watch.tick(now: 100, waiting: 8, hasWritten: false) == false)
    #expect(watch.tick(now: 100 + elapsed, waiting: 8, hasWritten: false) == isGivenUp)
  }

  @Test("one byte every 9 s is progress")
  func slowly() {
    #expect(givesUp { 1_000 - $0 / 9_000 } == nil)
  }

  @Test("progress that ends is counted from its end")
  func stops() {
    #expect(givesUp { max(0, 1_000 - $0 / 10) } == 20_000)
  }

  @Test("that more waits is no progress, and hides none that comes later")
  func grows() {
    #expect(givesUp { 1_000 + $0 } == 10_000)
    #expect(givesUp { 1_000 + $0 / 5_000 * 9_000 - $0 } == nil)
  }

  @Test("a write that was taken whole is progress, however much waits behind it")
  func writes() {
    #expect(givesUp(hasWritten: { $0 % 9_000 == 0 }) { _ in 64_000 } == nil)
    #expect(
      givesUp(hasWritten: { $0 == 30_000 || $0 % 9_000 == 0 && $0 < 30_000 }) { _ in 9 }
        == 40_000)
  }
}
