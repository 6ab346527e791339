import HubProtocol
import Testing

@Suite("Protocol, Messages: reactions and flags")
struct ReactionTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .group, "bob")
    alice.subscribe("room:a")
    alice.send("room:a", "one")
    hub.clear()
  }

  @Test("subscribers hear of each with the count and the next `rev`; repeated it is no event")
  func told() {
    for on in [true, true, false, false] { #expect(bob.react("room:a", 1, on: on) == "ok") }
    alice.react("room:a", 1, "🎉")
    let lines = [
      "reaction room:a 1 bob 👍 on 1 rev 1", "reaction room:a 1 bob 👍 off 0 rev 2",
      "reaction room:a 1 alice 🎉 on 1 rev 3",
    ]
    #expect(alice.take("reaction") == lines)
  }

  @Test("each counts once for each person, in the order in which they first came")
  func counted() {
    bob.react("room:a", 1, "b")
    alice.react("room:a", 1, "a")
    alice.react("room:a", 1, "b")
    bob.history("room:a", .after(0))
    #expect(bob.messages.map { Line.of($0) } == ["1 alice one b2! a1"])
    alice.history("room:a", .after(0))
    #expect(alice.messages.map { Line.of($0) } == ["1 alice one b2! a1!"])
    bob.react("room:a", 1, "b", on: false)
    alice.react("room:a", 1, "a", on: false)
    bob.history("room:a", .after(0))
    #expect(bob.messages.map { Line.of($0) } == ["1 alice one b1"])
  }

  @Test("on one message there are at most 100 different ones, of any number of people")
  func limit() {
    for number in 0..<100 { #expect(bob.react("room:a", 1, "r\(number)") == "ok") }
    #expect(bob.react("room:a", 1, "another") == "refused too_large")
    #expect(alice.react("room:a", 1, "r99") == "ok")
    bob.react("room:a", 1, "r0", on: false)
    #expect(alice.react("room:a", 1, "another") == "ok")
  }

  @Test("a reaction is no activity, and nothing unread")
  func quiet() {
    alice.get("room:a")
    let updated = alice.summary?.updatedTs
    hub.pass(1_000)
    hub.clear()
    alice.react("room:a", 1)
    hub.pass(2_000)
    #expect(bob.lines.isEmpty)
    alice.get("room:a")
    #expect(alice.summary?.updatedTs == updated)
  }

  @Test("followers of a broadcast channel react")
  func broadcast() {
    alice.create("news", .broadcast, "bob")
    alice.send("news", "post")
    #expect(bob.react("news", 1) == "ok")
  }

  @Test("they come back after a restart, with who made them")
  func restart() throws {
    bob.react("room:a", 1, "b")
    alice.react("room:a", 1, "b")
    try hub.restart()
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    bob.react("room:a", 1, "b", on: false)
    bob.history("room:a", .after(0))
    #expect(bob.messages.map { Line.of($0) } == ["1 alice one b1"])
    alice.history("room:a", .after(0))
    #expect(alice.messages.map { Line.of($0) } == ["1 alice one b1!"])
  }

  @Test("a flag is for the moderators to read, the newest first, one for each person and message")
  func flags() {
    alice.send("room:a", "two")
    hub.clear()
    #expect(bob.flag("room:a", 2, reason: "rude") == "ok")
    #expect(bob.flag("room:a", 1) == "ok")
    #expect(bob.flag("room:a", 2, reason: "very rude") == "ok")
    #expect(alice.flag("room:a", 2) == "ok")
    #expect(alice.events.isEmpty)
    #expect(alice.flags("room:a") == "flags 2 by alice 2 by bob 1 by bob")
    guard case .flags(let flags) = alice.reply else { return }
    #expect(flags.map(\.reason) == [nil, "very rude", nil])
    #expect(flags.allSatisfy { $0.ts.milliseconds == hub.wall })
  }

  @Test("the flags of a deleted message go with it, and the newest 100 are kept")
  func flagLimit() {
    for number in 2...101 {
      alice.send("room:a", "m")
      bob.flag("room:a", number)
    }
    bob.flag("room:a", 1)
    alice.flags("room:a")
    guard case .flags(let flags) = alice.reply else { return }
    #expect(flags.map(\.seq) == [1] + Array((3...101).reversed()))
    alice.delete("room:a", 1)
    #expect(alice.flags("room:a").hasPrefix("flags 101 by bob"))
  }
}
