import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: muting")
struct MutingTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client
  private let elsewhere: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    elsewhere = hub.connect("bob")
    for name in ["room:a", "room:b"] { alice.create(name, .group, "bob") }
    hub.clear()
  }

  @Test("one's own connections are told, others are not; repeated it is no event")
  func told() {
    bob.mute("room:a")
    bob.mute("room:a")
    #expect(bob.summary?.standing?.isMuted == true)
    #expect(elsewhere.take() == ["self room:a muted"])
    bob.unmute("room:a")
    bob.unmute("room:a")
    #expect(bob.summary?.standing?.isMuted == false)
    #expect(elsewhere.take() == ["self room:a unmuted"])
    #expect(bob.events == ["self room:a muted", "self room:a unmuted"])
    #expect(alice.events.isEmpty)
  }

  @Test("a muted channel's numbers are told, but are not in the total")
  func total() {
    bob.mute("room:a")
    alice.send("room:b", "m")
    alice.send("room:a", "m", mentions: ["bob"])
    #expect(bob.take("unread") == ["unread room:b 1/0 of 1 at 1", "unread room:a 1/1 of 1 at 1"])
    bob.unmute("room:a")
    #expect(bob.take("unread") == ["unread room:a 1/1 of 2 at 1"])
    bob.mute("room:a")
    #expect(bob.take("unread") == ["unread room:a 1/1 of 1 at 1"])
  }

  @Test("it ends at `until_ts`, to the millisecond, and the total is told")
  func expiry() {
    alice.send("room:a", "m")
    bob.mute("room:a", until: hub.wall + 60_000)
    hub.clear()
    hub.pass(59_999)
    #expect(bob.events.isEmpty)
    hub.pass(1)
    #expect(bob.take() == ["self room:a unmuted", "unread room:a 1/0 of 1 at 1"])
    bob.get("room:a")
    #expect(bob.summary?.standing?.isMuted == false)
  }

  @Test("muted for longer, or for ever, it does not end when it first would have")
  func extended() {
    bob.mute("room:a", until: hub.wall + 1_000)
    bob.mute("room:a", until: hub.wall + 5_000)
    bob.mute("room:b", until: hub.wall + 1_000)
    bob.mute("room:b")
    hub.clear()
    hub.pass(4_999)
    #expect(bob.events.isEmpty)
    hub.pass(10_000)
    #expect(bob.events == ["self room:a unmuted"])
  }

  @Test("muted, unmuted and muted again it ends once")
  func again() {
    let end = hub.wall + 1_000
    for _ in 0..<2 {
      bob.mute("room:a", until: end)
      bob.unmute("room:a")
    }
    bob.mute("room:a", until: end)
    hub.clear()
    hub.pass(2_000)
    #expect(bob.events == ["self room:a unmuted"])
  }

  @Test("unmuted before its end nothing ends")
  func unmuted() {
    bob.mute("room:a", until: hub.wall + 1_000)
    bob.unmute("room:a")
    hub.clear()
    hub.pass(2_000)
    #expect(bob.events.isEmpty)
  }

  @Test("its end must lie ahead")
  func past() {
    #expect(bob.mute("room:a", until: hub.wall) == "refused bad_request")
    #expect(!bob.mute("room:a", until: hub.wall + 1).hasPrefix("refused"))
  }

  @Test("whoever comes back is told of its end, also after a restart of the hub")
  func comingBack() throws {
    bob.mute("room:a", until: hub.wall + 60_000)
    try hub.restart()
    _ = hub.connect("bob").lines
    let later = hub.connect("bob")
    later.get("room:a")
    #expect(later.summary?.standing?.isMuted == true)
    later.clear()
    hub.pass(60_000)
    #expect(later.events == ["self room:a unmuted"])
  }

  @Test("the end of a muting is a change for a user stream that was left before")
  func recovered() throws {
    bob.mute("room:a", until: hub.wall + 1_000)
    let at = try #require(hub.connect("bob").userStream?.at)
    hub.pass(1_000)
    let later = hub.open()
    later.hello("bob", since: at)
    #expect(later.userStream?.isRecovered == true)
    #expect(later.userStream?.channels.map(\.standing?.isMuted) == [false])
  }

  @Test("leaving ends it: whoever joins again hears everything")
  func leaving() {
    bob.mute("room:a", until: hub.wall + 1_000)
    bob.leave("room:a")
    alice.add("room:a", "bob")
    bob.get("room:a")
    #expect(bob.summary?.standing?.isMuted == false)
    hub.clear()
    hub.pass(2_000)
    #expect(bob.events.isEmpty)
  }

  @Test("channels muted in the settings are muted, and `channel.unmute` takes them out there")
  func settings() {
    for name in ["room:a", "room:b"] { alice.send(name, "m") }
    hub.clear()
    bob.settings { $0.mutedChannels = [channel("room:a"), channel("room:b"), channel("nowhere")] }
    let line = "everyone receipts true typing true blocked [] muted [room:a,room:b,nowhere]"
    let mutes = ["self settings " + line, "self room:a muted", "self room:b muted"]
    #expect(elsewhere.take("self") == mutes)
    bob.unmute("room:a")
    #expect(elsewhere.take("self") == ["self room:a unmuted"])
    #expect(
      bob.settings()
        == "settings everyone receipts true typing true blocked [] muted [room:b,nowhere]")
  }

  @Test("several channels muted at once are out of the total in every number told")
  func together() {
    for name in ["room:a", "room:b"] { alice.send(name, "m") }
    hub.clear()
    bob.settings { $0.mutedChannels = [channel("room:a"), channel("room:b")] }
    #expect(!bob.take("unread").contains { !$0.contains("of 0 at") })
  }

  @Test("what is muted both ways is told once, and stays muted when one of them ends")
  func both() {
    bob.mute("room:a", until: hub.wall + 1_000)
    bob.settings { $0.mutedChannels = [channel("room:a")] }
    hub.clear()
    hub.pass(2_000)
    #expect(bob.events.isEmpty)
    bob.get("room:a")
    #expect(bob.summary?.standing?.isMuted == true)
  }
}
