import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: the end of channels")
struct DeletionTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .public, "bob")
    hub.clear()
  }

  @Test("members hear of it, then each subscription ends, then the reply; guests' too")
  func order() {
    let (guest, elsewhere) = (hub.connect("eve"), hub.connect("bob"))
    for client in [alice, bob, guest] { client.subscribe("room:a") }
    hub.clear()
    alice.delete("room:a")
    let end = ["deleted room:a", "unsubscribed room:a deleted"]
    #expect(alice.lines == end + ["room:a public 0 members 0 present seq 0"])
    #expect(bob.lines == end)
    #expect(elsewhere.lines == ["deleted room:a"])
    #expect(guest.lines == ["unsubscribed room:a deleted"])
  }

  @Test("nothing of it comes afterwards, and nothing of it is left to ask for")
  func nothingAfter() {
    bob.subscribe("room:a")
    bob.type("room:a")
    alice.send("room:a", "m")
    alice.send("room:a", "m")
    alice.delete("room:a")
    #expect(bob.take("unread").last == "unread room:a 0/0 of 0 at 2")
    hub.pass(20_000)
    #expect(bob.lines.isEmpty)
    #expect(bob.get("room:a") == "refused not_found")
    #expect(bob.send("room:a", "m") == "refused not_found")
    #expect(bob.list(.joined) == "channels " && bob.list(.all) == "channels ")
  }

  @Test("created again it is another: new epoch, no history, no keys, no bans, no members")
  func again() {
    let epoch = alice.get("room:a").isEmpty ? nil : alice.summary?.epoch
    alice.send("room:a", "one", key: "k")
    alice.ban("room:a", "bob")
    alice.flag("room:a", 1)
    alice.delete("room:a")
    #expect(alice.create("room:a", .public).hasPrefix("room:a public 1 members 1 present seq 0"))
    #expect(alice.summary?.epoch != epoch)
    #expect(alice.history("room:a", .after(0)) == "history none")
    #expect(alice.send("room:a", "two", key: "k") == "sent 1")
    #expect(alice.flags("room:a") == "flags")
    #expect(bob.join("room:a").contains("member read 1"))
  }

  @Test("a position in the deleted channel is not recovered in the new one")
  func positions() throws {
    alice.get("room:a")
    let since = Position(epoch: try #require(alice.summary).epoch, seq: 0, rev: 0)
    alice.delete("room:a")
    alice.create("room:a", .public)
    #expect(alice.subscribe("room:a", since: since) == "subscribed at 0: none")
  }

  @Test("somebody whose page of history is being loaded does not get it from the new channel")
  func loading() {
    for _ in 0..<1_001 { alice.send("room:a", "m") }
    hub.clear()
    hub.meanwhile = { [alice] _ in
      alice.delete("room:a")
      alice.create("room:a", .public)
    }
    #expect(bob.history("room:a", .before(2)) == "refused not_found")
  }

  @Test("the last member of a group takes it with them")
  func lastOfGroup() {
    alice.create("room:g", .group, "bob")
    alice.leave("room:g")
    bob.subscribe("room:g")
    hub.clear()
    #expect(bob.leave("room:g") == "room:g group 0 members 0 present seq 0")
    #expect(bob.events == ["member room:g bob left", "unsubscribed room:g left"])
    #expect(bob.get("room:g") == "refused not_found")
    #expect(alice.create("room:g", .group).hasPrefix("room:g group 1 members"))
  }

  @Test("an open channel without members stays, and whoever joins next owns it")
  func lastOfOpen() {
    alice.send("room:a", "m")
    for client in [alice, bob] { client.leave("room:a") }
    #expect(bob.history("room:a", .after(0)) == "history 1")
    #expect(bob.join("room:a") == "room:a public 1 members 1 present seq 1 owner read 1 unread 0/0")
  }

  @Test("of a delete and a send in flight the first takes effect, the second is refused")
  func inFlight() {
    hub.isHolding = true
    alice.delete("room:a")
    bob.send("room:a", "late")
    hub.release()
    #expect(bob.lines == ["deleted room:a", "refused not_found"])
  }

  @Test("a user stream that was left before it lists the channel under `left`")
  func userStream() throws {
    let at = try #require(hub.connect("bob").userStream?.at)
    alice.delete("room:a")
    #expect(hub.open().hello("bob", since: at) == "hello bob recovered left [room:a]")
    alice.create("room:a", .public, "bob")
    let line = hub.open().hello("bob", since: at)
    #expect(line.hasPrefix("hello bob recovered [room:a public") && line.hasSuffix("left []"))
  }
}
