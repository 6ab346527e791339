import HubCore
import HubProtocol
import HubStage
import Testing

@Suite("Architecture, Storage: messages that are no longer to be kept")
struct ExpiryTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client
  private let epoch: String

  init() throws {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .public, "bob")
    epoch = try #require(alice.summary).epoch
    for _ in 0..<6 { alice.send("room:a", "m") }
    alice.edit("room:a", 2, "old")
    alice.edit("room:a", 5, "new")
    hub.pass(2_000)
    hub.clear()
  }

  private func recover(_ seq: Int, rev: Int? = nil) -> String {
    bob.subscribe("room:a", since: Position(epoch: epoch, seq: seq, rev: rev))
  }

  @Test("they no longer count as unread, and that is told")
  func unread() {
    hub.expire(0, upTo: 3)
    hub.pass(1_000)
    #expect(bob.take("unread") == ["unread room:a 3/0 of 3 at 6"])
    bob.get("room:a")
    #expect(bob.summary?.standing?.unread == 3 && bob.summary?.standing?.read == 0)
    hub.expire(0, upTo: 6)
    hub.pass(1_000)
    #expect(bob.take("unread") == ["unread room:a 0/0 of 0 at 6"])
  }

  @Test("who asks for them is told which is the oldest that is kept")
  func gone() {
    hub.expire(0, upTo: 3)
    let gone = [
      alice.history("room:a", .after(0)), alice.history("room:a", .after(2)),
      alice.history("room:a", .before(4)), alice.history("room:a", .around(3)),
      alice.thread("room:a", 3),
    ]
    #expect(gone.allSatisfy { $0 == "refused history_gone" }, "\(gone)")
    #expect(alice.refusal?.message.hasSuffix("the oldest message that is kept is 4") == true)
    #expect(alice.history("room:a", .after(3)) == "history 4...6")
    #expect(alice.history("room:a", .before(6)) == "history 4...5")
    #expect(alice.history("room:a", .around(4), limit: 5) == "history 4...6")
    #expect(alice.thread("room:a", 4) == "history none")
  }

  @Test("nothing is done to them, and nothing answers them")
  func unchangeable() {
    hub.expire(0, upTo: 3)
    let state = hub.state
    let refused = [
      alice.edit("room:a", 3, "x"), alice.delete("room:a", 3), bob.react("room:a", 3),
      bob.flag("room:a", 3), bob.send("room:a", "m", replyTo: 3),
    ]
    #expect(refused.allSatisfy { $0 == "refused history_gone" }, "\(refused)")
    #expect(hub.state == state && hub.questionCount == 0)
    #expect(bob.send("room:a", "m", replyTo: 4) == "sent 7")
  }

  @Test("below them nothing is recovered; from them on all is, but for changes of theirs")
  func recovery() {
    hub.expire(0, upTo: 3)
    #expect(recover(2) == "subscribed at 6: none")
    #expect(recover(2, rev: 0) == "subscribed at 6: none")
    #expect(recover(3, rev: 0) == "subscribed at 6 recovered: 4...6 changed []")
    #expect(
      recover(5, rev: 0) == "subscribed at 6 recovered: 6 changed [5 alice new edited]")
    #expect(recover(6, rev: 2) == "subscribed at 6 recovered: none changed []")
  }

  @Test("they are no longer on the list of what was flagged")
  func flags() {
    bob.flag("room:a", 3)
    bob.flag("room:a", 4)
    hub.expire(0, upTo: 3)
    #expect(alice.flags("room:a") == "flags 4 by bob")
  }

  @Test("what goes never comes back, however often and far it is told")
  func again() {
    hub.expire(0, upTo: 3)
    let state = hub.state
    hub.expire(0, upTo: 2)
    hub.expire(0, upTo: 3)
    hub.expire(9, upTo: 3)
    #expect(hub.state == state)
    hub.expire(0, upTo: 1_000)
    #expect(alice.history("room:a", .before(7)) == "refused history_gone")
    #expect(alice.send("room:a", "m") == "sent 7")
    #expect(alice.history("room:a", .before(8)) == "history 7")
    #expect(hub.history?.messageCount == 1)
    #expect(hub.replayFlaws == [])
  }

  @Test("in a channel that is deleted nothing is left to go")
  func deleted() {
    alice.delete("room:a")
    let state = hub.state
    hub.expire(0, upTo: 3)
    #expect(hub.state == state)
    #expect(hub.replayFlaws == [])
  }

  @Test("a restart changes nothing of that")
  func restart() throws {
    hub.expire(0, upTo: 3)
    try hub.restart()
    let alice = hub.connect("alice")
    #expect(alice.history("room:a", .after(2)) == "refused history_gone")
    #expect(alice.history("room:a", .after(3)) == "history 4...6")
    #expect(hub.replayFlaws == [])
  }

  @Test("messages that had left memory go as well, and a key of theirs is forgotten in the end")
  func old() {
    let stage = Archive()
    stage.bob.send(Archive.room, "m", key: "k")
    stage.fill(5)
    stage.alice.react(Archive.room, 2)
    stage.hub.expire(0, upTo: 3)
    #expect(stage.alice.history(Archive.room, .after(0)) == "refused history_gone")
    #expect(stage.alice.history(Archive.room, .after(3)) == "history 4...6")
    #expect(stage.alice.react(Archive.room, 2) == "refused history_gone")
    #expect(stage.bob.send(Archive.room, "m", key: "k", isRetry: true) == "sent 1 again")
    stage.hub.pass(KeyTable.lifetimeMilliseconds)
    #expect(stage.bob.send(Archive.room, "m", key: "k", isRetry: true) == "sent 7")
    #expect(stage.hub.replayFlaws == [])
  }

  @Test("a page or a change that was asked for before is refused when they are gone meanwhile")
  func meanwhile() {
    let stage = Archive()
    stage.fill(6)
    stage.hub.answersEarly = true
    stage.hub.meanwhile = { [hub = stage.hub] _ in hub.expire(0, upTo: 3) }
    #expect(stage.alice.react(Archive.room, 2) == "refused history_gone")
    let other = Archive()
    other.fill(6)
    other.hub.answersEarly = true
    other.hub.meanwhile = { [hub = other.hub] _ in hub.expire(0, upTo: 3) }
    #expect(other.alice.history(Archive.room, .after(0), limit: 3) == "refused history_gone")
    #expect(other.alice.history(Archive.room, .before(6), limit: 5) == "history 4...5")
  }
}
