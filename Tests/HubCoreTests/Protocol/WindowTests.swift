import HubCore
import HubProtocol
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
    window.removeAll()
    #expect(window.weight == 0 && window.last == nil)
    window.append(message(102))
    #expect(window.firstSeq == 102)
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
    let kept = (0..<10).reduce(0) { $0 + keptCount(of: "room:\($1)", for: alice) }
    #expect((1...20).contains(kept))
  }

  @Test("a channel that is not written to goes before one that is")
  func cold() {
    let hub = HubDriver(windowMemory: 10 * message(1, Self.big).weight)
    let alice = hub.connect("alice")
    for name in ["room:cold", "room:hot"] { alice.create(name, .group) }
    alice.send("room:cold", "old")
    for number in 1...30 {
      alice.create("room:\(number)", .group)
      alice.send("room:hot", "new")
      alice.send("room:\(number)", Self.big)
    }
    #expect(alice.history("room:cold", .after(0)) == "refused history_gone")
    #expect(alice.history("room:hot", .after(29)) == "history 30")
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
