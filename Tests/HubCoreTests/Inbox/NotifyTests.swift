import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Inbox: `notify`")
struct NotifyTests {
  private let stage = InboxStage()
  private var bot: Client { stage.bot }
  private var alice: Client { stage.alice }
  private var hub: HubDriver { stage.hub }

  @Test("nothing is made for the actor, and nothing is counted")
  func actor() {
    #expect(bot.notify("alice", "root", actor: "alice") == "notified 1")
    #expect(alice.counts() == "counts 0/0 at 0")
  }

  @Test("nothing is made for those who muted the type, the actor, the publisher or the channel")
  func muted() {
    bot.create("room:a", .public, "alice")
    let room = Notify.Audience.channel(channel("room:a"))
    alice.settings { $0.mutedTypes = ["like"] }
    #expect(bot.notify("alice", type: "like") == "notified 0")
    #expect(bot.notify("alice", type: "Like") == "notified 1")
    alice.settings {
      $0.mutedTypes = []
      $0.mutedUsers = [user("bob"), user("root")]
    }
    #expect(bot.notify("alice", actor: "bob") == "notified 0")
    #expect(stage.root.notify("alice") == "notified 0")
    #expect(bot.notify("alice", actor: "cy") == "notified 1")
    alice.settings { $0.mutedUsers = [] }
    alice.mute("room:a", until: hub.wall + 100)
    #expect(bot.notify(room, actor: "shop") == "notified 0")
    #expect(bot.notify("alice", actor: "shop") == "notified 1")
    hub.pass(100)
    #expect(bot.notify(room, actor: "shop") == "notified 1")
    alice.settings { $0.mutedChannels = [channel("room:a")] }
    #expect(bot.notify(room, actor: "shop") == "notified 0")
  }

  @Test("nothing is made where a block stands between recipient and actor, or publisher")
  func blocked() {
    let bob = hub.connect("bob")
    for (blocker, other) in [(alice, "bob"), (bob, "alice")] {
      blocker.block(other)
      #expect(bot.notify("alice", actor: "bob") == "notified 0")
      #expect(bot.notify("alice", actor: "cy") == "notified 1")
      blocker.unblock(other)
      #expect(bot.notify("alice", actor: "bob") == "notified 1")
    }
    for (blocker, other) in [(alice, "shop"), (bot, "alice")] {
      blocker.block(other)
      #expect(bot.notify("alice") == "notified 0")
      blocker.unblock(other)
    }
    #expect(bot.notify("alice") == "notified 1")
  }

  @Test("an expiry that has passed is `bad_request`")
  func passed() {
    #expect(bot.notify("alice", expires: hub.wall) == "refused bad_request")
    #expect(bot.notify("alice", expires: hub.wall + 1) == "notified 1")
  }

  @Test("what expires is told at that moment, and other items at theirs")
  func expiry() {
    for after in [300, 100, 200] {
      bot.notify("alice", text: "\(after)", expires: hub.wall + after)
    }
    bot.notify("alice", text: "100 too", expires: hub.wall + 100)
    alice.discard(3)
    hub.clear()
    hub.pass(99)
    #expect(stage.tablet.take().isEmpty)
    hub.pass(1)
    #expect(stage.tablet.take() == ["inbox.removed [2, 4] 1/1 at 6"])
    hub.pass(199)
    #expect(stage.tablet.take().isEmpty)
    hub.pass(1)
    #expect(stage.tablet.take() == ["inbox.removed [1] 0/0 at 7"])
    #expect(hub.nextDeadline == nil)
  }

  @Test("an expiry far away is not looked for again and again")
  func farExpiry() {
    bot.notify("alice", expires: hub.wall + 1_000)
    bot.notify("alice", expires: hub.wall + 86_400_000)
    alice.discard(1)
    hub.pass(1_000)
    #expect(hub.nextDeadline.map { $0 - hub.uptime } == 86_400_000 - 1_000)
  }

