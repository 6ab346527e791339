import HubProtocol
import Testing

@Suite("Protocol, Inbox: a large audience is worked off in parts")
struct NotifyRunTests {
  private let crowd: Crowd
  private var hub: HubDriver { crowd.hub }
  private var bot: Client { crowd.bot }

  init() { crowd = Crowd(1_000) }

  @Test("others go on between the parts, and the answer comes last")
  func interleaved() {
    #expect(bot.notify(crowd.all, key: "k") == "pending")
    #expect(crowd.holders(of: "hi") == 256)
    #expect(crowd.first.send("room:a", "between") == "sent 1")
    hub.pass(1)
    #expect(crowd.holders(of: "hi") == 512)
    #expect(crowd.first.send("room:a", "again") == "sent 2")
    hub.pass(1)
    #expect(bot.lines.isEmpty)
    hub.pass(1)
    #expect(bot.lines == ["notified 1000"])
    #expect(crowd.holders(of: "hi") == 1_000)
    #expect(hub.replayFlaws == [])
  }

  @Test("what comes behind it on its connection waits, in order")
  func waits() {
    let other = hub.connect("shop", as: .bot)
    bot.notify(crowd.all)
    #expect(bot.ask(.ping) == "pending" && other.ask(.ping) == "pong")
    #expect(bot.notify("u1", text: "two") == "pending")
    hub.pass(5)
    #expect(bot.lines == ["notified 1000", "pong", "notified 1"])
  }

  @Test("a run by channel or segment is done so, too")
  func audiences() {
    for audience in [Notify.Audience.channel(channel("room:a")), crowd.segment] {
      hub.clear()
      #expect(bot.notify(audience, text: "x", key: "\(audience)") == "pending")
      hub.pass(20)
      #expect(bot.lines == ["notified 1000"])
      #expect(bot.retract(audience, key: "\(audience)") == "pending")
      hub.pass(20)
      #expect(bot.lines.last == "retracted 1000")
    }
    #expect(crowd.holders(of: "x") == 0)
  }

  @Test("repeated with its key nobody gets it twice, also while it goes on")
  func repeated() {
    let other = hub.connect("shop", as: .bot)
    bot.notify(crowd.all, key: "k")
    other.notify(crowd.all, key: "k")
    hub.pass(20)
    #expect(bot.lines == ["notified 256"] || bot.lines == ["notified 1000"])
    #expect(crowd.holders(of: "hi") == 1_000 && crowd.most(of: "hi") == 1)
  }

  @Test("the connection may close in the middle; the run is done to its end")
  func closed() {
    bot.notify(crowd.all)
    bot.ask(.ping)
    bot.close()
    hub.pass(20)
    #expect(crowd.holders(of: "hi") == 1_000)
    #expect(hub.strayDeliveries == [] && hub.replayFlaws == [])
  }

  @Test("the user may be disconnected in the middle")
  func disconnected() {
    bot.notify(crowd.all)
    hub.connect("root", as: .admin).disconnect("shop")
    hub.pass(20)
    #expect(bot.lines == ["closed 4503"])
    #expect(crowd.holders(of: "hi") == 1_000 && hub.strayDeliveries == [])
  }

  @Test("while nothing can be written it stands still, and then goes on")
  func full() {
    bot.notify(crowd.all)
    hub.refuseWriting(Refusal(.storageFull, "full"))
    hub.pass(50)
    #expect(crowd.holders(of: "hi") <= 512 && bot.lines.isEmpty)
    hub.refuseWriting(nil)
    hub.run()
    hub.pass(50)
    #expect(bot.lines == ["notified 1000"] && crowd.holders(of: "hi") == 1_000)
  }

  @Test("while nothing can be written a new one is refused, and what is behind goes on")
  func refused() {
    hub.refuseWriting(Refusal(.storageFull, "full"))
    #expect(bot.notify(crowd.all) == "refused storage_full")
    #expect(bot.ask(.ping) == "pong")
  }

  @Test("when the log takes nothing more, whoever waits is told")
  func givenUp() {
    bot.notify(crowd.all)
    hub.isHolding = true
    hub.pass(1)
    bot.ask(.ping)
    hub.giveUpWriting(Refusal(.unavailable, "broken"))
    #expect(bot.lines == ["refused unavailable", "pong"])
    #expect(crowd.holders(of: "hi") == 256)
    #expect(hub.replayFlaws == [])
  }

  @Test("one that was not durable when the log broke is refused, and did not happen")
  func unlogged() {
    hub.isHolding = true
    bot.notify(crowd.all)
    hub.giveUpWriting(Refusal(.unavailable, "broken"))
    #expect(bot.lines == ["refused unavailable"])
    #expect(bot.ask(.ping) == "pong" && crowd.holders(of: "hi") == 0)
  }

  @Test("a hub that starts again in the middle goes on with it", arguments: [0, 1, 2])
  func restart(parts: Int) throws {
    bot.notify(crowd.all, key: "k")
    hub.pass(parts)
    try hub.restart()
    hub.pass(20)
    let again = hub.connect("shop", as: .bot)
    #expect(again.notify(crowd.all, text: "twice", key: "k") == "pending")
    hub.pass(20)
    #expect(again.lines.last == "notified 0")
    #expect(crowd.holders(of: "hi") == 1_000 && hub.replayFlaws == [])
  }

  @Test("above 10,000 members a channel's are those of the moment of each part")
  func members() {
    let crowd = Crowd(10_002)
    let room = Notify.Audience.channel(channel("room:a"))
    #expect(crowd.bot.notify(room, text: "a", key: "k") == "pending")
    crowd.last.leave("room:a")
    crowd.hub.pass(100)
    #expect(crowd.bot.lines == ["notified 10001"])
    #expect(crowd.last.counts() == "counts 0/0 at 0")
    #expect(crowd.first.inbox() == "inbox 1:a 1/1 at 1")
    crowd.first.send("room:a", "all", everybody: true)
    crowd.last.join("room:a")
    crowd.hub.pass(100)
    #expect(crowd.last.inbox() == "inbox 1:all 1/1 at 1")
    crowd.first.delete("room:a")
    crowd.hub.pass(100)
    #expect(crowd.last.inbox() == "inbox  0/0 at 2")
    #expect(crowd.first.inbox() == "inbox 1:a 1/1 at 1")
  }
}
