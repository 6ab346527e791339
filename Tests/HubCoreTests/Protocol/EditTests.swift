import HubProtocol
import Testing

@Suite("Protocol, Messages: editing and deleting")
struct EditTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .group, "bob")
    for client in [alice, bob] { client.subscribe("room:a") }
    bob.send("room:a", "one", key: "k")
    hub.pass(2_000)
    hub.clear()
  }

  private func message(_ seq: Int) -> Message? {
    alice.history("room:a", .around(seq), limit: 1)
    return alice.messages.first?.message
  }

  @Test("an edit goes to the subscribers with the next `rev`, the key to its sender alone")
  func edited() {
    #expect(bob.edit("room:a", 1, "two") == "ok")
    #expect(alice.events == ["message.updated room:a 1 two rev 1"])
    #expect(bob.events == ["message.updated room:a 1 two key k rev 1"])
    #expect(message(1)?.editedTs?.milliseconds == hub.wall)
    bob.edit("room:a", 1, "three")
    #expect(alice.events.last == "message.updated room:a 1 three rev 2")
  }

  @Test("what is not named stays, what is given empty goes, and something must be left")
  func fields() {
    bob.edit("room:a", 1, data: .set(json("{}")))
    #expect(message(1)?.content == MessageContent(text: "one", data: json("{}")))
    bob.edit("room:a", 1, "")
    #expect(message(1)?.content == MessageContent(data: json("{}")))
    #expect(bob.edit("room:a", 1, data: .clear) == "refused bad_request")
    #expect(message(1)?.content == MessageContent(data: json("{}")))
  }

  @Test("an edit to what is there already is an edit like any other")
  func unchanged() {
    #expect(bob.edit("room:a", 1, "one") == "ok")
    #expect(alice.events == ["message.updated room:a 1 one rev 1"])
    #expect(message(1)?.editedTs != nil)
  }

  @Test("an edit may mention others, who then have it counted")
  func mentions() {
    bob.edit("room:a", 1, "hi alice", mentions: ["alice"])
    hub.pass(1_000)
    #expect(alice.take("unread").last == "unread room:a 1/1 of 1 at 1")
    bob.edit("room:a", 1, "hi", mentions: [])
    hub.pass(1_000)
    #expect(alice.take("unread").last == "unread room:a 1/0 of 1 at 1")
    #expect(bob.edit("room:a", 1, "hi", mentions: ["nobody"]) == "refused not_found")
  }

  @Test("an edit without `mentions` keeps them")
  func keptMentions() {
    bob.edit("room:a", 1, "hi alice", mentions: ["alice"])
    bob.edit("room:a", 1, "hello alice")
    #expect(message(1)?.content.mentions == [user("alice")])
    alice.get("room:a")
    #expect(alice.summary?.standing?.mentions == 1)
  }

  @Test("a message does not grow by edits beyond what one may be")
  func tooLarge() {
    let big = json("\"" + String(repeating: "x", count: Limits.editedBytes) + "\"")
    #expect(bob.edit("room:a", 1, data: .set(big)) == "refused too_large")
    #expect(message(1)?.content.text == "one")
  }

  @Test("a deleted message keeps its place and loses its content")
  func deleted() {
    bob.edit("room:a", 1, "two", mentions: ["alice"])
    alice.react("room:a", 1)
    alice.send("room:a", "reply", replyTo: 1)
    hub.clear()
    #expect(bob.delete("room:a", 1) == "ok")
    #expect(alice.events.first == "message.deleted room:a 1 - rev 3")
    #expect(bob.events.first == "message.deleted room:a 1 - key k rev 3")
    let left = message(1)
    #expect(left?.content == MessageContent())
    #expect(left?.reactions == [] && left?.editedTs == nil && left?.replyCount == 1)
    #expect(left?.deletedTs?.milliseconds == hub.wall)
    #expect(left?.user == user("bob") && left?.key == "k")
  }

  @Test("deleting again is ok, with the same time, and no event")
  func again() {
    bob.delete("room:a", 1)
    let first = hub.wall
    hub.pass(5_000)
    hub.clear()
    #expect(alice.delete("room:a", 1) == "ok")
    guard case .stamped(let ts) = alice.reply else { return }
    #expect(ts.milliseconds == first)
    #expect(alice.events.isEmpty && bob.events.isEmpty)
  }

  @Test("nothing is done to a deleted message")
  func afterwards() {
    bob.delete("room:a", 1)
    #expect(bob.edit("room:a", 1, "two") == "refused conflict")
    #expect(alice.react("room:a", 1) == "refused conflict")
    #expect(alice.react("room:a", 1, on: false) == "refused conflict")
    #expect(alice.flag("room:a", 1) == "refused conflict")
    #expect(alice.send("room:a", "m", replyTo: 1) == "refused conflict")
  }

  @Test("what is not there is `not_found`; without history what left memory is `history_gone`")
  func missing() {
    hub.history = nil
    for _ in 0..<1_000 { bob.send("room:a", "m") }
    for (seq, line) in [(0, "refused not_found"), (1_002, "refused not_found")] {
      #expect(bob.edit("room:a", seq, "x") == line)
      #expect(bob.delete("room:a", seq) == line)
      #expect(alice.react("room:a", seq) == line)
      #expect(alice.flag("room:a", seq) == line)
      #expect(alice.thread("room:a", seq) == line)
    }
    #expect(bob.edit("room:a", 1, "x") == "refused history_gone")
    #expect(bob.delete("room:a", 1) == "refused history_gone")
    #expect(alice.react("room:a", 1) == "refused history_gone")
    #expect(alice.flag("room:a", 1) == "refused history_gone")
  }

  @Test("a deleted message no longer counts; a moderator who deletes it is told at once")
  func counts() {
    for _ in 0..<3 { bob.send("room:a", "m", mentions: ["alice"]) }
    hub.clear()
    alice.delete("room:a", 2)
    #expect(alice.take("unread") == ["unread room:a 3/2 of 3 at 4"])
    bob.delete("room:a", 3)
    hub.pass(1_000)
    #expect(alice.take("unread") == ["unread room:a 2/1 of 2 at 4"])
  }

  @Test("the deleted and the edited stand in the summary's last message")
  func lastMessage() {
    bob.edit("room:a", 1, "two")
    alice.get("room:a")
    #expect(alice.summary?.lastMessage?.message.content.text == "two")
    bob.delete("room:a", 1)
    alice.get("room:a")
    #expect(alice.summary?.lastMessage?.message.isDeleted == true)
    #expect(alice.summary?.rev == 2)
  }

  @Test("a message keeps its key when it was changed: the same key answers the first seq")
  func key() {
    bob.edit("room:a", 1, "two")
    #expect(bob.send("room:a", "one", key: "k") == "sent 1 again")
    bob.delete("room:a", 1)
    #expect(bob.send("room:a", "one", key: "k") == "sent 1 again")
  }
}
