import HubProtocol
import Testing

@Suite("Protocol, Inbox: what happens while a run is going on")
struct RunMeetingTests {
  @Test("`@channel` reaches all members but the sender", arguments: [300, 3_000])
  func everybody(count: Int) {
    let crowd = Crowd(count)
    #expect(crowd.first.send("room:a", "all", everybody: true) == "sent 1")
    #expect(crowd.first.send("room:a", "next") == "sent 2")
    crowd.hub.pass(50)
    #expect(crowd.holders(of: "all") == count - 1 && crowd.most(of: "all") == 1)
    crowd.first.edit("room:a", 1, "all", mentions: ["u7"])
    crowd.hub.pass(50)
    #expect(crowd.holders(of: "all") == 1)
    crowd.first.edit("room:a", 1, "more", mentions: [], everybody: true)
    crowd.hub.pass(50)
    #expect(crowd.holders(of: "more") == count - 2 && crowd.holders(of: "all") == 1)
    crowd.first.delete("room:a", 1)
    crowd.hub.pass(50)
    #expect(crowd.holders(of: "all") + crowd.holders(of: "more") == 0)
    #expect(crowd.hub.replayFlaws == [])
  }

  @Test("a message that is deleted while it is told leaves nothing", arguments: [0, 1])
  func deleted(parts: Int) {
    let crowd = Crowd(600)
    crowd.first.send("room:a", "all", everybody: true)
    crowd.hub.pass(parts)
    // So that the members stand otherwise than before.
    crowd.first.remove("room:a", "u2", "u3")
    crowd.first.delete("room:a", 1)
    crowd.hub.pass(50)
    let left = crowd.holders(of: "all")
    // Who left meanwhile keeps what they had.
    #expect(left <= 2, "\(left)")
    #expect(crowd.hub.replayFlaws == [])
  }

  @Test("so does a channel that is deleted meanwhile", arguments: [0, 1])
  func channelDeleted(parts: Int) {
    let crowd = Crowd(600)
    crowd.first.send("room:a", "all", everybody: true)
    crowd.hub.pass(parts)
    crowd.first.remove("room:a", "u2", "u3")
    crowd.first.delete("room:a")
    crowd.hub.pass(50)
    let left = crowd.holders(of: "all")
    #expect(left <= 2, "\(left)")
    #expect(crowd.hub.replayFlaws == [])
  }

  @Test("what is retracted while it is delivered is gone in the end")
  func retracted() {
    let crowd = Crowd(600)
    let other = crowd.hub.connect("shop", as: .bot)
    crowd.bot.notify(crowd.all, key: "k")
    other.retract(.users(crowd.names.reversed().map(user)), key: "k")
    crowd.hub.pass(50)
    #expect(crowd.bot.lines == ["notified 600"] && other.lines.last == "retracted 600")
    #expect(crowd.holders(of: "hi") == 0)
  }

  @Test("what is published again while it is retracted is there in the end")
  func publishedAgain() {
    let crowd = Crowd(600)
    let other = crowd.hub.connect("shop", as: .bot)
    crowd.bot.notify(crowd.all, key: "k")
    crowd.hub.pass(50)
    crowd.bot.retract(crowd.all, key: "k")
    other.notify(.users(crowd.names.reversed().map(user)), text: "again", key: "k")
    crowd.hub.pass(50)
    #expect(other.lines.last == "notified 600")
    #expect(crowd.holders(of: "again") == 600 && crowd.holders(of: "hi") == 0)
  }

  @Test("a small retraction that waits for a run does not hold up its connection")
  func smallRetraction() {
    let crowd = Crowd(600)
    let other = crowd.hub.connect("shop", as: .bot)
    crowd.bot.notify(crowd.all, key: "k")
    #expect(other.retract("u600", key: "k") == "pending")
    #expect(other.ask(.ping) == "pong")
    crowd.hub.pass(50)
    #expect(other.lines.last == "retracted 1")
    #expect(crowd.holders(of: "hi") == 599)
  }

  @Test("mentions that edits take out and put in while runs go on are as the last edit says")
  func edits() {
    let crowd = Crowd(600)
    crowd.first.send("room:a", "all", everybody: true)
    crowd.first.edit("room:a", 1, "all", mentions: ["u600"])
    crowd.first.edit("room:a", 1, "all", mentions: ["u600", "u599"])
    crowd.hub.pass(50)
    #expect(crowd.holders(of: "all") == 2)
    crowd.first.edit("room:a", 1, "all", mentions: [], everybody: true)
    crowd.first.edit("room:a", 1, "all", mentions: [])
    crowd.first.edit("room:a", 1, "all", mentions: [], everybody: true)
    crowd.hub.pass(50)
    #expect(crowd.holders(of: "all") == 599)
  }

  @Test("whoever blocks or mutes meanwhile gets nothing any more")
  func wishes() {
    let crowd = Crowd(600)
    let other = crowd.hub.connect("u599")
    crowd.bot.notify(crowd.all)
    crowd.last.block("shop")
    other.settings { $0.mutedTypes = ["like"] }
    crowd.hub.pass(50)
    #expect(crowd.bot.lines == ["notified 598"])
    #expect(crowd.last.counts() == "counts 0/0 at 0" && other.counts() == "counts 0/0 at 0")
  }

  @Test("who reads and deletes meanwhile keeps it so")
  func owners() {
    let crowd = Crowd(600)
    let other = crowd.hub.connect("shop", as: .bot)
    crowd.bot.notify(crowd.all, key: "k")
    crowd.first.discard(1)
    other.notify(crowd.all, key: "k")
    crowd.hub.pass(50)
    #expect(crowd.first.counts() == "counts 0/0 at 2")
    #expect(crowd.most(of: "hi") == 1)
  }

  @Test("two runs of different publishers are both done, the older one first")
  func two() {
    let crowd = Crowd(600)
    let other = crowd.hub.connect("blog", as: .bot)
    crowd.bot.notify(crowd.all, text: "a")
    other.notify(crowd.all, text: "b")
    crowd.hub.pass(2)
    #expect(crowd.bot.lines == ["notified 600"] && other.lines.last?.hasPrefix("hello") == true)
    crowd.hub.pass(2)
    #expect(other.lines.last == "notified 600")
    #expect(crowd.first.inbox() == "inbox 2:b 1:a 2/2 at 2")
    #expect(crowd.last.inbox() == "inbox 2:b 1:a 2/2 at 2")
  }
}
