import HubCore
import Testing

@Suite("Protocol, Notices: a burst")
struct NoticeThrottleTests {
  private let room = ChannelRef(index: 1)
  private let other = ChannelRef(index: 2)
  private let third = ChannelRef(index: 3)

  private func admit(
    _ throttle: inout NoticeThrottle, _ channel: ChannelRef, _ seq: Int, at uptime: Int
  ) -> Bool {
    throttle.admit(channel, seq: seq, uptime: uptime)
  }

  /// As `channel:seq`.
  private func due(_ throttle: inout NoticeThrottle, at uptime: Int) -> [String] {
    throttle.takeDue(uptime: uptime).map { "\($0.channel.index):\($0.seq)" }
  }

  /// Ten have gone out at 0.
  private func full() -> NoticeThrottle {
    var throttle = NoticeThrottle()
    for seq in 1...10 {
      let isNow = throttle.admit(room, seq: seq, uptime: 0)
      #expect(isNow)
    }
    return throttle
  }

  @Test("ten go out at once, of one channel or of many")
  func atOnce() {
    var throttle = full()
    #expect(throttle.nextDue == nil)
    #expect(!admit(&throttle, room, 11, at: 999))
    #expect(throttle.nextDue == 1_000)
    var many = NoticeThrottle()
    for index in 1...10 { #expect(admit(&many, ChannelRef(index: UInt32(index)), 1, at: index)) }
    #expect(!admit(&many, room, 2, at: 11))
    #expect(many.nextDue == 1_001)
  }

  @Test("as many as come slowly go out at once")
  func slow() {
    var throttle = NoticeThrottle()
    for seq in 1...100 { #expect(admit(&throttle, room, seq, at: seq * 100)) }
    #expect(throttle.dropped == 0 && throttle.nextDue == nil)
  }

  @Test("beyond ten the latest of the channel waits, and goes out when there is room")
  func latest() {
    var throttle = full()
    for seq in 11...15 { #expect(!admit(&throttle, room, seq, at: 500)) }
    #expect(throttle.dropped == 4 && throttle.waitingCount == 1)
    #expect(due(&throttle, at: 999).isEmpty)
    #expect(due(&throttle, at: 1_000) == ["1:15"])
    #expect(throttle.nextDue == nil && throttle.waitingCount == 0)
    #expect(due(&throttle, at: 5_000).isEmpty)
  }

  @Test("the channel that has waited longest goes first, whatever came for it since")
  func longest() {
    var throttle = NoticeThrottle()
    for seq in 1...10 { _ = admit(&throttle, third, seq, at: seq) }
    for (channel, seq) in [(room, 1), (other, 1), (room, 2), (other, 2), (room, 3)] {
      #expect(!admit(&throttle, channel, seq, at: 20))
    }
    #expect(due(&throttle, at: 1_001) == ["1:3"])
    #expect(throttle.nextDue == 1_002)
    #expect(due(&throttle, at: 1_002) == ["2:2"])
  }

  @Test("what comes while others wait waits behind them, even where there is room")
  func behind() {
    var throttle = full()
    #expect(!admit(&throttle, other, 1, at: 500))
    #expect(!admit(&throttle, third, 1, at: 3_000))
    #expect(throttle.nextDue == 1_000)
    #expect(due(&throttle, at: 3_000) == ["2:1", "3:1"])
    #expect(admit(&throttle, third, 2, at: 3_000))
  }

  @Test("what waited counts like the others when it goes out")
  func counts() {
    var throttle = full()
    for index in 1...25 { _ = admit(&throttle, ChannelRef(index: UInt32(index)), 1, at: 1) }
    #expect(due(&throttle, at: 1_000).count == 10)
    #expect(due(&throttle, at: 1_999).isEmpty)
    #expect(due(&throttle, at: 2_000).count == 10)
    #expect(due(&throttle, at: 3_000).count == 5)
  }

  @Test("an older message does not take the place of a newer")
  func older() {
    var throttle = full()
    #expect(!admit(&throttle, other, 9, at: 1))
    #expect(!admit(&throttle, other, 7, at: 2))
    #expect(due(&throttle, at: 1_000) == ["2:9"])
    #expect(throttle.dropped == 1)
  }

  @Test("what was read meanwhile never goes out; what came after it does")
  func read() {
    var throttle = full()
    _ = admit(&throttle, room, 11, at: 1)
    _ = admit(&throttle, other, 5, at: 1)
    throttle.withdraw(room, upTo: 11)
    throttle.withdraw(other, upTo: 4)
    throttle.withdraw(third, upTo: 4)
    #expect(throttle.waitingCount == 1)
    #expect(due(&throttle, at: 1_000) == ["2:5"])
  }

  @Test("what was deleted meanwhile never goes out; others of its channel do")
  func deleted() {
    var throttle = full()
    _ = admit(&throttle, room, 11, at: 1)
    _ = admit(&throttle, other, 5, at: 1)
    throttle.withdraw(room, seq: 11)
    throttle.withdraw(other, seq: 6)
    throttle.withdraw(other, seq: 4)
    #expect(due(&throttle, at: 1_000) == ["2:5"])
  }

  @Test("nothing of a channel that was left goes out, and it may wait anew")
  func left() {
    var throttle = full()
    _ = admit(&throttle, other, 5, at: 1)
    _ = admit(&throttle, third, 5, at: 1)
    throttle.withdraw(other)
    #expect(throttle.nextDue == 1_000 && throttle.waitingCount == 1)
    _ = admit(&throttle, other, 6, at: 2)
    #expect(due(&throttle, at: 1_000) == ["3:5", "2:6"])
    throttle.withdraw(other)
    #expect(throttle.nextDue == nil)
  }

  @Test("1,000 channels wait at most; the one that has waited longest gives way")
  func bounded() {
    var throttle = full()
    for index in 2...1_503 { _ = admit(&throttle, ChannelRef(index: UInt32(index)), 1, at: 1) }
    #expect(throttle.waitingCount == NoticeThrottle.channelLimit)
    #expect(throttle.dropped == 502)
    #expect(!admit(&throttle, ChannelRef(index: 1_503), 2, at: 1))
    #expect(throttle.waitingCount == NoticeThrottle.channelLimit)
    #expect(!admit(&throttle, other, 7, at: 2))
    #expect(throttle.waitingCount == NoticeThrottle.channelLimit)
    let all = (1...100).flatMap { due(&throttle, at: $0 * 1_000) }
    #expect(all.first == "505:1" && all.last == "2:7" && all.count == 1_000)
    #expect(throttle.waitingCount == 0)
  }
}
