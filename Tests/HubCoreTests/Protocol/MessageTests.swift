import HubProtocol
import Testing

@Suite("Protocol, Messages: sending")
struct MessageTests {
  private static let day = 24 * 3_600 * 1_000

  private let hub = HubDriver()
  private let alice: Client

  init() {
    alice = hub.connect("alice")
    alice.create("room:a", .public)
  }

  @Test("`seq` begins at 1 and has no holes, whatever is refused between")
  func gapless() {
    for seq in 1...50 {
      #expect(alice.send("room:a", "m") == "sent \(seq)")
      #expect(alice.send("room:a", "m", mentions: ["nobody"]) == "refused not_found")
      #expect(alice.send("room:a", "m", replyTo: seq + 1) == "refused not_found")
    }
  }

  @Test("the same key answers the first seq and delivers nothing, whatever is sent")
  func idempotent() {
    alice.subscribe("room:a")
    #expect(alice.send("room:a", "one", key: "k") == "sent 1")
    hub.clear()
    #expect(alice.send("room:a", "two", key: "k") == "sent 1 again")
    #expect(alice.send("room:a", "two", key: "k", mentions: ["nobody"]) == "sent 1 again")
    #expect(alice.events.isEmpty)
    #expect(alice.send("room:a", "two", key: "K") == "sent 2")
  }

  @Test("the repeated answer has the first time")
  func firstTime() {
    alice.send("room:a", "one", key: "k")
    let first = hub.wall
    hub.pass(5_000)
    alice.send("room:a", "one", key: "k")
    guard case .sent(1, let ts, true) = alice.reply else {
      Issue.record("not a duplicate")
      return
    }
    #expect(ts.milliseconds == first)
  }

  @Test("keys are each sender's and each channel's own")
  func keyScope() {
    let bob = hub.connect("bob")
    alice.create("room:b", .public)
    alice.add("room:a", "bob")
    #expect(alice.send("room:a", "one", key: "k") == "sent 1")
    #expect(bob.send("room:a", "two", key: "k") == "sent 2")
    #expect(alice.send("room:b", "one", key: "k") == "sent 1")
    #expect(alice.send("room:a", "one", key: "k") == "sent 1 again")
  }

  @Test("a key is remembered for 24 h, and then new")
  func expiry() {
    alice.send("room:a", "one", key: "k")
    hub.pass(Self.day - 1)
    #expect(alice.send("room:a", "one", key: "k") == "sent 1 again")
    hub.pass(1)
    #expect(alice.send("room:a", "one", key: "k") == "sent 2")
    hub.pass(Self.day - 1)
    #expect(alice.send("room:a", "one", key: "k") == "sent 2 again")
  }

  @Test("a refused send leaves its key new")
  func refusedKey() {
    #expect(alice.send("room:a", "one", key: "k", replyTo: 9) == "refused not_found")
    #expect(alice.send("room:a", "one", key: "k") == "sent 1")
  }

  @Test("`ts` never decreases, whatever the wall clock does")
  func clockJumpsBack() {
    var times: [Int] = []
    for jump in [0, -100_000, 5, 50_000, 60_000, -1] {
      hub.wall += jump
      alice.send("room:a", "m")
      if case .sent(_, let ts, _) = alice.reply { times.append(ts.milliseconds) }
    }
    let start = 1_700_000_000_000
    #expect(times == [start, start, start, start, start + 10_005, start + 10_005])
  }

  @Test("a message may have 8 hops behind it, not 9")
  func hops() {
    #expect(alice.send("room:a", "m", hops: 8) == "sent 1")
    #expect(alice.send("room:a", "m", hops: 9) == "refused forbidden")
  }

  @Test("a reply counts for the message it answers")
  func replies() {
    alice.send("room:a", "one")
    alice.send("room:a", "two", replyTo: 1)
    alice.send("room:a", "three", replyTo: 1)
    alice.history("room:a", .after(0))
    guard case .history(let messages, _) = alice.reply else {
      Issue.record("no history")
      return
    }
    #expect(messages.map(\.message.replyCount) == [2, 0, 0])
    #expect(messages.map(\.message.replyTo) == [nil, 1, 1])
  }

  @Test("a reply to what is no longer kept is `history_gone`")
  func replyToOld() {
    hub.history = nil
    for _ in 0..<1_001 { alice.send("room:a", "m") }
    #expect(alice.send("room:a", "m", replyTo: 1) == "refused history_gone")
    #expect(alice.send("room:a", "m", replyTo: 2) == "sent 1002")
  }

  @Test("a bot's messages say so")
  func bots() {
    let bot = hub.connect("helper", as: .bot)
    bot.join("room:a")
    bot.send("room:a", "beep")
    alice.send("room:a", "hi")
    alice.history("room:a", .after(0))
    guard case .history(let messages, _) = alice.reply else {
      Issue.record("no history")
      return
    }
    #expect(messages.map(\.message.isBot) == [true, false])
  }
}
