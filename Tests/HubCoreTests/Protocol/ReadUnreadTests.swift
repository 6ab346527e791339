import HubProtocol
import Testing

@Suite("Protocol, Receipts and unread: `read.unread`")
struct ReadUnreadTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .group, "bob")
    for _ in 0..<5 { alice.send("room:a", "m", mentions: ["bob"]) }
    bob.read("room:a", 5)
    hub.pass(2_000)
    hub.clear()
  }

  @Test("it moves read back and leaves delivered; only one's own other connections are told")
  func told() {
    let elsewhere = hub.connect("bob")
    alice.subscribe("room:a")
    hub.clear()
    #expect(bob.readUnread("room:a", 4) == "ok")
    #expect(bob.events == ["unread room:a 2/2 of 2 at 5"])
    #expect(elsewhere.events == ["receipt room:a bob 3 5", "unread room:a 2/2 of 2 at 5"])
    #expect(alice.events.isEmpty)
  }

  @Test("where it is unread already nothing happens")
  func repeated() {
    bob.readUnread("room:a", 3)
    hub.clear()
    #expect(bob.readUnread("room:a", 3) == "ok")
    #expect(bob.readUnread("room:a", 5) == "ok")
    #expect(bob.events.isEmpty)
    bob.get("room:a")
    #expect(bob.summary?.standing?.read == 2)
  }

  @Test("`seq` must be one of the channel's messages", arguments: [0, 6])
  func range(seq: Int) {
    #expect(bob.readUnread("room:a", seq) == "refused bad_request")
  }

  @Test("reading moves it forward again, and others are told of that")
  func forward() {
    alice.subscribe("room:a")
    bob.readUnread("room:a", 1)
    hub.clear()
    bob.read("room:a", 2)
    #expect(alice.events == ["receipt room:a bob 2 5"])
    #expect(bob.take("unread") == ["unread room:a 3/3 of 3 at 5"])
  }

  @Test("above 100 members the numbers of the messages concerned are told")
  func large() {
    for member in hub.connect(100, "m") { member.close() }
    alice.add("room:a", (1...100).map { "m\($0)" })
    alice.subscribe("room:a")
    hub.pass(20_000)
    hub.clear()
    bob.readUnread("room:a", 4)
    #expect(alice.take("readBy", "receipt") == ["readBy room:a 4=101 5=101"])
  }
}
