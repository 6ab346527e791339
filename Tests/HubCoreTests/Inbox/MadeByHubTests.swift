import HubProtocol
import Testing

@Suite("Protocol, Inbox: what the hub makes and takes back")
struct MadeByHubTests {
  private let hub: HubDriver
  private let alice: Client
  private let bob: Client
  private let cy: Client

  init() {
    hub = HubDriver()
    (alice, bob, cy) = (hub.connect("alice"), hub.connect("bob"), hub.connect("cy"))
    alice.create("room:a", .group, "bob", "cy")
    alice.appoint("room:a", "bob", .moderator)
    hub.clear()
  }

  /// What is in somebody's inbox, and no more of it than that.
  private func texts(_ client: Client) -> [String] {
    client.inbox()
    return client.items.map { "\($0.notification.type) \($0.notification.text)" }
  }

  @Test("a mention, with what it is about")
  func mention() throws {
    bob.send("room:a", "hi alice", mentions: ["alice", "bob"])
    #expect(texts(alice) == ["mention hi alice"])
    #expect(texts(bob).isEmpty && texts(cy).isEmpty)
    let item = try #require(alice.items.first)
    #expect(
      Line.whole(item) == "1:hi alice mention by @hub [bob] bob ts \(hub.wall)"
        + " message room:a/1 'room:a - bob'")
  }

  @Test("a reply tells the author, and goes before a mention")
  func reply() {
    alice.send("room:a", "one")
    bob.send("room:a", "two", mentions: ["alice", "cy"], replyTo: 1)
    #expect(texts(alice) == ["reply two"] && texts(cy) == ["mention two"])
    alice.send("room:a", "three", replyTo: 1)
    #expect(texts(alice) == ["reply two"])
  }

  @Test("somebody's first reaction is a like, and their last one takes it back")
  func like() throws {
    alice.send("room:a", "one")
    bob.react("room:a", 1, "👍")
    bob.react("room:a", 1, "x")
    cy.react("room:a", 1, "x")
    alice.react("room:a", 1, "x")
    #expect(texts(alice) == ["like one", "like one"])
    let first = try #require(alice.items.last)
    #expect(Line.whole(first).hasSuffix("message room:a/1 'room:a - bob' {\"reaction\":\"👍\"}"))
    bob.react("room:a", 1, "👍", on: false)
    #expect(texts(alice).count == 2)
    bob.react("room:a", 1, "x", on: false)
    #expect(texts(alice) == ["like one"])
    bob.react("room:a", 1, "y")
    #expect(texts(alice).count == 2)
  }

  @Test("likes of a message that is deleted go with it, and what it mentioned and answered")
  func deletion() {
    alice.send("room:a", "one")
    alice.send("room:a", "two", mentions: ["cy"])
    bob.react("room:a", 1)
    bob.react("room:a", 2)
    bob.send("room:a", "three", mentions: ["cy"], replyTo: 1)
    #expect(texts(alice) == ["reply three", "like two", "like one"])
    alice.delete("room:a", 1)
    #expect(texts(alice) == ["reply three", "like two"])
    alice.delete("room:a", 2)
    #expect(texts(alice) == ["reply three"] && texts(cy) == ["mention three"])
    bob.delete("room:a", 3)
    #expect(texts(alice).isEmpty && texts(cy).isEmpty)
  }

  @Test("an edit that takes a mention out takes it back, one that puts it in makes it")
  func edits() {
    bob.send("room:a", "one", mentions: ["alice"])
    bob.edit("room:a", 1, "two", mentions: ["cy"])
    #expect(texts(alice).isEmpty && texts(cy) == ["mention two"])
    bob.edit("room:a", 1, "three", mentions: ["alice", "cy"])
    #expect(texts(alice) == ["mention three"] && texts(cy) == ["mention two"])
    bob.edit("room:a", 1, "four")
    #expect(texts(alice) == ["mention three"])
    bob.edit("room:a", 1, "five", mentions: [], everybody: true)
    #expect(texts(alice) == ["mention three"] && texts(cy) == ["mention two"])
    bob.edit("room:a", 1, "six", mentions: ["cy"])
    #expect(texts(alice).isEmpty && texts(cy) == ["mention two"])
    bob.edit("room:a", 1, "seven", mentions: [])
    #expect(texts(cy).isEmpty)
  }

  @Test("an edit does not take a reply back")
  func editedReply() {
    alice.send("room:a", "one")
    bob.send("room:a", "two", mentions: ["alice"], replyTo: 1)
    bob.edit("room:a", 2, "three", mentions: [])
    #expect(texts(alice) == ["reply two"])
  }

  @Test("what the user deleted is not made anew within 24 hours")
  func quiet() {
    alice.send("room:a", "one")
    bob.react("room:a", 1)
    alice.discard(upTo: 1)
    bob.react("room:a", 1, on: false)
    bob.react("room:a", 1)
    #expect(texts(alice).isEmpty)
    bob.react("room:a", 1, on: false)
    hub.pass(24 * 3_600 * 1_000)
    bob.react("room:a", 1)
    #expect(texts(alice) == ["like one"])
  }

  @Test("a follower is told of, and taken back by leaving, removal and ban")
  func follow() throws {
    alice.create("feed:alice", .broadcast)
    bob.profile(name: .set("Bob"))
    bob.join("feed:alice")
    bob.join("feed:alice")
    alice.inbox()
    #expect(
      Line.whole(try #require(alice.items.first)).hasPrefix(
        "1:Bob follows you follow by @hub [bob] bob ts"))
    #expect(alice.items.first?.notification.target == InboxTarget(kind: "user", id: "bob"))
    bob.leave("feed:alice")
    #expect(texts(alice).isEmpty)
    bob.join("feed:alice")
    #expect(texts(alice).count == 1)
    alice.remove("feed:alice", "bob")
    #expect(texts(alice).isEmpty)
    bob.join("feed:alice")
    alice.ban("feed:alice", "bob")
    #expect(texts(alice).isEmpty)
    bob.create("room:b", .public)
    alice.join("room:b")
    #expect(texts(bob).isEmpty)
  }

  @Test("all about a channel goes with it, and nothing else")
  func channelEnds() {
    alice.create("room:b", .group, "bob")
    alice.send("room:b", "b", mentions: ["bob"])
    alice.send("room:a", "a", mentions: ["bob"])
    bob.send("room:b", "c", replyTo: 1)
    alice.delete("room:b")
    #expect(texts(bob) == ["mention a"] && texts(alice).isEmpty)
    bob.leave("room:a")
    alice.send("room:a", "d", mentions: ["cy"])
    alice.leave("room:a")
    cy.leave("room:a")
    #expect(texts(cy).isEmpty)
  }

  @Test("none where a block stands between the two, either way", arguments: [true, false])
  func blocked(byReader: Bool) {
    if byReader { alice.block("bob") } else { bob.block("alice") }
    alice.send("room:a", "one")
    bob.send("room:a", "two", mentions: ["alice"], everybody: true, replyTo: 1)
    bob.react("room:a", 1)
    alice.create("feed:alice", .broadcast)
    bob.join("feed:alice")
    #expect(texts(alice).isEmpty)
  }

  @Test("none for those who muted the actor, the channel or the type")
  func muted() {
    alice.send("room:a", "one")
    alice.settings { $0.mutedUsers = [user("bob")] }
    bob.react("room:a", 1)
    alice.settings {
      $0.mutedUsers = []
      $0.mutedTypes = ["reply"]
    }
    cy.send("room:a", "two", replyTo: 1)
    alice.settings { $0.mutedTypes = [] }
    alice.mute("room:a")
    cy.send("room:a", "three", mentions: ["alice"], replyTo: 1)
    #expect(texts(alice).isEmpty)
    alice.unmute("room:a")
    cy.react("room:a", 1)
    #expect(texts(alice) == ["like one"])
  }

  @Test("none for authors and mentioned users who are no members")
  func strangers() {
    let dan = hub.connect("dan")
    alice.create("room:p", .public, "bob")
    bob.send("room:p", "one", mentions: ["dan"])
    bob.leave("room:p")
    alice.send("room:p", "two", replyTo: 1)
    alice.react("room:p", 1)
    #expect(texts(dan).isEmpty && texts(bob).isEmpty)
  }

  @Test("messages that have left memory are liked, answered, edited and deleted just so")
  func old() {
    let stage = Archive()
    stage.alice.send("room:a", "one", mentions: ["bob"])
    stage.bob.send("room:a", "two", mentions: ["alice"], replyTo: 1)
    stage.fill(3)
    stage.bob.react("room:a", 1)
    stage.bob.send("room:a", "three", replyTo: 1)
    stage.fill(3)
    #expect(texts(stage.alice) == ["reply three", "like one", "reply two"])
    stage.alice.edit("room:a", 1, "uno", mentions: [])
    #expect(texts(stage.bob).isEmpty)
    stage.fill(3)
    stage.bob.react("room:a", 1, on: false)
    stage.bob.delete("room:a", 2)
    #expect(texts(stage.alice) == ["reply three"])
    stage.fill(3)
    stage.alice.delete("room:a", 1)
    stage.bob.delete("room:a", 6)
    #expect(texts(stage.alice).isEmpty)
    #expect(stage.hub.questionCount > 4 && stage.hub.replayFlaws == [])
  }
}
