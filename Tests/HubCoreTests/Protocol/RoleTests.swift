import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: roles")
struct RoleTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client
  private let carol: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    carol = hub.connect("carol")
    alice.create("room:a", .group, "bob", "carol")
    carol.subscribe("room:a")
    hub.clear()
  }

  private func role(_ client: Client) -> Role? {
    client.get("room:a")
    return client.summary?.standing?.role
  }

  @Test("subscribers and the person concerned learn of a new role; the same again is no event")
  func appoint() {
    #expect(alice.appoint("room:a", "bob", .moderator) == "ok")
    #expect(alice.appoint("room:a", "bob", .moderator) == "ok")
    #expect(carol.events == ["member room:a bob updated moderator"])
    #expect(bob.events == ["member room:a bob updated moderator"])
    #expect(role(bob) == .moderator)
    alice.appoint("room:a", "bob", .member)
    #expect(role(bob) == .member)
  }

  @Test("a new owner takes the place of the old, who becomes moderator")
  func transfer() {
    #expect(alice.appoint("room:a", "bob", .owner) == "ok")
    let lines = ["member room:a bob updated owner", "member room:a alice updated moderator"]
    #expect(carol.events == lines)
    #expect([alice, bob].map(role) == [.moderator, .owner])
    #expect(alice.appoint("room:a", "carol", .moderator) == "refused forbidden")
    #expect(bob.delete("room:a").hasPrefix("room:a"))
  }

  @Test("an owner stays owner until another is; an owner who is named owner again is no event")
  func own() {
    #expect(alice.appoint("room:a", "alice", .member) == "refused forbidden")
    #expect(alice.appoint("room:a", "alice", .moderator) == "refused forbidden")
    #expect(alice.appoint("room:a", "alice", .owner) == "ok")
    #expect(carol.events.isEmpty && role(alice) == .owner)
  }

  @Test("roles are given to members only")
  func strangers() {
    _ = hub.connect("eve")
    #expect(alice.appoint("room:a", "eve", .moderator) == "refused not_found")
    #expect(alice.appoint("room:a", "nobody", .moderator) == "refused not_found")
  }

  @Test("the longest-serving moderator comes before the members, however long they are there")
  func succession() {
    let dave = hub.connect("dave")
    alice.add("room:a", "dave")
    alice.appoint("room:a", "dave", .moderator)
    alice.appoint("room:a", "carol", .moderator)
    hub.clear()
    alice.leave("room:a")
    #expect(carol.events == ["member room:a alice left", "member room:a carol updated owner"])
    carol.leave("room:a")
    #expect(role(dave) == .owner)
    dave.leave("room:a")
    #expect(role(bob) == .owner)
  }

  @Test("a member's own `custom` is told to subscribers, and listed; the same again is no event")
  func custom() {
    #expect(bob.annotate("room:a", "{\"a\": 1}") == "ok")
    #expect(bob.annotate("room:a", "{\"a\": 1}") == "ok")
    #expect(carol.events == ["member room:a bob updated member"])
    carol.members("room:a")
    guard case .members(let members, _) = carol.reply else { return }
    #expect(members.map(\.custom) == [nil, json("{\"a\": 1}"), nil])
    bob.annotate("room:a", nil)
    carol.members("room:a")
    guard case .members(let cleared, _) = carol.reply else { return }
    #expect(cleared.compactMap(\.custom).isEmpty)
  }

  @Test("in a direct channel everybody has a `custom` of their own, and nobody a rank")
  func direct() throws {
    alice.openDirect("bob")
    let name = try #require(alice.summary).channel.text
    #expect(alice.annotate(name, "1") == "ok")
    #expect(alice.members(name) == "members alice member present 0/0,bob member present 0/0")
    #expect(alice.remove(name, "bob") == "refused forbidden")
    #expect(alice.rename(name, to: "x") == "refused forbidden")
    #expect(alice.delete(name) == "refused forbidden")
  }
}
