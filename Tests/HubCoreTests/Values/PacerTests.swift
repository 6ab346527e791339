import HubCore
import SeededRandom
import Testing

@Suite("Protocol, Receipts and unread: once a second, the last time never lost")
struct PacerTests {
  private let room = ChannelRef(index: 1)
  private let other = ChannelRef(index: 2)

  private func happens(_ pacer: inout Pacer, _ channel: ChannelRef, at uptime: Int) -> Bool {
    pacer.mayHappen(in: channel, uptime: uptime)
  }

  private func due(_ pacer: inout Pacer, at uptime: Int) -> [ChannelRef] {
    pacer.takeDue(uptime: uptime)
  }

  @Test("the first time happens at once, the next when the second is over")
  func paced() {
    var pacer = Pacer()
    #expect(happens(&pacer, room, at: 0))
    #expect(pacer.nextDue == 1_000)
    #expect(!happens(&pacer, room, at: 1))
    #expect(!happens(&pacer, room, at: 999))
    #expect(pacer.waiting == [room])
    #expect(due(&pacer, at: 999) == [])
    #expect(due(&pacer, at: 1_000) == [room])
    #expect(pacer.waiting.isEmpty)
    #expect(!happens(&pacer, room, at: 1_500))
    #expect(due(&pacer, at: 2_000) == [room])
    #expect(due(&pacer, at: 3_000) == [])
    #expect(pacer.nextDue == nil)
    #expect(happens(&pacer, room, at: 3_000))
  }

  @Test("channels do not wait for each other")
  func apart() {
    var pacer = Pacer()
    #expect(happens(&pacer, room, at: 0))
    #expect(happens(&pacer, other, at: 10))
    #expect(!happens(&pacer, other, at: 20))
    #expect(due(&pacer, at: 1_005) == [])
    #expect(pacer.nextDue == 1_010)
    #expect(due(&pacer, at: 1_010) == [other])
  }

  @Test("a late wake-up loses nothing and never brings a channel twice")
  func late() {
    var pacer = Pacer()
    #expect(happens(&pacer, room, at: 0))
    #expect(!happens(&pacer, room, at: 5_000))
    #expect(due(&pacer, at: 9_000) == [room])
    #expect(pacer.nextDue == 10_000)
  }

  @Test("in any second of any schedule a channel has its turn twice at most, a second apart")
  func rate() {
    var random = SplitMix64(seed: TestSeed.value)
    var pacer = Pacer()
    var times: [Int] = []
    var uptime = 0
    for _ in 0..<2_000 {
      uptime += random.below(400)
      if due(&pacer, at: uptime).contains(room) { times.append(uptime) }
      if happens(&pacer, room, at: uptime) { times.append(uptime) }
    }
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 >= Pacer.interval }, "\(TestSeed.hint)")
    #expect(times.count > 100)
  }
}
