import HubProtocol
import Testing

@Suite("Protocol, Blocking, privacy: block is one rule")
struct BlockTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client
  private let carol: Client

  /// Alice blocks bob.
  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    carol = hub.connect("carol")
    alice.create("room:a", .public, "bob", "carol")
    alice.block("bob")
    for client in [alice, bob, carol] { client.subscribe("room:a") }
    hub.clear()
  }

  @Test("the blocker's own connections are told, the blocked person is told nothing")
  func told() {
    let elsewhere = hub.connect("alice")
    hub.clear()
    #expect(alice.block("carol") == "ok")
    #expect(alice.block("carol") == "ok")
    #expect(alice.unblock("carol") == "ok")
    #expect(alice.unblock("carol") == "ok")
    #expect(elsewhere.lines.map { $0.contains("blocked [bob,carol]") } == [true, false])
    hub.pass(20_000)
    #expect(carol.lines.isEmpty && bob.lines.isEmpty && carol.presence.isEmpty)
  }

  @Test("nobody blocks themselves, or who is not there")
  func refused() {
    #expect(alice.block("alice") == "refused bad_request")
    #expect(alice.block("nobody") == "refused not_found")
    #expect(alice.unblock("nobody") == "refused not_found")
  }

  @Test("the blocked person's messages reach the blocker as stubs, and others as they are")
  func stubs() {
    bob.send("room:a", "one", key: "k")
    bob.edit("room:a", 1, "two")
    bob.delete("room:a", 1)
    let hidden = [
      "message room:a 1 hidden", "message.updated room:a 1 hidden rev 1",
      "message.deleted room:a 1 hidden rev 2",
    ]
    #expect(alice.take("message", "message.updated", "message.deleted") == hidden)
    #expect(
      carol.take("message", "message.updated") == [
        "message room:a 1 bob one", "message.updated room:a 1 two rev 1",
      ])
    #expect(bob.take("message") == ["message room:a 1 bob one key k"])
  }

  @Test("they are stubs wherever a message can stand")
  func stubsEverywhere() throws {
    alice.send("room:a", "own")
    bob.send("room:a", "reply", replyTo: 1)
    alice.history("room:a", .after(0))
    #expect(alice.messages.map(\.isHidden) == [false, true])
    alice.thread("room:a", 1)
    #expect(alice.messages.map(\.isHidden) == [true])
    alice.subscribe("room:a", limit: 9)
    #expect(alice.messages.map(\.isHidden) == [false, true])
    let epoch = try #require(alice.get("room:a").isEmpty ? nil : alice.summary?.epoch)
    #expect(alice.summary?.lastMessage?.isHidden == true)
    alice.subscribe("room:a", since: Position(epoch: epoch, seq: 0))
    #expect(alice.messages.map(\.isHidden) == [false, true])
    alice.list(.joined)
    guard case .channels(let channels, _) = alice.reply else { return }
    #expect(channels.map { $0.lastMessage?.isHidden } == [true])
    #expect(hub.connect("alice").userStream?.channels.first?.lastMessage?.isHidden == true)
    #expect(bob.history("room:a", .after(0)) == "history 1...2")
    #expect(bob.messages.map(\.isHidden) == [false, false])
  }

  @Test("they are no activity, and posts of the blocked are stubs in the feed")
  func quiet() {
    alice.unsubscribe("room:a")
    bob.create("news", .broadcast, "carol")
    alice.join("news")
    bob.send("news", "post")
    hub.clear()
    bob.send("room:a", "m", mentions: ["alice"])
    hub.pass(2_000)
    #expect(alice.lines.isEmpty)
    #expect(alice.feed() == "messages [1 hidden]")
  }

  @Test("stubs do not count, nor do mentions either way")
  func counts() {
    bob.send("room:a", "m", mentions: ["alice"])
    alice.send("room:a", "m", mentions: ["bob"])
    carol.send("room:a", "m", mentions: ["bob", "alice"])
    hub.pass(2_000)
    #expect(alice.take("unread").last == "unread room:a 1/1 of 1 at 3")
    #expect(bob.take("unread").last == "unread room:a 2/1 of 2 at 3")
  }

  @Test("a block and its end count again what is unread, in every channel, with the right total")
  func countedAgain() {
    alice.unblock("bob")
    alice.create("room:b", .group, "bob")
    for name in ["room:a", "room:b"] { bob.send(name, "m") }
    carol.send("room:a", "m")
    hub.pass(2_000)
    hub.clear()
    alice.block("bob")
    let less = alice.take("unread")
    #expect(Set(less) == ["unread room:a 1/0 of 1 at 2", "unread room:b 0/0 of 1 at 1"])
    alice.unblock("bob")
    let more = alice.take("unread")
    #expect(Set(more) == ["unread room:a 2/0 of 3 at 2", "unread room:b 1/0 of 3 at 1"])
  }

  @Test("typing, receipts, signals and presence are not exchanged, either way")
  func nothingExchanged() {
    carol.send("room:a", "m")
    hub.pass(2_000)
    hub.clear()
    for client in [alice, bob] {
      client.type("room:a")
      client.type("room:a", on: false)
      client.read("room:a", 1)
      client.signal("room:a")
      client.appear(.away)
    }
    let seen = { (name: String) in
      [
        "typing room:a [\(name)]", "typing room:a []", "receipt room:a \(name) 1 1",
        "signal room:a \(name) wave",
      ]
    }
    #expect(alice.take("typing", "receipt", "signal") == seen("alice"))
    #expect(bob.take("typing", "receipt", "signal") == seen("bob"))
    #expect(carol.presence == ["presence alice away", "presence bob away"])
    #expect(carol.take("typing", "receipt", "signal") == seen("alice") + seen("bob"))
    #expect(alice.presence == [] && bob.presence == [])
  }

  @Test("who types while others do is seen without the blocked")
  func typingSets() {
    for client in [bob, carol, alice] { client.type("room:a") }
    #expect(carol.take("typing").last == "typing room:a [bob,carol,alice]")
    #expect(alice.take("typing") == ["typing room:a [carol]", "typing room:a [carol,alice]"])
    #expect(bob.take("typing") == ["typing room:a [bob]", "typing room:a [bob,carol]"])
    hub.pass(6_000)
    #expect(alice.take("typing") == ["typing room:a []"])
    #expect(bob.take("typing") == ["typing room:a []"])
  }

  @Test("who types when they are blocked is not seen to type any more")
  func typingAtBlock() {
    carol.type("room:a")
    hub.clear()
    alice.block("carol")
    #expect(alice.take("typing") == ["typing room:a []"])
    alice.unblock("carol")
    #expect(alice.take("typing") == ["typing room:a [carol]"])
  }

  @Test("to each other they are offline and have read nothing")
  func asked() {
    for (client, other) in [(alice, "bob"), (bob, "alice")] {
      #expect(client.presence(of: other) == "\(other) offline")
      client.members("room:a")
      guard case .members(let members, _) = client.reply else { continue }
      let entry = members.first { $0.user.id == user(other) }
      #expect(entry?.isPresent == false && entry?.read == nil && entry?.delivered == nil)
    }
    #expect(alice.presence(in: "room:a") == "room:a 2 [alice,carol]")
  }

  @Test("direct messages are refused: `blocked` to the blocker, `forbidden` to the blocked")
  func direct() throws {
    alice.unblock("bob")
    alice.openDirect("bob")
    let name = try #require(alice.summary).channel.text
    alice.send(name, "before")
    alice.block("bob")
    for (client, other, line) in [
      (alice, "bob", "refused blocked"), (bob, "alice", "refused forbidden"),
    ] {
      #expect(client.openDirect(other) == line)
      #expect(client.send(name, "m") == line)
      #expect(client.react(name, 1) == line)
      #expect(client.signal(name) == line)
    }
    #expect(bob.history(name, .after(0)) == "history 1")
    alice.unblock("bob")
    #expect(bob.send(name, "m") == "sent 2")
  }

  @Test("the blocked add nobody who blocked them, nor the other way round")
  func adding() {
    alice.create("room:b", .group)
    bob.create("room:c", .group)
    #expect(alice.add("room:b", "bob") == "refused blocked")
    #expect(bob.add("room:c", "alice") == "refused forbidden")
    #expect(bob.add("room:c", "carol", "alice") == "refused forbidden")
    #expect(bob.create("room:d", .group, "alice") == "refused forbidden")
    #expect(alice.create("room:d", .group, "bob") == "refused blocked")
  }

  @Test("it is kept over restarts, both ways")
  func restart() throws {
    try hub.restart()
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    for client in [alice, bob] { client.subscribe("room:a") }
    bob.send("room:a", "m")
    alice.send("room:a", "m", mentions: ["bob"])
    #expect(alice.take("message").first == "message room:a 1 hidden")
    hub.pass(2_000)
    #expect(bob.take("unread").last == "unread room:a 1/0 of 1 at 2")
  }

  @Test("at most 1,000 people are blocked by one")
  func limit() {
    for person in hub.connect(1_000, "m") { person.close() }
    for number in 1..<1_000 { #expect(alice.block("m\(number)") == "ok") }
    #expect(alice.block("m1000") == "refused too_large")
    #expect(alice.block("m999") == "ok")
    alice.unblock("m1")
    #expect(alice.block("m1000") == "ok")
  }
}
