import HubProtocol
import Testing

@Suite("Protocol, Ephemeral: typing")
struct TypingTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .public, "bob")
    alice.subscribe("room:a")
    bob.subscribe("room:a")
    hub.clear()
  }

  @Test("subscribers get the whole set, those who type included, on change only")
  func wholeSet() {
    bob.type("room:a")
    bob.type("room:a")
    alice.type("room:a")
    bob.type("room:a", on: false)
    bob.type("room:a", on: false)
    let sets = ["typing room:a [bob]", "typing room:a [bob,alice]", "typing room:a [alice]"]
    #expect(alice.events == sets)
    #expect(bob.events == sets)
  }

  @Test("it is forgotten 6 s after the last `on:true`")
  func expiry() {
    bob.type("room:a")
    hub.pass(3_000)
    bob.type("room:a")
    hub.pass(5_999)
    #expect(alice.take() == ["typing room:a [bob]"])
    hub.pass(1)
    #expect(alice.take() == ["typing room:a []"])
  }

  @Test("it ends at once with a message, on whatever connection it was")
  func message() {
    let elsewhere = hub.connect("bob")
    bob.type("room:a")
    elsewhere.type("room:a")
    elsewhere.send("room:a", "hi")
    let lines = ["typing room:a [bob]", "typing room:a []", "message room:a 1 bob hi"]
    #expect(alice.take("typing", "message") == lines)
  }

  @Test("a repeated or refused send is no message")
  func noMessage() {
    bob.send("room:a", "hi", key: "k")
    bob.type("room:a")
    hub.clear()
    bob.send("room:a", "hi", key: "k")
    bob.send("room:a", "hi", replyTo: 7)
    #expect(alice.events.isEmpty)
  }

  @Test("it ends with a leave, and with the last connection that types")
  func leaveAndDisconnect() {
    let elsewhere = hub.connect("bob")
    elsewhere.type("room:a")
    bob.type("room:a")
    elsewhere.close()
    #expect(alice.take("typing") == ["typing room:a [bob]"])
    bob.close()
    #expect(alice.take("typing") == ["typing room:a []"])
    let carol = hub.connect("carol")
    carol.join("room:a")
    carol.type("room:a")
    carol.leave("room:a")
    #expect(alice.take("typing") == ["typing room:a [carol]", "typing room:a []"])
  }

  @Test("above 100 who type, a number is told")
  func many() {
    for client in hub.connect(101, "m") {
      client.join("room:a")
      client.type("room:a")
    }
    let lines = alice.take("typing").suffix(2)
    #expect(lines.first?.hasSuffix("m100]") == true)
    #expect(lines.last == "typing room:a 101")
    hub.pass(6_000)
    #expect(alice.take("typing") == ["typing room:a []"])
  }
}