  @Test("nothing expires while nothing can be written, and then it does")
  func expiryWhenFull() {
    bot.notify("alice", expires: hub.wall + 1_000)
    hub.refuseWriting(Refusal(.storageFull, "full"))
    hub.clear()
    hub.pass(5_000)
    #expect(stage.tablet.lines.isEmpty)
    #expect(alice.counts() == "counts 0/0 at 1")
    hub.refuseWriting(nil)
    hub.pass(1_000)
    #expect(stage.tablet.lines == ["inbox.removed [1] 0/0 at 2"])
  }

  @Test("whoever comes when something has expired meanwhile is told so")
  func expiredBefore() {
    let dora = hub.connect("dora")
    bot.notify("dora", expires: hub.wall + 15_000)
    dora.close()
    hub.pass(20_000)
    let back = hub.connect("dora")
    #expect(back.counts() == "counts 0/0 at 1")
    hub.pass(0)
    #expect(back.lines.last == "inbox.removed [1] 0/0 at 2")
  }

  @Test("a segment is all users of whose `custom` every member named has that value, or holds it")
  func segments() {
    let customs = [
      "u1": #"{"plan":"gold","tags":["beta","x"],"age":20}"#, "u2": #"{"plan":"gold","age":2e1}"#,
      "u3": #"{"plan":["silver","gold"],"on":true}"#, "u4": #"["gold"]"#, "u5": #"{"Plan":"gold"}"#,
    ]
    for (id, custom) in customs.sorted(by: { $0.key < $1.key }) {
      stage.root.put(UserPut(id: user(id), update: .init(custom: .set(json(custom)))))
    }
    func count(_ fields: (String, Segment.Value)...) -> String {
      bot.notify(
        .segment(Segment(fields: fields.map { Segment.Field(name: $0.0, value: $0.1) })))
    }
    #expect(count(("plan", .string("gold"))) == "notified 3")
    #expect(count(("plan", .string("gold")), ("tags", .string("beta"))) == "notified 1")
    #expect(count(("age", .number("20.0"))) == "notified 2")
    #expect(count(("age", .string("20"))) == "notified 0")
    #expect(count(("on", .bool(true))) == "notified 1")
    #expect(count(("on", .bool(false))) == "notified 0")
    stage.root.put(UserPut(id: user("u1"), update: .init(custom: .clear)))
    #expect(count(("plan", .string("gold"))) == "notified 2")
  }

  @Test("after 10,000 types a new one is `too_large`; those that are there go on")
  func types() {
    // The hub's own four are among them.
    for number in 4..<10_000 {
      let line = bot.notify("alice", type: "t\(number)")
      if line != "notified 1" { Issue.record("\(number): \(line)") }
    }
    #expect(bot.notify("alice", type: "one more") == "refused too_large")
    #expect(bot.notify("alice", type: "t9999") == "notified 1")
    #expect(bot.notify("alice", type: "follow") == "notified 1")
    #expect(alice.counts(["one more"]) == "counts 0/0 at 9998")
    #expect(hub.replayFlaws == [])
  }

  @Test("a type is its bytes: canonically equivalent ones are two")
  func typeBytes() throws {
    bot.notify("alice", type: "\u{e9}")
    bot.notify("alice", type: "e\u{301}")
    #expect(try #require(alice.stand).counts.byType.map(\.unread) == [1, 1])
  }

  @Test("what nobody may hear of a channel is `not_found` for bots, not for admins")
  func channels() {
    alice.create("room:g", .group)
    let room = Notify.Audience.channel(channel("room:g"))
    #expect(bot.notify(room) == "refused not_found")
    #expect(bot.retract(room, key: "k") == "refused not_found")
    #expect(stage.root.notify(room) == "notified 1")
    #expect(stage.root.notify(.channel(channel("room:h"))) == "refused not_found")
  }
}
