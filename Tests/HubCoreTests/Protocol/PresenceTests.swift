import HubProtocol
import Testing

@Suite("Protocol, Ephemeral: presence")
struct PresenceTests {
  private let hub = HubDriver()
  private let alice: Client

  init() {
    alice = hub.connect("alice")
    for name in ["bob", "carol"] { hub.connect(name).close() }
    alice.create("room:a", .group, "bob")
    hub.pass(20_000)
    hub.clear()
  }

  @Test("who shares a channel hears of coming, and of going 10 s after the last connection went")
  func comingAndGoing() {
    let bob = hub.connect("bob")
    let elsewhere = hub.connect("bob")
    #expect(alice.presence == ["presence bob online"])
    bob.close()
    hub.pass(20_000)
    elsewhere.close()
    hub.pass(9_999)
    #expect(alice.presence == ["presence bob online"])
    hub.pass(1)
    #expect(alice.presence == ["presence bob online", "presence bob offline"])
  }

  @Test("who comes back within the 10 s was never gone; the grace begins anew each time")
  func grace() {
    hub.connect("bob").close()
    hub.pass(9_000)
    let bob = hub.connect("bob")
    hub.pass(30_000)
    bob.close()
    hub.pass(9_999)
    #expect(alice.presence == ["presence bob online"])
    hub.pass(1)
    #expect(alice.presence.last == "presence bob offline")
  }

  @Test("nobody is told of their own presence, nor of somebody they share no channel with")
  func strangers() {
    let carol = hub.connect("carol")
    let bob = hub.connect("bob")
    bob.appear(.away)
    #expect(carol.presence == [])
    #expect(bob.presence == [])
    #expect(alice.presence == ["presence bob online", "presence bob away"])
  }

  @Test("each status is shown as it is, `invisible` as `offline`; the same again is no event")
  func statuses() {
    let bob = hub.connect("bob")
    hub.clear()
    for status in [PresenceStatus.away, .away, .dnd, .invisible, .invisible, .online] {
      #expect(bob.appear(status) == "ok")
    }
    let shown = ["away", "dnd", "offline", "online"].map { "presence bob \($0)" }
    #expect(alice.presence == shown)
  }

  @Test("who is invisible counts nowhere")
  func invisible() {
    let bob = hub.connect("bob")
    bob.appear(.invisible)
    hub.clear()
    #expect(alice.get("room:a").contains("1 present"))
    #expect(alice.presence(in: "room:a") == "room:a 1 [alice]")
    #expect(alice.presence(of: "bob") == "bob offline")
    #expect(alice.members("room:a", present: true) == "members alice owner present 0/0")
    bob.close()
    hub.pass(20_000)
    #expect(alice.presence == [])
  }

  @Test("a status is kept until it is changed, but who was away comes back online")
  func kept() {
    let shown = [PresenceStatus.dnd, .away, .invisible].map { status -> [String] in
      let bob = hub.connect("bob")
      bob.appear(status)
      bob.close()
      hub.pass(20_000)
      hub.clear()
      hub.connect("bob").close()
      hub.pass(20_000)
      return alice.presence
    }
    #expect(shown[0] == ["presence bob dnd", "presence bob offline"])
    #expect(shown[1] == ["presence bob online", "presence bob offline"])
    #expect(shown[2] == [])
  }

  @Test("`last_seen_ts` is now for who is there, else when they went or hid; nil for the unknown")
  func lastSeen() {
    func seen(_ names: String...) -> [Int?] {
      alice.ask(.presenceOfUsers(names.map(user)))
      guard case .presence(let presence) = alice.reply else { return [] }
      return presence.map { $0.lastSeenTs?.milliseconds }
    }
    let bob = hub.connect("bob")
    hub.pass(5_000)
    #expect(seen("bob") == [hub.wall])
    let left = hub.wall
    bob.close()
    hub.pass(5_000)
    #expect(seen("bob") == [left])
    hub.pass(60_000)
    #expect(seen("bob", "nobody") == [left, nil])
    let again = hub.connect("bob")
    hub.pass(7_000)
    again.appear(.invisible)
    let hid = hub.wall
    hub.pass(7_000)
    again.close()
    hub.pass(60_000)
    #expect(seen("bob") == [hid])
  }

  @Test("`presence.get` answers in the order asked, the unknown offline")
  func get() {
    _ = hub.connect("bob")
    #expect(
      alice.presence(of: "nobody", "bob", "alice") == "nobody offline bob online alice online")
    #expect(alice.presence(in: "room:a") == "room:a 2 [alice,bob]")
    #expect(alice.presence(in: "room:a", "nowhere") == "refused not_found")
  }

  @Test("above 100 members presence is told as a number to subscribers, once a second at most")
  func large() {
    let members = hub.connect(100, "m")
    alice.add("room:a", (1...100).map { "m\($0)" })
    alice.subscribe("room:a")
    hub.pass(2_000)
    hub.clear()
    for member in members[..<10] { member.close() }
    let bob = hub.connect("bob")
    #expect(alice.take("present") == ["present room:a 102"])
    bob.appear(.invisible)
    hub.pass(999)
    #expect(alice.take("present").isEmpty)
    hub.pass(1)
    #expect(alice.take("present") == ["present room:a 101"])
    hub.pass(9_000)
    #expect(alice.take("present") == ["present room:a 100"])
    hub.pass(2_000)
    #expect(alice.take("present") == ["present room:a 91"])
    #expect(alice.presence == [] && members[50].presence == [])
    #expect(alice.presence(in: "room:a") == "room:a 91 [" + names(of: members[10...]) + "]")
  }

  private func names(of members: ArraySlice<Client>) -> String {
    (["alice"] + members.indices.map { "m\($0 + 1)" }).sorted().joined(separator: ",")
  }

  @Test("above 100 who are there `presence.get` names nobody")
  func many() {
    _ = hub.connect(101, "m")
    alice.add("room:a", (1...100).map { "m\($0)" })
    alice.add("room:a", "m101")
    #expect(alice.presence(in: "room:a") == "room:a 102 []")
    guard case .channelPresence(let presence) = alice.reply else { return }
    #expect(presence.first?.users == nil)
  }

  @Test("after a restart nobody is there, and nobody was seen")
  func restart() throws {
    hub.connect("bob").close()
    try hub.restart()
    let alice = hub.connect("alice")
    #expect(alice.presence(of: "bob") == "bob offline")
    #expect(alice.presence(in: "room:a") == "room:a 1 [alice]")
  }
}
