import HubProtocol
import Testing

@Suite("Protocol, Session: the user stream after an interruption")
struct UserStreamTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    for name in ["room:a", "room:b", "room:c"] {
      alice.create(name, .group, "bob")
      hub.pass(10)
    }
  }

  /// Where bob's user stream stands.
  private var at: String { hub.connect("bob").userStream?.at ?? "" }

  /// Names of the channels that bob gets who stopped there, `lost` in front if it is everything.
  private func missed(since at: String) -> [String] {
    let client = hub.open()
    client.hello("bob", since: at)
    guard let stream = client.userStream else { return ["no hello"] }
    return (stream.isRecovered ? [] : ["lost"]) + stream.channels.map(\.channel.text)
      + (stream.left ?? []).map { "left \($0)" }
  }

  @Test("where nothing happened nothing comes, and what others do elsewhere does not count")
  func nothing() {
    let at = at
    alice.create("room:other", .group)
    alice.send("room:other", "m")
    #expect(missed(since: at) == [])
  }

  @Test(
    "whatever changes a summary brings the channel",
    arguments: [
      "send", "edit", "delete", "react", "rename", "join", "leave", "ban", "own read",
      "own read.unread", "own mute", "own role",
    ])
  func changed(what: String) {
    let (carol, _) = (hub.connect("carol"), hub.connect("dave"))
    alice.add("room:b", "carol")
    bob.send("room:b", "one")
    bob.mute("room:b", until: hub.wall + 100_000)
    alice.send("room:b", "two")
    let at = at
    switch what {
    case "send": alice.send("room:b", "m")
    case "edit": alice.edit("room:b", 2, "m")
    case "delete": alice.delete("room:b", 2)
    case "react": alice.react("room:b", 1)
    case "rename": alice.rename("room:b", to: "B")
    case "join": alice.add("room:b", "dave")
    case "leave": carol.leave("room:b")
    case "ban": alice.ban("room:b", "carol")
    case "own read": bob.read("room:b", 2)
    case "own read.unread": bob.readUnread("room:b", 1)
    case "own mute": bob.mute("room:b")
    default: alice.appoint("room:b", "bob", .moderator)
    }
    #expect(missed(since: at) == ["room:b"])
  }

  @Test("it brings the most active first, and their present state")
  func order() {
    let at = at
    for name in ["room:b", "room:a"] {
      hub.pass(10)
      alice.send(name, "m", mentions: ["bob"])
    }
    let client = hub.open()
    #expect(
      client.hello("bob", since: at)
        == "hello bob recovered [room:a group 2 members 2 present seq 1 member read 0 unread 1/1]"
        + " [room:b group 2 members 2 present seq 1 member read 0 unread 1/1] left []")
  }

  @Test("channels that one left, was removed or banned from, or that ended are listed as left")
  func left() {
    let at = at
    bob.leave("room:a")
    alice.ban("room:b", "bob")
    alice.delete("room:c")
    #expect(missed(since: at) == ["left room:a", "left room:b", "left room:c"])
    alice.create("room:c", .group, "bob")
    alice.add("room:a", "bob")
    #expect(missed(since: at) == ["room:c", "room:a", "left room:b"])
  }

  @Test("a channel left and left again is listed once")
  func leftTwice() {
    let at = at
    for _ in 0..<2 {
      bob.leave("room:a")
      alice.add("room:a", "bob")
    }
    bob.leave("room:a")
    #expect(missed(since: at) == ["left room:a"])
  }

  @Test("100 departures are remembered, the 101st ends what is older")
  func floor() {
    let at = at
    for _ in 0..<50 {
      bob.leave("room:a")
      alice.add("room:a", "bob")
      bob.leave("room:b")
      alice.add("room:b", "bob")
    }
    #expect(
      missed(since: at) == ["room:b", "room:a"] || missed(since: at) == ["room:a", "room:b"])
    let before = self.at
    bob.leave("room:c")
    #expect(missed(since: at).first == "lost")
    #expect(missed(since: before) == ["left room:c"])
  }

  @Test("after a block or its end, and after another list of muted channels, all comes anew")
  func cut() {
    for change in [
      { bob.block("alice") }, { bob.unblock("alice") },
      { bob.settings { $0.mutedChannels = [channel("room:a")] } },
    ] {
      let at = at
      #expect(!change().hasPrefix("refused"))
      #expect(missed(since: at) == ["lost", "room:c", "room:b", "room:a"])
      #expect(missed(since: self.at) == [])
    }
  }

  @Test("to be blocked by another is told nobody, here neither")
  func blocked() {
    let at = at
    alice.block("bob")
    #expect(missed(since: at) == [])
  }

  @Test("another stream's position, one ahead, or what is none, brings everything")
  func foreign() {
    let other = HubDriver(seed: 77).connect("bob").userStream?.at ?? ""
    let ahead = at.split(separator: "~").first.map { "\($0)~999999" } ?? ""
    for position in [other, ahead, "", "x", "~", "a~b", "~1"] {
      #expect(missed(since: position) == ["lost", "room:c", "room:b", "room:a"], "\(position)")
    }
  }

  @Test("it goes on over a restart")
  func restart() throws {
    let before = at
    bob.leave("room:a")
    alice.send("room:b", "m")
    let after = at
    try hub.restart()
    #expect(missed(since: before) == ["room:b", "left room:a"])
    #expect(missed(since: after) == [])
    hub.connect("alice").send("room:c", "m")
    #expect(missed(since: after) == ["room:c"])
  }

  @Test("where more than 200 channels changed everything comes anew")
  func many() {
    let at = at
    for number in 0..<200 { alice.create("new:\(number)", .group, "bob") }
    #expect(missed(since: at).count == 200)
    alice.send("room:a", "m")
    let client = hub.open()
    client.hello("bob", since: at)
    #expect(client.userStream?.isRecovered == false && client.userStream?.hasMore == true)
  }
}
