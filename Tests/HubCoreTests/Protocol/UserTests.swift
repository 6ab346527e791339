import HubProtocol
import Testing

@Suite("Protocol, Users: profiles")
struct UserTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
  }

  @Test("a changed profile is told one's own connections and those who share a small channel")
  func told() {
    let (elsewhere, carol) = (hub.connect("alice"), hub.connect("carol"))
    alice.create("room:a", .group, "bob")
    hub.clear()
    #expect(alice.profile(name: .set("Alice")) == "users alice")
    for client in [alice, elsewhere, bob] { #expect(client.events == ["user alice Alice"]) }
    #expect(carol.lines.isEmpty)
    hub.clear()
    alice.profile(name: .set("Alice"))
    #expect(alice.events.isEmpty && bob.lines.isEmpty)
  }

  @Test("what is not named stays, what is given empty goes, and the id stands in for the name")
  func fields() {
    alice.profile(
      name: .set("Alice"), username: .set("ALICE"), avatar: .set("https://a.example/a.png"),
      bio: .set("bio"), custom: .set(json("1")))
    alice.profile(name: .clear, bio: .clear)
    let expected = UserProfile(
      username: "alice", avatar: "https://a.example/a.png", custom: json("1"))
    #expect(alice.people.map(\.profile) == [expected])
    bob.users("alice")
    #expect(bob.people.map(\.profile) == [expected])
    #expect(bob.people.map(\.shownName) == ["alice"])
  }

  @Test("usernames are lower-cased and everybody's own, until they are given up")
  func usernames() {
    alice.profile(username: .set("Queen"))
    #expect(bob.profile(username: .set("qUEEN")) == "refused already_exists")
    #expect(alice.profile(username: .set("queen")) == "users alice")
    alice.profile(username: .set("King"))
    #expect(bob.profile(username: .set("queen")) == "users bob")
    alice.profile(username: .clear)
    #expect(bob.profile(username: .set("king")) == "users bob")
    #expect(alice.profile(username: .set("queen")) == "users alice")
  }

  @Test("a refused update changes nothing of the profile")
  func refused() {
    alice.profile(username: .set("queen"))
    bob.profile(name: .set("Bob"))
    #expect(bob.profile(name: .set("X"), username: .set("queen")) == "refused already_exists")
    bob.users("bob")
    #expect(bob.people.map(\.shownName) == ["Bob"])
  }

  @Test("`user.get` answers in the order asked, or not at all")
  func get() {
    #expect(alice.users("bob", "alice") == "users bob,alice")
    #expect(alice.users("bob", "nobody") == "refused not_found")
  }

  @Test("followers are the members of one's feed besides oneself, following the feeds joined")
  func follows() {
    alice.create("feed:alice", .broadcast)
    bob.create("feed:bob", .broadcast)
    bob.join("feed:alice")
    func counts(_ name: String) -> [Int?] {
      alice.users(name)
      return [alice.people.first?.followers, alice.people.first?.following]
    }
    #expect(counts("alice") == [1, 0])
    #expect(counts("bob") == [0, 1])
    bob.leave("feed:alice")
    #expect(counts("alice") == [0, 0])
    #expect(counts("bob") == [0, 0])
  }

  @Test("a new name is a direct channel's, in the eyes of the other")
  func directName() throws {
    let at = try #require(hub.connect("bob").userStream?.at)
    alice.openDirect("bob")
    let name = try #require(alice.summary).channel.text
    let opened = try #require(hub.connect("bob").userStream?.at)
    #expect(opened != at)
    alice.profile(name: .set("Alice"), avatar: .set("https://a.example/a.png"))
    bob.get(name)
    #expect(bob.summary?.profile.name == "Alice")
    #expect(bob.summary?.profile.avatar == "https://a.example/a.png")
    alice.get(name)
    #expect(alice.summary?.profile.name == "bob")
    let later = hub.open()
    later.hello("bob", since: opened)
    #expect(later.userStream?.channels.map(\.profile.name) == ["Alice"])
  }

  @Test("bots and admins put users, others do not")
  func mayPut() {
    let put = UserPut(id: user("zoe"))
    #expect(alice.put(put) == "refused forbidden")
    #expect(alice.users("zoe") == "refused not_found")
    #expect(hub.connect("helper", as: .bot).put(put) == "users zoe")
    #expect(hub.connect("root", as: .admin).put(put) == "users zoe")
    #expect(alice.users("zoe") == "users zoe")
  }

  @Test("whom a put names comes into being as a person or a bot, and stays one")
  func putKinds() {
    let root = hub.connect("root", as: .admin)
    root.put(UserPut(id: user("zoe")), UserPut(id: user("robot"), isBot: true))
    #expect(root.people.map(\.isBot) == [false, true])
    #expect(hub.open().hello("robot", as: .bot) == "hello robot")
    #expect(hub.open().hello("zoe", as: .bot) == "refused unauthenticated")
    #expect(root.put(UserPut(id: user("robot"), isBot: false)) == "refused conflict")
    #expect(root.put(UserPut(id: user("zoe"), isBot: true)) == "refused conflict")
    #expect(root.put(UserPut(id: user("root"), isBot: false)) == "users root")
  }

  @Test("a put is done whole or not at all")
  func atomic() {
    let root = hub.connect("root", as: .admin)
    alice.profile(username: .set("queen"))
    let zoe = UserPut(id: user("zoe"), update: ProfileUpdate(name: .set("Zoe")))
    let thief = UserPut(id: user("max"), update: ProfileUpdate(username: .set("Queen")))
    let before = hub.state
    #expect(root.put(zoe, thief) == "refused already_exists")
    let twins = ["zoe", "max"].map {
      UserPut(id: user($0), update: ProfileUpdate(username: .set("twin")))
    }
    #expect(root.ask(.userPut(twins)) == "refused already_exists")
    #expect(hub.state == before)
    #expect(alice.users("zoe") == "refused not_found")
  }

  @Test("those whose profile a put changed are told, others are not")
  func putTold() {
    let root = hub.connect("root", as: .admin)
    hub.clear()
    root.put(
      UserPut(id: user("alice"), update: ProfileUpdate(name: .set("A"))),
      UserPut(id: user("bob")))
    #expect(root.lines == ["users alice,bob"])
    #expect(alice.lines == ["user alice A"])
    #expect(bob.lines.isEmpty)
  }

  @Test("profiles, usernames and what is searched for come back after a restart")
  func restart() throws {
    alice.profile(name: .set("Anna Berg"), username: .set("queen"))
    try hub.restart()
    let bob = hub.connect("bob")
    #expect(bob.search("berg") == "users alice")
    #expect(bob.profile(username: .set("queen")) == "refused already_exists")
  }
}
