import HubCore
import HubProtocol
import SeededRandom
import Testing

@Suite("Architecture, Messages out of memory")
struct WindowTests {
  private static let big = String(repeating: "x", count: 32_768)

  private func message(_ seq: Int, _ text: String = "m") -> Message {
    Message(
      channel: channel("room:a"), seq: seq, user: user("alice"),
      ts: Timestamp(milliseconds: seq), content: MessageContent(text: text))
  }

  @Test("the newest 1,000 messages of a channel are kept")
  func count() {
    var window = MessageWindow()
    for seq in 1...1_500 { window.append(message(seq)) }
    #expect(window.firstSeq == 501)
    #expect(window.last?.seq == 1_500)
    #expect(window[500] == nil && window[1_501] == nil)
    #expect(window[501]?.seq == 501)
    #expect(window.weight == 1_000 * message(1).weight)
    #expect(window.messages(in: 1...2_000).map(\.seq) == Array(501...1_500))
    #expect(window.messages(in: 1...500).isEmpty)
  }

  @Test("they take at most 1 MiB; the newest stays whatever it takes")
  func weight() {
    var window = MessageWindow()
    for seq in 1...100 {
      window.append(message(seq, Self.big))
      #expect(window.weight <= MessageWindow.weightLimit)
    }
    #expect(window.firstSeq == 70)
    window.append(message(101, String(repeating: "x", count: 2_000_000)))
    #expect(window.firstSeq == 101)
    window.append(message(102))
    #expect(window.firstSeq == 102 && window.weight == message(102).weight)
  }

  @Test("a message is replaced where it is kept, and the weight follows")
  func replacing() {
    var window = MessageWindow()
    for seq in 1...3 { window.append(message(seq)) }
    let replaced = [window.replace(message(2, "longer")), window.replace(message(4))]
    #expect(replaced == [true, false])
    #expect(window[2]?.content.text == "longer")
    #expect(window.weight == 3 * message(1).weight + 5)
  }

  @Test("cleared, it keeps the newest message, and what it forgot is known by its `rev`")
  func clearing() {
    var window = MessageWindow()
    for seq in 1...5 { window.append(message(seq)) }
    let revs = [(2, 7), (5, 9), (4, 8)]
    for (seq, rev) in revs {
      let ts = Timestamp(milliseconds: 9)
      _ = window.replace(message(seq).edited(MessageContent(text: "e"), ts: ts, rev: rev))
    }
    #expect(window.changedInMemory(after: 7, upTo: 5).map(\.seq) == [4, 5])
    window.clear()
    #expect(window.firstSeq == 5 && window.last?.seq == 5)
    #expect(window.weight == window.last?.weight)
    #expect(window.forgottenRev == 8)
    #expect(window.changedInMemory(after: 8, upTo: 5).map(\.seq) == [5])
    #expect(window[4] == nil && window.messages(in: 1...5).map(\.seq) == [5])
    window.clear()
    #expect(window.firstSeq == 5)
    window.append(message(6))
    #expect(window.messages(in: 1...9).map(\.seq) == [5, 6])
    var empty = MessageWindow()
    empty.clear()
    #expect(empty.weight == 0 && empty.last == nil && empty.forgottenRev == 0)
  }

  @Test("weights add up whatever is done to it")
  func weights() {
    var random = SplitMix64(seed: TestSeed.value)
    var window = MessageWindow()
    var seq = 0
    for _ in 0..<1_500 {
      switch random.below(40) {
      case 0: window.clear()
      case 1..<12 where seq > 0:
        let place = max(1, seq - random.below(40))
        let text = String(repeating: "e", count: random.below(30_000))
        let changed = message(place).edited(
          MessageContent(text: text), ts: Timestamp(milliseconds: 1), rev: seq)
        let isKept = window[place] != nil
        #expect(window.replace(changed) == isKept, "\(TestSeed.hint)")
        window.trim()
      default:
        seq += 1
        window.append(message(seq, String(repeating: "x", count: random.below(3_000))))
      }
      // Older ones that were changed stay for a while, besides the newest.
      let kept = (1...max(1, seq)).compactMap { window[$0] }
      let newest = window.messages(in: 1...max(1, seq)).reduce(0) { $0 + $1.weight }
      #expect(window.weight == kept.reduce(0) { $0 + $1.weight }, "\(TestSeed.hint)")
      #expect(newest <= MessageWindow.weightLimit, "\(TestSeed.hint)")
      #expect(window.weight - newest <= MessageWindow.weightLimit, "\(TestSeed.hint)")
    }
  }

  @Test("all windows together stay below `windowMemory`; what was written last stays")
  func coldest() {
    let hub = HubDriver(windowMemory: 20 * message(1, Self.big).weight)
    let alice = hub.connect("alice")
    for number in 0..<10 { alice.create("room:\(number)", .group) }
    for number in 0..<40 {
      let name = "room:\(number % 10)"
      alice.send(name, Self.big)
      let seq = number / 10 + 1
      #expect(alice.history(name, .after(seq - 1)) == "history \(seq)")
    }
    hub.history = nil
    let kept = (0..<10).reduce(0) { $0 + keptCount(of: "room:\($1)", for: alice) }
    // Ten newest messages stay, besides at most twenty in all.
    #expect((10...20).contains(kept))
    #expect(hub.replayFlaws == [])
  }

  @Test("messages that left memory leave numbers, counts and order as they were")
  func numbersStay() {
    let hub = HubDriver(windowMemory: 1)
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    alice.create("room:a", .group, "bob")
    for seq in 1...5 { #expect(alice.send("room:a", "m", key: "\(seq)") == "sent \(seq)") }
    #expect(alice.send("room:a", "m", key: "2") == "sent 2 again")
    bob.get("room:a")
    #expect(bob.summary?.standing?.unread == 5)
  }

  private func keptCount(of name: String, for client: Client) -> Int {
    client.subscribe(name, limit: 300)
    guard case .subscribed(let reply) = client.reply else { return 0 }
    return reply.messages.count
  }
}
