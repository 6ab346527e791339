import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: coming and going")
struct MembershipTests {
  private let hub = HubDriver()

  @Test("repeated join, leave, subscribe and unsubscribe: ok, no event")
  func repetition() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    alice.create("room:a", .public)
    alice.subscribe("room:a")
    bob.leave("room:a")
    bob.join("room:a")
    bob.subscribe("room:a")
    hub.clear()
    #expect(bob.join("room:a").hasPrefix("room:a public 2 members"))
    #expect(bob.subscribe("room:a") == "subscribed at 0: none")
    #expect(bob.unsubscribe("room:a") == "ok")
    #expect(bob.unsubscribe("room:a") == "ok")
    bob.leave("room:a")
    hub.clear()
    #expect(bob.leave("room:a") == "room:a public 1 members 1 present seq 0")
    #expect(alice.lines.isEmpty && bob.events.isEmpty)
  }

  @Test("joining sets read and delivered to the channel's seq; earlier history may be read")
  func joining() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    alice.create("room:a", .public)
    for number in 1...3 { alice.send("room:a", "\(number)") }
    #expect(
      bob.join("room:a") == "room:a public 2 members 2 present seq 3 member read 3 unread 0/0")
    #expect(bob.history("room:a", .after(0)) == "history 1...3")
    #expect(bob.delivered("room:a", 2) == "ok")
    bob.get("room:a")
    #expect(bob.summary?.standing?.read == 3)
  }

  @Test("subscribers and the user concerned learn of a join, an addition and a leave")
  func events() {
    let clients = ["alice", "bob", "carol"].map { hub.connect($0) }
    let (alice, bob, carol) = (clients[0], clients[1], clients[2])
    alice.create("room:a", .public)
    alice.subscribe("room:a")
    hub.clear()
    bob.join("room:a")
    alice.add("room:a", "carol", "bob")
    carol.leave("room:a")
    let told = [
      "member room:a bob joined member", "member room:a carol joined member",
      "member room:a carol left",
    ]
    #expect(alice.events == told)
    #expect(bob.events == [told[0]])
    #expect(carol.events == Array(told[1...]))
  }

  @Test("leaving ends the user's subscriptions on all connections before the reply")
  func unsubscribed() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    let elsewhere = hub.connect("bob")
    alice.create("room:a", .public, "bob")
    for client in [alice, bob, elsewhere] { client.subscribe("room:a") }
    bob.type("room:a")
    hub.clear()
    bob.leave("room:a")
    alice.send("room:a", "after")
    alice.type("room:a")
    #expect(bob.take("unsubscribed", "room:a").first == "unsubscribed room:a left")
    #expect(bob.lines.isEmpty)
    #expect(elsewhere.lines.last == "unsubscribed room:a left")
    #expect(alice.take("typing") == ["typing room:a []", "typing room:a [alice]"])
  }

  @Test("after `unsubscribed` and its reply nothing of the channel comes")
  func nothingAfter() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    alice.create("room:a", .group, "bob")
    bob.subscribe("room:a")
    alice.send("room:a", "unread")
    hub.clear()
    bob.leave("room:a")
    let end = ["unsubscribed room:a left", "room:a group 1 members 1 present seq 1"]
    #expect(bob.lines.suffix(2) == end)
    hub.clear()
    alice.send("room:a", "after")
    alice.read("room:a", 2)
    hub.pass(10_000)
    #expect(bob.lines.isEmpty)
  }

  @Test("when the owner leaves, the longest-serving member becomes owner, and so on")
  func succession() {
    let names = ["alice", "zoe", "bob", "carol"]
    let clients = names.map { hub.connect($0) }
    clients[0].create("room:a", .public)
    for client in clients[1...] { client.join("room:a") }
    clients[1].leave("room:a")
    clients[1].join("room:a")
    clients[3].subscribe("room:a")
    hub.clear()
    clients[0].leave("room:a")
    #expect(
      clients[3].events == ["member room:a alice left", "member room:a bob updated owner"])
    clients[2].leave("room:a")
    clients[3].leave("room:a")
    clients[1].get("room:a")
    #expect(clients[1].summary?.standing?.role == .owner)
  }

  @Test("whoever joins an open channel without members owns it, and its subscribers learn that")
  func ownerless() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    alice.create("room:a", .public)
    alice.leave("room:a")
    alice.subscribe("room:a")
    hub.clear()
    bob.join("room:a")
    #expect(bob.summary?.standing?.role == .owner)
    #expect(alice.events == ["member room:a bob joined owner"])
  }

  @Test("above 100 members only the user concerned learns of a change")
  func large() {
    let alice = hub.connect("alice")
    alice.create("room:a", .public)
    alice.subscribe("room:a")
    let members = hub.connect(100, "member")
    hub.clear()
    for member in members { member.join("room:a") }
    #expect(alice.events.count { $0.hasPrefix("member ") } == 99)
    #expect(members[99].events == ["member room:a member100 joined member"])
    hub.clear()
    members[0].leave("room:a")
    members[1].leave("room:a")
    #expect(members[0].events.first == "member room:a member1 left")
    #expect(alice.events.last == "member room:a member2 left")
  }
}
