import HubProtocol
import Testing

@Suite("Protocol, Receipts and unread: numbers")
struct UnreadTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    for name in ["room:a", "room:b"] { alice.create(name, .group, "bob") }
    hub.clear()
  }

  @Test("the first change is told at once, the next when a second is over, the last always")
  func paced() {
    for _ in 0..<5 { alice.send("room:a", "m") }
    #expect(bob.take("unread") == ["unread room:a 1/0 of 1 at 1"])
    hub.pass(999)
    #expect(bob.take("unread").isEmpty)
    hub.pass(1)
    #expect(bob.take("unread") == ["unread room:a 5/0 of 5 at 5"])
    hub.pass(5_000)
    #expect(bob.take("unread").isEmpty)
    alice.send("room:a", "m")
    #expect(bob.take("unread") == ["unread room:a 6/0 of 6 at 6"])
  }

  @Test("own messages do not count, and sending reads up to the message")
  func own() {
    alice.send("room:a", "m")
    bob.send("room:a", "mine")
    hub.pass(2_000)
    #expect(bob.take("unread") == ["unread room:a 1/0 of 1 at 1", "unread room:a 0/0 of 0 at 2"])
    #expect(alice.take("unread") == ["unread room:a 1/0 of 1 at 2"])
    bob.get("room:a")
    #expect(bob.summary?.standing?.read == 2)
  }

  @Test("one's own action is told at once, to all one's connections")
  func atOnce() {
    let elsewhere = hub.connect("bob")
    for _ in 0..<3 { alice.send("room:a", "m") }
    hub.clear()
    bob.read("room:a", 2)
    #expect(bob.take("unread") == ["unread room:a 1/0 of 1 at 3"])
    #expect(elsewhere.take("unread") == ["unread room:a 1/0 of 1 at 3"])
    bob.read("room:a", 3)
    #expect(bob.take("unread") == ["unread room:a 0/0 of 0 at 3"])
    hub.pass(3_000)
    #expect(bob.take("unread").isEmpty)
  }

  @Test("mentions count with the messages, once each, those of the channel too")
  func mentions() {
    alice.send("room:a", "m", mentions: ["bob"])
    alice.send("room:a", "m", mentions: ["bob", "alice"], everybody: true)
    alice.send("room:a", "m", mentions: ["alice"])
    hub.pass(1_000)
    #expect(bob.take("unread").last == "unread room:a 3/2 of 3 at 3")
    #expect(alice.take("unread").isEmpty)
  }

  @Test("counts stop at 1,000")
  func cap() {
    for _ in 0..<1_005 { alice.send("room:a", "m", mentions: ["bob"]) }
    alice.send("room:b", "m")
    hub.pass(1_000)
    #expect(bob.take("unread").last == "unread room:a 1000/1000 of 1001 at 1005")
    bob.read("room:a", 900)
    #expect(bob.take("unread") == ["unread room:a 105/105 of 106 at 1005"])
  }

  @Test("the total counts what has changed in other channels and was not told yet")
  func total() {
    for name in ["room:a", "room:b", "room:a", "room:b"] { alice.send(name, "m") }
    #expect(bob.take("unread") == ["unread room:a 1/0 of 1 at 1", "unread room:b 1/0 of 2 at 1"])
    bob.read("room:a", 1)
    bob.read("room:a", 2)
    #expect(bob.take("unread").last == "unread room:a 0/0 of 2 at 2")
  }

  @Test("leaving takes a channel's numbers out of the total")
  func leaving() {
    alice.send("room:a", "m")
    alice.send("room:b", "m")
    hub.clear()
    bob.leave("room:a")
    #expect(bob.take("unread") == ["unread room:a 0/0 of 1 at 1"])
    bob.leave("room:b")
    #expect(bob.take("unread") == ["unread room:b 0/0 of 0 at 1"])
  }

  @Test("leaving what was only counted in a total takes it out again")
  func leavingUntold() {
    alice.send("room:a", "m")
    bob.read("room:a", 1)
    alice.send("room:a", "m")
    alice.send("room:b", "m")
    #expect(bob.take("unread").last == "unread room:b 1/0 of 2 at 1")
    bob.leave("room:a")
    #expect(bob.take("unread") == ["unread room:a 0/0 of 1 at 2"])
  }

  @Test("a connection that came with newer numbers than the others knew is told of the next ones")
  func lateConnection() {
    alice.send("room:a", "m")
    bob.read("room:a", 1)
    alice.send("room:a", "m")
    let late = hub.connect("bob")
    bob.read("room:a", 2)
    #expect(late.take("unread") == ["unread room:a 0/0 of 0 at 2"])
  }

  @Test("whoever comes back is told the numbers in `hello`")
  func comingBack() {
    bob.close()
    alice.send("room:a", "m", mentions: ["bob"])
    let later = hub.connect("bob")
    #expect(later.lines.first?.contains("unread 1/1") == true)
    hub.pass(2_000)
    #expect(later.take("unread").isEmpty)
  }
}
