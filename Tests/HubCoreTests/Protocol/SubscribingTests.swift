import HubProtocol
import Testing

@Suite("Protocol, Subscribing and recovery")
struct SubscribingTests {
  private let hub = HubDriver()
  private let alice: Client
  private let epoch: String

  init() throws {
    alice = hub.connect("alice")
    alice.create("room:a", .public)
    epoch = try #require(alice.summary).epoch
  }

  private func send(_ count: Int, _ text: String = "m") {
    for _ in 0..<count { alice.send("room:a", text) }
  }

  private func since(_ seq: Int, rev: Int? = nil) -> Position {
    Position(epoch: epoch, seq: seq, rev: rev)
  }

  @Test("without `since` it brings the newest `limit` messages, and says `recovered:false`")
  func newest() {
    #expect(alice.subscribe("room:a", limit: 5) == "subscribed at 0: none")
    send(400)
    #expect(alice.subscribe("room:a") == "subscribed at 400: none")
    #expect(alice.subscribe("room:a", limit: 1) == "subscribed at 400: 400")
    #expect(alice.subscribe("room:a", limit: 300) == "subscribed at 400: 101...400")
  }

  @Test("with `since` it brings all messages after it, in order", arguments: [0, 1, 9, 10])
  func recovered(seq: Int) {
    send(10)
    let rest = seq == 10 ? "none" : seq == 9 ? "10" : "\(seq + 1)...10"
    #expect(alice.subscribe("room:a", since: since(seq)) == "subscribed at 10 recovered: \(rest)")
    #expect(
      alice.subscribe("room:a", since: since(seq, rev: 0))
        == "subscribed at 10 recovered: \(rest) changed []")
  }

  @Test("another epoch, a `seq` or a `rev` above the channel's are not recovered")
  func notRecovered() {
    send(10)
    let lost = "subscribed at 10: none"
    #expect(alice.subscribe("room:a", since: Position(epoch: "other", seq: 10)) == lost)
    #expect(alice.subscribe("room:a", since: since(11)) == lost)
    #expect(alice.subscribe("room:a", since: since(10, rev: 1)) == lost)
  }

  @Test("1,000 messages are recovered, 1,001 are not", arguments: [1, 60, 290])
  func count(length: Int) {
    send(1_001, String(repeating: "x", count: length))
    #expect(
      alice.subscribe("room:a", since: since(1)) == "subscribed at 1001 recovered: 2...1001")
    #expect(alice.subscribe("room:a", since: since(0)) == "subscribed at 1001: none")
  }

  @Test("messages of 384 KiB are not recovered, somewhat less are")
  func bytes() {
    send(12, String(repeating: "x", count: 32_768))
    #expect(alice.subscribe("room:a", since: since(0)) == "subscribed at 12: none")
    #expect(alice.subscribe("room:a", since: since(1)) == "subscribed at 12 recovered: 2...12")
  }

  @Test("what the window no longer holds is not recovered, what it holds is")
  func window() {
    send(33, String(repeating: "x", count: 32_768))
    send(5)
    #expect(alice.subscribe("room:a", since: since(33)) == "subscribed at 38 recovered: 34...38")
    #expect(alice.subscribe("room:a", since: since(1)) == "subscribed at 38: none")
  }

  @Test("a page of big messages ends below what one outbound message may be")
  func bigPage() {
    send(20, String(repeating: "x", count: 32_768))
    #expect(alice.subscribe("room:a", limit: 300) == "subscribed at 20: 10...20")
  }

  @Test("after the reply every message comes once and in order, until `unsubscribe`")
  func delivery() {
    let bob = hub.connect("bob")
    bob.subscribe("room:a")
    bob.subscribe("room:a")
    hub.clear()
    send(2, "in")
    #expect(bob.take() == ["message room:a 1 alice in", "message room:a 2 alice in"])
    bob.unsubscribe("room:a")
    send(1, "out")
    #expect(bob.take() == ["ok"])
    #expect(
      bob.subscribe("room:a", since: since(2)) == "subscribed at 3 recovered: 3")
  }

  @Test("the key of a message goes to its sender's connections alone, wherever it stands")
  func keys() throws {
    let bob = hub.connect("bob")
    for client in [alice, bob] { client.subscribe("room:a") }
    hub.clear()
    alice.send("room:a", "hi", key: "k1")
    #expect(alice.events == ["message room:a 1 alice hi key k1"])
    #expect(bob.events == ["message room:a 1 alice hi"])
    bob.subscribe("room:a", limit: 1)
    guard case .subscribed(let reply) = bob.reply else {
      Issue.record("not subscribed")
      return
    }
    #expect(reply.messages.map(\.isOwn) == [false])
  }

  @Test("members that are not subscribed get `activity`, others nothing")
  func activity() {
    let (bob, carol) = (hub.connect("bob"), hub.connect("carol"))
    alice.add("room:a", "bob")
    hub.clear()
    alice.send("room:a", "hi")
    #expect(bob.take("activity", "message") == ["activity room:a 1 alice hi"])
    #expect(carol.lines.isEmpty)
    carol.join("room:a")
    carol.subscribe("room:a")
    carol.unsubscribe("room:a")
    carol.clear()
    alice.send("room:a", "again")
    #expect(carol.take("activity", "message") == ["activity room:a 2 alice again"])
  }

  @Test("a broadcast channel has neither `activity` nor `unread`")
  func broadcast() {
    let bob = hub.connect("bob")
    alice.create("news", .broadcast, "bob")
    hub.clear()
    alice.send("news", "hi")
    hub.pass(2_000)
    #expect(bob.lines.isEmpty)
  }
}
