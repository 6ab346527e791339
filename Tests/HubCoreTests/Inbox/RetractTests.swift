import HubProtocol
import Testing

@Suite("Protocol, Inbox: `notify.retract`, and items that stand for several")
struct RetractTests {
  private let stage = InboxStage()
  private var bot: Client { stage.bot }
  private var alice: Client { stage.alice }

  @Test("bots and admins take back what they published, and nobody else")
  func who() {
    bot.notify("alice", key: "k")
    #expect(alice.retract("alice", key: "k") == "refused forbidden")
    #expect(stage.root.retract("alice", key: "k") == "retracted 0")
    #expect(bot.retract("alice", "nobody", key: "k") == "retracted 1 unknown nobody")
    #expect(bot.retract("alice", key: "k") == "retracted 0")
  }

  @Test("an item goes, read or not, and its key is new again", arguments: InboxState.allCases)
  func alone(state: InboxState) {
    bot.notify("alice", key: "k")
    alice.mark(state, 1)
    stage.hub.clear()
    #expect(bot.retract("alice", key: "k") == "retracted 1")
    #expect(stage.tablet.lines.map { $0.prefix(17) } == ["inbox.removed [1]"])
    #expect(bot.notify("alice", key: "k") == "notified 1")
  }

  @Test("one that stands for more shrinks, and says what the newest that is left says")
  func shrinks() throws {
    for (text, actor) in [("a", "bob"), ("b", "cy"), ("c", "bob")] {
      bot.notify("alice", text: text, actor: actor, key: text, collapse: "w")
      stage.hub.pass(10)
    }
    alice.mark(.read, 1)
    bot.notify("alice", text: "between")
    stage.hub.clear()
    #expect(bot.retract("alice", key: "c") == "retracted 1")
    #expect(alice.take() == ["inbox.updated 1:bx2,read 1/1 at 6"])
    #expect(stage.all == "inbox 5:between 1:bx2,read 1/1 at 6")
    let item = try #require(alice.items.last)
    #expect(item.actors == [user("cy"), user("bob")] && item.notification.actor == user("cy"))
    stage.hub.clear()
    #expect(bot.retract("alice", key: "a") == "retracted 1")
    #expect(alice.take() == ["inbox.updated 1:b,read 1/1 at 7"])
    #expect(bot.retract("alice", key: "b") == "retracted 1")
    let event = try #require(alice.inboxEvents.first?.event)
    #expect(Line.whole(event).hasPrefix("removed [1] 1:b,read like by shop [cy] cy"))
  }

  @Test("actors are told once each, the newest first, at most 100")
  func actors() throws {
    for number in 0..<105 {
      bot.notify("alice", actor: "u\(number)", key: "k\(number)", collapse: "w")
    }
    bot.notify("alice", actor: "u50", collapse: "w")
    var actors = try #require(stage.newest).actors.map(\.text)
    #expect(actors.count == 100 && actors.prefix(3) == ["u50", "u104", "u103"])
    #expect(actors.last == "u5")
    for number in 60..<105 { bot.retract("alice", key: "k\(number)") }
    actors = try #require(stage.newest).actors.map(\.text)
    #expect(actors.count == 60 && actors.prefix(3) == ["u50", "u59", "u58"])
    #expect(stage.newest?.count == 61)
  }

  @Test("an archived item does not grow; another one begins")
  func archived() {
    bot.notify("alice", text: "a", collapse: "w")
    alice.mark(.archived, 1)
    bot.notify("alice", text: "b", collapse: "w")
    bot.notify("alice", text: "c", collapse: "w")
    #expect(stage.all == "inbox 3:cx2 1:a,archived 1/1 at 4")
    alice.mark(.read, 1)
    bot.notify("alice", text: "d", collapse: "w")
    #expect(stage.all == "inbox 3:dx3 1:a,read 1/1 at 6")
  }

  @Test("an item has the type and the expiry of the newest")
  func newest() throws {
    bot.notify("alice", text: "a", type: "like", key: "a", collapse: "w")
    bot.notify(
      "alice", text: "b", type: "sale", key: "b", collapse: "w", expires: stage.hub.wall + 100)
    #expect(Line.whole(try #require(alice.stand)) == "1/1 sale=1 at 2")
    bot.retract("alice", key: "b")
    #expect(Line.whole(try #require(alice.stand)) == "1/1 like=1 at 3")
    stage.hub.pass(200)
    #expect(stage.all == "inbox 1:a 1/1 at 3")
  }

  @Test("the newest 1,000 of an item can be taken back; older ones only count")
  func bound() throws {
    for number in 0..<1_002 {
      bot.notify("alice", text: "n\(number)", key: "k\(number)", collapse: "w")
    }
    #expect(stage.newest?.count == 1_002)
    #expect(bot.retract("alice", key: "k1") == "retracted 0")
    #expect(bot.retract("alice", key: "k2") == "retracted 1")
    #expect(bot.notify("alice", key: "k500") == "notified 0")
    #expect(stage.newest?.count == 1_001)
    for number in stride(from: 1_001, to: 3, by: -1) { bot.retract("alice", key: "k\(number)") }
    #expect(stage.newest.map { Line.of($0) } == "1:n3x3")
    #expect(stage.hub.replayFlaws == [])
  }

  @Test("`to` with a channel or a segment takes back there")
  func audiences() {
    stage.root.put(UserPut(id: user("alice"), update: .init(custom: .set(json(#"{"p":1}"#)))))
    bot.create("room:a", .public, "alice")
    let segment = Segment(fields: [Segment.Field(name: "p", value: .number("1.0"))])
    for audience in [Notify.Audience.channel(channel("room:a")), .segment(segment)] {
      #expect(bot.notify(audience, actor: "shop", key: "k") == "notified 1")
      #expect(bot.retract(audience, key: "k") == "retracted 1")
      #expect(alice.counts().hasPrefix("counts 0/0"))
    }
  }
}
