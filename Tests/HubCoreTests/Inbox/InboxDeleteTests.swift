import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Inbox: `inbox.delete`, `inbox.act`, `inbox.opened`")
struct InboxDeleteTests {
  private let stage = InboxStage()
  private var alice: Client { stage.alice }

  @Test("items go by id or up to a position, archived ones too")
  func delete() {
    for text in ["a", "b", "c", "d"] { stage.bot.notify("alice", text: text) }
    alice.mark(.archived, 2)
    stage.hub.clear()
    #expect(alice.discard(3) == "deleted 1 2/2 at 6")
    #expect(stage.tablet.take() == ["inbox.removed [3] 2/2 at 6"])
    #expect(alice.discard(upTo: 2) == "deleted 2 1/1 at 7")
    #expect(stage.tablet.take() == ["inbox.removed [1, 2] 1/1 at 7"])
    #expect(alice.discard(upTo: 7, types: ["sale"]) == "deleted 0 1/1 at 7")
    #expect(alice.discard(upTo: 7) == "deleted 1 0/0 at 8")
    #expect(stage.tablet.take() == ["inbox.cleared 0/0 at 8"])
    #expect(alice.discard(upTo: 8) == "deleted 0 0/0 at 8")
    #expect(stage.tablet.take().isEmpty)
  }

  @Test("the last one that goes by its id is removed, not cleared")
  func last() {
    stage.bot.notify("alice")
    stage.hub.clear()
    alice.discard(1)
    #expect(stage.tablet.lines == ["inbox.removed [1] 0/0 at 2"])
  }

  @Test("one that is removed is told as it was")
  func removed() throws {
    stage.bot.notify("alice", text: "a", actor: "bob", collapse: "c")
    stage.bot.notify("alice", text: "b", actor: "cy", collapse: "c")
    alice.mark(.seen, 1)
    stage.hub.clear()
    alice.discard(1)
    guard case .removed(_, let item?) = stage.tablet.inboxEvents.last?.event else {
      Issue.record("\(stage.tablet.lines)")
      return
    }
    #expect(Line.of(item) == "1:bx2,seen")
    #expect(item.actors == [user("cy"), user("bob")])
  }

  @Test("an id that is not there is `not_found`, and nothing goes")
  func unknown() {
    stage.bot.notify("alice")
    #expect(alice.discard(1, 2) == "refused not_found")
    #expect(alice.counts() == "counts 1/1 at 1")
  }

  @Test("a deleted key stays quiet for 24 hours, and is new again then")
  func quiet() {
    stage.bot.notify("alice", key: "k")
    stage.bot.notify("alice", key: "j", collapse: "c")
    stage.bot.notify("alice", key: "i", collapse: "c")
    alice.discard(upTo: 3)
    let day = 24 * 3_600 * 1_000
    stage.hub.pass(day - 1)
    for key in ["k", "j", "i"] { #expect(stage.bot.notify("alice", key: key) == "notified 0") }
    stage.hub.pass(1)
    for key in ["k", "j", "i"] { #expect(stage.bot.notify("alice", key: key) == "notified 1") }
  }

  @Test("only the newest 1,000 deletions stay quiet")
  func manyQuiet() {
    for number in 0..<1_001 {
      stage.bot.notify("alice", key: "k\(number)")
      alice.ask(.inboxDelete(.upTo(2 * number + 1, types: nil)))
    }
    #expect(stage.bot.notify("alice", key: "k0") == "notified 1")
    #expect(stage.bot.notify("alice", key: "k1") == "notified 0")
    #expect(stage.bot.notify("alice", key: "k1000") == "notified 0")
  }

  @Test("to act is to read, and the first time counts")
  func act() throws {
    stage.bot.notify(
      .users([user("alice")]),
      Notification(type: "sale", target: InboxTarget(kind: "video", id: "v1"), text: "a"))
    stage.bot.notify("alice", text: "b")
    stage.hub.clear()
    let first = stage.hub.wall
    #expect(alice.act(1) == "acted video v1")
    #expect(stage.tablet.take() == ["inbox.updated 1:a,read 1/1 at 3"])
    stage.hub.pass(10)
    #expect(alice.act(1) == "acted video v1")
    #expect(stage.tablet.take().isEmpty)
    alice.mark(.unseen, 1)
    stage.hub.clear()
    #expect(alice.act(1) == "acted video v1")
    #expect(stage.tablet.take() == ["inbox.updated 1:a,read 1/1 at 5"])
    alice.inbox()
    #expect(try #require(alice.items.last).actedTs?.milliseconds == first)
    #expect(alice.act(2) == "acted")
    #expect(alice.act(3) == "refused not_found")
  }

  @Test("what is archived stays so when it is followed")
  func actArchived() {
    stage.bot.notify("alice", text: "a")
    alice.mark(.archived, 1)
    stage.hub.clear()
    #expect(alice.act(1) == "acted")
    #expect(stage.tablet.lines == ["inbox.updated 1:a,archived 0/0 at 3"])
    #expect(stage.newest?.actedTs != nil)
  }

  @Test("acting leaves the position where it is, and growing leaves when it was acted on")
  func actGrow() {
    stage.bot.notify("alice", text: "a", collapse: "c")
    stage.bot.notify("alice", text: "b")
    alice.act(1)
    #expect(stage.all == "inbox 2:b 1:a,read 1/1 at 3")
    stage.bot.notify("alice", text: "c", collapse: "c")
    #expect(stage.all == "inbox 1:cx2 2:b 2/2 at 4")
    #expect(stage.newest?.actedTs != nil)
  }

  @Test("usage: who opened it, what was seen, what was deleted; each once")
  func usage() {
    func figures() -> [Int] {
      let usage = stage.hub.hub.inboxUsage
      return [usage.people, usage.viewed, usage.deleted]
    }
    for _ in 0..<4 { stage.bot.notify("alice", "root") }
    #expect(figures() == [0, 0, 0])
    #expect(alice.opened() == "ok" && alice.opened() == "ok" && stage.tablet.opened() == "ok")
    #expect(stage.root.opened() == "ok")
    #expect(figures() == [2, 0, 0])
    alice.mark(.seen, 1)
    alice.mark(.unseen, 1)
    alice.mark(.read, 1, 2)
    alice.act(3)
    #expect(figures() == [2, 3, 0])
    alice.discard(1, 4)
    #expect(figures() == [2, 3, 2])
  }
}
