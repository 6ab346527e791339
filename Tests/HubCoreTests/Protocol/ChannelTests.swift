import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: making channels")
struct ChannelTests {
  private let hub = HubDriver()

  @Test("the creator owns the channel, those named are members, all of them hear of it")
  func create() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    hub.clear()
    #expect(
      alice.create("room:a", .group, "bob", "bob", "alice")
        == "room:a group 2 members 2 present seq 0 owner read 0 unread 0/0")
    #expect(alice.events == ["created room:a group 2 members 2 present seq 0"])
    #expect(bob.lines == alice.events)
    #expect(bob.get("room:a") == "room:a group 2 members 2 present seq 0 member read 0 unread 0/0")
  }

  @Test("an unknown user among the members refuses the whole request")
  func unknownMembers() {
    let alice = hub.connect("alice")
    #expect(alice.create("room:a", .group, "bob") == "refused not_found")
    #expect(alice.get("room:a") == "refused not_found")
    #expect(alice.create("room:a", .group) != "refused already_exists")
    #expect(alice.add("room:a", "bob") == "refused not_found")
  }

  @Test(
    "names beginning `dm:`, `sys:` and `feed:` are reserved",
    arguments: [
      ("dm:a", ChannelKind.group, "refused forbidden"), ("sys:a", .public, "refused forbidden"),
      ("feed:bob", .broadcast, "refused forbidden"), ("feed:", .broadcast, "refused forbidden"),
      ("feed:alice", .public, "refused bad_request"), ("room:a", .direct, "refused bad_request"),
    ])
  func reserved(name: String, kind: ChannelKind, line: String) {
    #expect(hub.connect("alice").create(name, kind) == line)
  }

  @Test("`feed:X` is made by X, as a broadcast channel")
  func feed() {
    let alice = hub.connect("alice")
    #expect(alice.create("feed:alice", .broadcast).hasPrefix("feed:alice broadcast 1 members"))
  }

  @Test("a missing name falls back to the channel's own, in a direct one to the other person's")
  func names() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    alice.create("room:a", .group)
    #expect(alice.summary?.profile.name == "room:a")
    alice.create("room:b", .group, members: [], profile: ChannelProfile(name: "B"))
    #expect(alice.summary?.profile.name == "B")
    alice.openDirect("bob")
    #expect(alice.summary?.profile.name == "bob")
    bob.openDirect("alice")
    #expect(bob.summary?.profile.name == "alice")
  }

  @Test("a channel has its own epoch, which no other channel has")
  func epochs() {
    let alice = hub.connect("alice")
    let epochs = (0..<50).map { number -> String in
      alice.create("room:\(number)", .group)
      return alice.summary?.epoch ?? ""
    }
    #expect(Set(epochs).count == 50)
    #expect(!epochs.contains(""))
  }

  @Test(
    "a direct channel is named by SHA-256 over length and id, twice, in byte order",
    arguments: [
      ("alice", "bob", "dm:65531a8eefea7b93693a6f811dfcd740"),
      ("Zoe", "alice", "dm:c2eb94cfe275fdd130a53880b4249e4a"),
      ("a", "ab", "dm:159834be9e388e46df92f700fd0c1696"),
      ("aa", "b", "dm:22bab1c2cf60eb7a98eb354bd1e2505f"),
      (
        String(repeating: "x", count: 120), String(repeating: "y", count: 120),
        "dm:fe4721cc63cfc9f6d5dc8531fbd47210"
      ),
    ])
  func directName(one: String, other: String, name: String) {
    let (first, second) = (hub.connect(one), hub.connect(other))
    first.openDirect(other)
    #expect(first.summary?.channel.text == name)
    second.openDirect(one)
    #expect(second.summary?.channel.text == name)
  }

  @Test("`dm.open` makes the channel once; repeated it answers the same and tells nobody")
  func directTwice() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    hub.clear()
    alice.openDirect("bob")
    let epoch = alice.summary?.epoch
    #expect(bob.take("created").count == 1)
    #expect(alice.take("created").count == 1)
    bob.openDirect("alice")
    alice.openDirect("bob")
    #expect(alice.summary?.epoch == epoch)
    #expect(bob.summary?.epoch == epoch)
    #expect(alice.events.isEmpty && bob.events.isEmpty)
  }

  @Test("`dm.open` wants somebody else who exists")
  func directRefused() {
    let alice = hub.connect("alice")
    #expect(alice.openDirect("nobody") == "refused not_found")
    #expect(alice.openDirect("alice") == "refused bad_request")
  }
}
