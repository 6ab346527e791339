import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: bans and silence")
struct BanTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client
  private let mo: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    mo = hub.connect("mo")
    alice.create("room:a", .public, "bob", "mo")
    alice.appoint("room:a", "mo", .moderator)
    alice.subscribe("room:a")
    hub.clear()
  }

  @Test("a ban ends membership and subscriptions before the reply, and others learn of it")
  func banned() {
    let elsewhere = hub.connect("bob")
    bob.subscribe("room:a")
    hub.clear()
    #expect(mo.ban("room:a", "bob") == "ok")
    #expect(bob.lines == ["member room:a bob banned", "unsubscribed room:a banned"])
    #expect(elsewhere.lines == ["member room:a bob banned"])
    #expect(alice.lines == ["member room:a bob banned"])
    #expect(mo.lines == ["ok"])
  }

  @Test("a guest who is banned hears nothing of the channel any more")
  func guest() {
    let guest = hub.connect("eve")
    guest.subscribe("room:a")
    hub.clear()
    mo.ban("room:a", "eve")
    alice.send("room:a", "m")
    #expect(guest.lines == ["unsubscribed room:a banned"])
    #expect(alice.events == ["message room:a 1 alice m"])
  }

  @Test("it lasts until `until_ts`, to the millisecond")
  func expiry() {
    mo.ban("room:a", "bob", until: hub.wall + 60_000)
    hub.pass(59_999)
    #expect(bob.join("room:a") == "refused banned")
    #expect(bob.get("room:a") == "refused banned")
    #expect(bob.list(.joinable) == "channels ")
    hub.pass(1)
    #expect(bob.list(.joinable) == "channels room:a")
    #expect(bob.get("room:a").hasPrefix("room:a"))
    #expect(bob.join("room:a").hasPrefix("room:a"))
  }

  @Test("without `until_ts` it lasts until it is lifted; lifting what is not there is ok")
  func unban() {
    #expect(mo.unban("room:a", "bob") == "ok")
    mo.ban("room:a", "bob")
    hub.pass(1_000_000_000)
    #expect(bob.join("room:a") == "refused banned")
    #expect(mo.unban("room:a", "bob") == "ok")
    #expect(bob.join("room:a").contains("member read"))
  }

  @Test("the banned are not added either, and to them a group is not there")
  func group() {
    alice.create("room:g", .group, "bob")
    alice.ban("room:g", "bob")
    #expect(alice.add("room:g", "bob") == "refused banned")
    #expect(bob.join("room:g") == "refused not_found")
    alice.unban("room:g", "bob")
    #expect(alice.add("room:g", "bob") == "ok")
  }

  @Test("who was never there is kept out too")
  func stranger() {
    let eve = hub.connect("eve")
    hub.clear()
    #expect(mo.ban("room:a", "eve") == "ok")
    #expect(eve.join("room:a") == "refused banned")
    #expect(alice.events.isEmpty)
  }

  @Test("a ban's end must lie ahead, and its subject exist")
  func refused() {
    #expect(mo.ban("room:a", "bob", until: hub.wall) == "refused bad_request")
    #expect(mo.ban("room:a", "nobody") == "refused not_found")
    #expect(mo.unban("room:a", "nobody") == "refused not_found")
    #expect(mo.silence("room:a", "nobody", until: hub.wall + 9) == "refused not_found")
  }

  @Test(
    "nobody removes, bans or silences themselves, their equals or those above",
    arguments: [("mo", "alice"), ("mo", "mo"), ("mo", "nina"), ("alice", "alice")])
  func rank(actor: String, subject: String) {
    let nina = hub.connect("nina")
    nina.join("room:a")
    alice.appoint("room:a", "nina", .moderator)
    let client = actor == "mo" ? mo : alice
    #expect(client.remove("room:a", subject) == "refused forbidden")
    #expect(client.ban("room:a", subject) == "refused forbidden")
    #expect(client.silence("room:a", subject, until: hub.wall + 9) == "refused forbidden")
  }

  @Test("one who may not be removed keeps all of them in")
  func removeSome() {
    #expect(mo.remove("room:a", "bob", "alice") == "refused forbidden")
    #expect(mo.remove("room:a", "bob", "nobody") == "refused not_found")
    #expect(bob.get("room:a").contains("3 members"))
    #expect(alice.remove("room:a", "bob", "mo") == "ok")
    #expect(bob.get("room:a").contains("1 members"))
  }

  @Test("removal ends subscriptions before the reply; who was removed may join again")
  func removed() {
    bob.subscribe("room:a")
    hub.clear()
    mo.remove("room:a", "bob")
    #expect(bob.lines == ["member room:a bob removed", "unsubscribed room:a removed"])
    #expect(alice.lines == ["member room:a bob removed"])
    #expect(bob.join("room:a").contains("member read"))
  }

  @Test("the silenced send, edit, signal and type nothing, until the clock says so")
  func silenced() {
    bob.send("room:a", "before")
    mo.silence("room:a", "bob", until: hub.wall + 60_000)
    let attempts = { [bob] in
      [
        bob.send("room:a", "m"), bob.edit("room:a", 1, "other"), bob.signal("room:a"),
        bob.type("room:a"),
      ]
    }
    #expect(attempts().allSatisfy { $0 == "refused muted" })
    guard case .refusal(_, let refusal) = bob.received.last else { return }
    #expect(refusal.retryAfterMilliseconds == 60_000)
    #expect(bob.react("room:a", 1) == "ok" && bob.type("room:a", on: false) == "ok")
    #expect(bob.read("room:a", 1) == "ok" && bob.delete("room:a", 1) == "ok")
    hub.pass(60_000)
    #expect(bob.send("room:a", "m") == "sent 2")
  }

  @Test("silence survives leaving and joining, and is lifted by a time that is past")
  func silenceStays() {
    mo.silence("room:a", "bob", until: hub.wall + 60_000)
    bob.leave("room:a")
    bob.join("room:a")
    #expect(bob.send("room:a", "m") == "refused muted")
    mo.silence("room:a", "bob", until: 0)
    #expect(bob.send("room:a", "m") == "sent 1")
  }

  @Test("lifting a ban leaves the silence, and the other way round")
  func independent() {
    mo.silence("room:a", "bob", until: hub.wall + 60_000)
    mo.ban("room:a", "bob")
    mo.unban("room:a", "bob")
    bob.join("room:a")
    #expect(bob.send("room:a", "m") == "refused muted")
    mo.ban("room:a", "bob")
    mo.silence("room:a", "bob", until: 0)
    #expect(bob.join("room:a") == "refused banned")
  }

  @Test("`silenced_until_ts` is told to moderators and oneself alone")
  func listed() {
    let end = hub.wall + 60_000
    let carol = hub.connect("carol")
    carol.join("room:a")
    mo.silence("room:a", "bob", until: end)
    let seen = [alice, mo, bob, carol].map { client -> Int? in
      client.members("room:a")
      guard case .members(let members, _) = client.reply else { return nil }
      return members.first { $0.user.id == user("bob") }?.silencedUntil?.milliseconds
    }
    #expect(seen == [end, end, end, nil])
  }
}
