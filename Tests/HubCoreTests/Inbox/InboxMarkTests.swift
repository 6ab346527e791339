import HubProtocol
import Testing

@Suite("Protocol, Inbox: `inbox.mark`")
struct InboxMarkTests {
  private let stage = InboxStage()
  private var alice: Client { stage.alice }

  /// From each state to each, by a mark up to a position: whether it goes there.
  private static let forward: [(InboxState, InboxState, Bool)] = [
    (.unseen, .unseen, false), (.unseen, .seen, true), (.unseen, .read, true),
    (.unseen, .archived, true), (.seen, .unseen, true), (.seen, .seen, false),
    (.seen, .read, true), (.seen, .archived, true), (.read, .unseen, true),
    (.read, .seen, false), (.read, .read, false), (.read, .archived, true),
    (.archived, .unseen, false), (.archived, .seen, false), (.archived, .read, false),
    (.archived, .archived, false),
  ]

  @Test("a mark up to a position goes forward, or back to unseen", arguments: forward)
  func upTo(from: InboxState, to: InboxState, moves: Bool) {
    stage.bot.notify("alice")
    alice.mark(from, 1)
    stage.hub.clear()
    let before = from == .unseen ? 1 : 2
    #expect(alice.mark(to, upTo: before).hasSuffix("at \(moves ? before + 1 : before)"))
    #expect(stage.tablet.events.count == (moves ? 1 : 0))
    #expect(stage.states == [moves ? to : from])
  }

  @Test("a mark by id gives any state, so that it can be undone", arguments: forward)
  func undo(from: InboxState, to: InboxState, moves: Bool) {
    stage.bot.notify("alice", text: "a")
    alice.mark(from, 1)
    stage.hub.clear()
    #expect(alice.mark(to, 1).hasPrefix("marked"))
    #expect(stage.tablet.events.count == (from == to ? 0 : 1))
    #expect(stage.states == [to])
    alice.mark(from, 1)
    #expect(stage.states == [from])
  }

  @Test("one item is told whole, several by their ids; all devices hear it behind the answer")
  func told() {
    for text in ["a", "b", "c"] { stage.bot.notify("alice", text: text) }
    stage.hub.clear()
    alice.mark(.seen, 2)
    #expect(alice.take() == ["marked 2/3 at 4", "inbox.updated 2:b,seen 2/3 at 4"])
    #expect(stage.tablet.take() == ["inbox.updated 2:b,seen 2/3 at 4"])
    alice.mark(.read, 3, 2, 1)
    #expect(stage.tablet.take() == ["inbox.updated [1, 2, 3] read 0/0 at 5"])
    alice.mark(.read, 3, 2, 1)
    #expect(stage.tablet.take().isEmpty)
  }

  @Test("an id that is not there is `not_found`, and nothing is marked")
  func unknown() {
    stage.bot.notify("alice", text: "a")
    stage.bot.notify("alice", text: "b", expires: stage.hub.wall + 10)
    #expect(alice.mark(.read, 1, 3) == "refused not_found")
    stage.hub.wall += 10
    #expect(alice.mark(.read, 1, 2) == "refused not_found")
    #expect(alice.act(2) == "refused not_found")
    #expect(alice.discard(2) == "refused not_found")
    #expect(stage.states == [.unseen])
  }

  @Test("an `upto` above the inbox's position is `bad_request`")
  func ahead() {
    stage.bot.notify("alice")
    #expect(alice.mark(.read, upTo: 2) == "refused bad_request")
    #expect(alice.discard(upTo: 2) == "refused bad_request")
    #expect(alice.mark(.read, upTo: 1) == "marked 0/0 at 2")
    #expect(alice.mark(.seen, upTo: 0) == "marked 0/0 at 2")
  }

  @Test("what comes or grows behind the position stays as it is")
  func behind() {
    stage.bot.notify("alice", text: "a", collapse: "c")
    stage.bot.notify("alice", text: "b")
    stage.bot.notify("alice", text: "c", collapse: "c")
    #expect(alice.mark(.read, upTo: 2) == "marked 1/1 at 4")
    #expect(stage.all == "inbox 1:cx2 2:b,read 1/1 at 4")
  }

  @Test("with types only those are marked; a type that nobody knows is none")
  func types() {
    for type in ["like", "sale", "like"] { stage.bot.notify("alice", type: type) }
    #expect(alice.mark(.seen, upTo: 3, types: ["strange"]) == "marked 3/3 at 3")
    #expect(alice.mark(.seen, upTo: 3, types: ["like", "strange"]) == "marked 1/3 at 4")
    #expect(stage.states == [.seen, .unseen, .seen])
  }

  @Test("a mark leaves the position where it is")
  func position() {
    for text in ["a", "b"] { stage.bot.notify("alice", text: text) }
    alice.mark(.read, 1)
    #expect(stage.all == "inbox 2:b 1:a,read 1/1 at 3")
    #expect(alice.mark(.archived, upTo: 1) == "marked 1/1 at 4")
    #expect(alice.inbox() == "inbox 2:b 1/1 at 4")
  }

  @Test("counts are by type, of what is unread")
  func counts() throws {
    for type in ["like", "sale", "like", "news"] { stage.bot.notify("alice", type: type) }
    alice.mark(.seen, 1)
    alice.mark(.read, 2)
    alice.mark(.archived, 4)
    #expect(alice.counts() == "counts 1/2 at 7")
    #expect(Line.whole(try #require(alice.stand)) == "1/2 like=2 at 7")
    #expect(alice.counts(["sale", "news"]) == "counts 0/0 at 7")
    #expect(alice.counts(["like"]) == "counts 1/2 at 7")
  }
}
