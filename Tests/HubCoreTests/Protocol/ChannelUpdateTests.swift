import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: changing channels")
struct ChannelUpdateTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .public, "bob")
    hub.clear()
  }

  @Test("members hear of a change in their user stream, subscribed or not; guests do not")
  func told() {
    let guest = hub.connect("eve")
    guest.subscribe("room:a")
    bob.subscribe("room:a")
    hub.clear()
    #expect(alice.rename("room:a", to: "A").hasPrefix("room:a public 2 members"))
    let line = "updated room:a public 2 members 2 present seq 0"
    #expect(alice.events == [line])
    #expect(bob.events == [line])
    #expect(guest.events.isEmpty)
  }

  @Test("what is not named stays, and what is given empty goes")
  func fields() {
    alice.change(
      "room:a", title: .set("A"), details: .set("d"), avatar: .set("https://a.example/a.png"),
      custom: .set(json("[1]")))
    alice.change("room:a", details: .clear)
    let expected = ChannelProfile(
      name: "A", avatar: "https://a.example/a.png", custom: json("[1]"))
    #expect(alice.summary?.profile == expected)
    bob.get("room:a")
    #expect(bob.summary?.profile == expected)
  }

  @Test("a channel whose name was cleared is called by its own again")
  func clearedName() {
    alice.rename("room:a", to: "A")
    alice.rename("room:a", to: "")
    #expect(alice.summary?.profile.name == "room:a")
  }

  @Test("a change to what is so already is told nobody, and does not count as activity")
  func unchanged() {
    alice.rename("room:a", to: "A")
    let updated = alice.summary?.updatedTs
    hub.clear()
    hub.pass(1_000)
    alice.rename("room:a", to: "A")
    #expect(alice.summary?.updatedTs == updated)
    #expect(alice.events.isEmpty && bob.events.isEmpty)
  }

  @Test("a change counts as activity")
  func activity() {
    hub.pass(1_000)
    alice.rename("room:a", to: "A")
    #expect(alice.summary?.updatedTs.milliseconds == hub.wall)
  }

  @Test("the shared summary says nothing that concerns one member alone")
  func shared() {
    alice.send("room:a", "m", key: "k")
    alice.react("room:a", 1)
    hub.clear()
    alice.rename("room:a", to: "A")
    for case .event(.channelUpdated(let summary)) in bob.received + alice.received {
      #expect(summary.standing == nil)
      #expect(summary.lastMessage?.isOwn == false)
      #expect(summary.lastMessage?.mine == [])
    }
  }

  @Test("members who blocked the last message's sender are told of a stub")
  func hiddenLast() {
    bob.block("alice")
    alice.send("room:a", "not for bob")
    hub.clear()
    alice.rename("room:a", to: "A")
    let told = [bob, alice].map { client in
      client.received.compactMap { item -> Bool? in
        guard case .event(.channelUpdated(let summary)) = item else { return nil }
        return summary.lastMessage?.isHidden
      }
    }
    #expect(told == [[true], [false]])
  }
}
