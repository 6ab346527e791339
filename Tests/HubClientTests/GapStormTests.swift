import HubClient
import HubProtocol
import NIOCore
import SeededRandom
import Testing

/// One channel of a hub that has a slow subscriber: what is published waits in a lane, and becomes
/// a gap there as the protocol has it ("Lanes and gaps").
private struct SlowHub {
  private enum Place {
    case text(String)
    case gap(Int)
  }

  /// What each message says now, seq 1 first; the number of its last change, 0 for none, is in it.
  private(set) var texts: [String] = []
  private var revs: [Int] = []
  private var rev = 0
  private var lane: [Place] = []
  private var gaps: [Int: (from: Int, to: Int, rev: Int)] = [:]
  private var growing: Int?
  private var lastGap = 0

  var hasWaiting: Bool { !lane.isEmpty }

  private func message(_ seq: Int) -> String {
    #""channel":"room:x","seq":\#(seq),"user":"b","ts":1,"text":"\#(texts[seq - 1])""#
  }

  mutating func say(isDropped: Bool) {
    texts.append("m")
    revs.append(0)
    let seq = texts.count
    publish(#"{"ev":"message",\#(message(seq))}"#, (seq, seq, rev), isDropped)
  }

  mutating func change(_ seq: Int, isDropped: Bool) {
    rev += 1
    texts[seq - 1] = "r\(rev)"
    revs[seq - 1] = rev
    let text = #"{"ev":"message.updated",\#(message(seq)),"rev":\#(rev)}"#
    publish(text, (texts.count + 1, texts.count, rev - 1), isDropped)
  }

  private mutating func publish(
    _ text: String, _ gap: (from: Int, to: Int, rev: Int), _ isDropped: Bool
  ) {
    guard isDropped || !gaps.isEmpty else { return lane.append(.text(text)) }
    if let growing, let known = gaps[growing] {
      gaps[growing]?.to = max(known.to, gap.to)
      return
    }
    lastGap += 1
    gaps[lastGap] = gap
    growing = lastGap
    lane.append(.gap(lastGap))
  }

  /// Answers a subscribe request; recovers no more than `limit` messages.
  mutating func answer(_ request: Sent, limit: Int) {
    growing = nil
    let since = JSONObject([UInt8](request.json.utf8))?.object("since")
    let seq = since?.integer("seq") ?? texts.count
    let known = since?.integer("rev") ?? rev
    let isRecovered = since != nil && texts.count - seq <= limit
    let missed = isRecovered ? (0..<texts.count).dropFirst(seq).map { $0 + 1 } : []
    let changed = isRecovered ? (0..<seq).filter { revs[$0] > known }.map { $0 + 1 } : []
    let list = missed.map { "{\(message($0))}" }.joined(separator: ",")
    let changes = changed.map { "{\(message($0))}" }.joined(separator: ",")
    lane.append(
      .text(
        #"{"id":\#(request.id),"ok":{"epoch":"e","seq":\#(texts.count),"rev":\#(rev),"#
          + #""recovered":\#(isRecovered),"messages":[\#(list)],"changed":[\#(changes)]}}"#))
  }

  /// What is written next; nil when nothing waits.
  mutating func write() -> String? {
    guard !lane.isEmpty else { return nil }
    switch lane.removeFirst() {
    case .text(let text): return text
    case .gap(let number):
      if growing == number { growing = nil }
      guard let gap = gaps.removeValue(forKey: number) else { return nil }
      return #"{"ev":"gap","channel":"room:x","from":\#(gap.from),"to":\#(gap.to),"#
        + #""rev":\#(gap.rev)}"#
    }
  }

  mutating func disconnect() {
    lane.removeAll()
    gaps.removeAll()
    growing = nil
  }
}

/// What an app knows that takes every update of its subscription as it comes.
private struct Reader {
  private(set) var texts: [Int: String] = [:]
  /// The last message before those that it knows.
  private(set) var base = 0
  private(set) var last = 0
  private(set) var isInOrder = true

  mutating func take(_ actions: [ClientMachine.Action]) {
    for case .yield(_, let update) in actions {
      switch update {
      case .event(let event): take(event)
      case .reset(let position):
        base = position?.seq ?? 0
        last = base
        texts.removeAll()
      case .missed: isInOrder = false
      }
    }
  }

  private mutating func take(_ event: HubEvent) {
    if case .messageUpdated(let message, _) = event.body {
      return texts[message.seq] = message.text
    }
    guard case .message(let message) = event.body else { return }
    if message.seq != last + 1 { isInOrder = false }
    last = message.seq
    texts[message.seq] = message.text
  }
}

@Suite("Gaps, whatever comes when")
struct GapStormTests {
  @Test("every message is told once and in order, and every change in the end", arguments: 1...200)
  func storm(seed: Int) throws {
    let room = try #require(ChannelName("room:x"))
    var random = SplitMix64(seed: UInt64(seed))
    var configuration = HubConfiguration()
    configuration.requestDeadline = .seconds(3_600)
    var harness = MachineHarness.connected(configuration)
    var hub = SlowHub()
    var reader = Reader()
    var asked = Sent.all(in: harness.subscribe(to: room))
    hub.answer(asked.removeFirst(), limit: 25)
    Self.deliver(&hub, &harness, &reader, &asked)
    for step in 0..<500 {
      let isDropped = Int.random(in: 0..<8, using: &random) == 0
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<5: hub.say(isDropped: isDropped)
      case 5..<9 where !hub.texts.isEmpty:
        hub.change(Int.random(in: 1...hub.texts.count, using: &random), isDropped: isDropped)
      case 9..<13: if !asked.isEmpty { hub.answer(asked.removeFirst(), limit: 25) }
      case 13 where step % 4 == 0:
        hub.disconnect()
        _ = harness.lose()
        _ = harness.wait(.seconds(31))
        asked = harness.open()
      default: Self.deliver(&hub, &harness, &reader, &asked)
      }
    }
    while !asked.isEmpty || hub.hasWaiting {
      if !asked.isEmpty { hub.answer(asked.removeFirst(), limit: 25) }
      Self.deliver(&hub, &harness, &reader, &asked)
    }
    #expect(reader.isInOrder && reader.last == hub.texts.count, "seed \(seed)")
    for seq in hub.texts.indices.dropFirst(reader.base).map({ $0 + 1 }) {
      #expect(reader.texts[seq] == hub.texts[seq - 1], "seed \(seed), message \(seq)")
    }
  }

  private static func deliver(
    _ hub: inout SlowHub, _ harness: inout MachineHarness, _ reader: inout Reader,
    _ asked: inout [Sent]
  ) {
    guard let text = hub.write() else { return }
    let actions = harness.hear(text)
    reader.take(actions)
    asked += Sent.all(in: actions)
  }
}
