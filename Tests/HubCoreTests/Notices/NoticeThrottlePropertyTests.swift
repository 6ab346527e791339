import HubCore
import SeededRandom
import Testing

/// The burst rule as it is told, with a list of everything that ever went out.
private struct ThrottleModel {
  var sent: [Int] = []
  /// In the order in which they began to wait.
  var waiting: [(channel: ChannelRef, seq: Int)] = []
  var dropped = 0

  private func hasRoom(_ uptime: Int) -> Bool {
    sent.reversed().prefix { $0 > uptime - 1_000 }.count < 10
  }

  mutating func admit(_ channel: ChannelRef, _ seq: Int, _ uptime: Int) -> Bool {
    if waiting.isEmpty && hasRoom(uptime) {
      sent.append(uptime)
      return true
    }
    if let place = waiting.firstIndex(where: { $0.channel == channel }) {
      waiting[place].seq = max(seq, waiting[place].seq)
      dropped += 1
    } else {
      waiting.append((channel, seq))
    }
    return false
  }

  mutating func takeDue(_ uptime: Int) -> [String] {
    var due: [String] = []
    while !waiting.isEmpty && hasRoom(uptime) {
      let first = waiting.removeFirst()
      sent.append(uptime)
      due.append("\(first.channel.index):\(first.seq)")
    }
    return due
  }

  /// The first moment at which there is room: a second after something went out.
  var nextDue: Int? {
    waiting.isEmpty ? nil : sent.suffix(20).map { $0 + 1_000 }.first(where: hasRoom)
  }
}

@Suite("Protocol, Notices: any burst")
struct NoticeThrottlePropertyTests {
  /// Throttle and model, which are given the same, and what became of each message.
  private struct Pair {
    var throttle = NoticeThrottle()
    var model = ThrottleModel()
    var uptime = 0
    var last: [ChannelRef: Int] = [:]
    var told: Set<String> = []
    var withdrawn: Set<String> = []
    var offered = 0

    mutating func admit(_ channel: ChannelRef) {
      let seq = (last[channel] ?? 0) + 1
      last[channel] = seq
      offered += 1
      let isNow = throttle.admit(channel, seq: seq, uptime: uptime)
      let expected = model.admit(channel, seq, uptime)
      #expect(isNow == expected, "\(TestSeed.hint)")
      if isNow { told.insert("\(channel.index):\(seq)") }
    }

    mutating func takeDue() {
      let due = throttle.takeDue(uptime: uptime).map { "\($0.channel.index):\($0.seq)" }
      let expected = model.takeDue(uptime)
      #expect(due == expected, "\(TestSeed.hint)")
      told.formUnion(due)
    }

    mutating func withdraw(_ random: inout SplitMix64, _ channel: ChannelRef) {
      let seq = max(1, (last[channel] ?? 1) - random.below(3))
      let isMeant: (Int) -> Bool
      switch random.below(3) {
      case 0:
        throttle.withdraw(channel, upTo: seq)
        isMeant = { $0 <= seq }
      case 1:
        throttle.withdraw(channel, seq: seq)
        isMeant = { $0 == seq }
      default:
        throttle.withdraw(channel)
        isMeant = { _ in true }
      }
      for waiting in model.waiting where waiting.channel == channel && isMeant(waiting.seq) {
        withdrawn.insert("\(channel.index):\(waiting.seq)")
      }
      model.waiting.removeAll { $0.channel == channel && isMeant($0.seq) }
    }

    func expectEqual() {
      #expect(throttle.waitingCount == model.waiting.count, "\(TestSeed.hint)")
      #expect(throttle.dropped == model.dropped, "\(TestSeed.hint)")
      let isDue = model.nextDue.map { max($0, uptime) }
      #expect(throttle.nextDue.map { max($0, uptime) } == isDue, "\(TestSeed.hint)")
      let all = told.count + withdrawn.count + throttle.waitingCount + throttle.dropped
      #expect(all == offered, "\(TestSeed.hint)")
    }
  }

  /// As it is run: taken out as soon as something is due, or later.
  private func run(_ random: inout SplitMix64, steps: Int) -> Pair {
    var pair = Pair()
    let channels = (0..<(1 + random.below(30))).map { ChannelRef(index: UInt32($0)) }
    let pace = random.pick([5, 40, 200])
    for _ in 0..<steps {
      pair.uptime += random.below(pace)
      if !random.oneIn(4) { pair.takeDue() }
      let channel = random.pick(channels)
      if random.oneIn(8) { pair.withdraw(&random, channel) } else { pair.admit(channel) }
      pair.expectEqual()
    }
    return pair
  }

  @Test("what goes out, and when, is as the rule says, for random bursts")
  func model() {
    var random = SplitMix64(seed: TestSeed.value)
    for _ in 0..<40 { _ = run(&random, steps: 200) }
  }

  @Test("no 1,000 ms have more than ten, and the last of a channel is never lost")
  func bounds() {
    var random = SplitMix64(seed: TestSeed.value)
    for _ in 0..<20 {
      var pair = run(&random, steps: 200)
      var wakeUps = 0
      while let due = pair.throttle.nextDue {
        pair.uptime = max(pair.uptime, due)
        pair.takeDue()
        wakeUps += 1
        guard wakeUps < 100 else { break }
      }
      #expect(pair.throttle.waitingCount == 0, "\(TestSeed.hint)")
      for (channel, seq) in pair.last {
        let name = "\(channel.index):\(seq)"
        #expect(pair.told.contains(name) || pair.withdrawn.contains(name), "\(TestSeed.hint)")
      }
      let times = pair.model.sent
      let gaps = zip(times, times.dropFirst(10)).map { $1 - $0 }
      #expect(gaps.allSatisfy { $0 >= 1_000 }, "\(TestSeed.hint)")
    }
  }
}
