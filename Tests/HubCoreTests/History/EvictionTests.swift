import HubCore
import HubProtocol
import HubStage
import Testing

@Suite("Architecture, Messages out of memory: which messages leave it")
struct EvictionTests {
  private static let big = String(repeating: "x", count: 4_000)

  /// Whether a room's messages up to that one are in memory.
  private func isKept(_ name: String, _ seq: Int, _ client: Client, _ hub: HubDriver) -> Bool {
    let before = hub.questionCount
    #expect(client.history(name, .around(seq), limit: 1).hasPrefix("history \(seq)"))
    return hub.questionCount == before
  }

  @Test("a channel that is not written to goes before one that is; the newest message stays")
  func cold() {
    let hub = HubDriver(windowMemory: 60_000)
    let alice = hub.connect("alice")
    for name in ["room:cold", "room:hot"] { alice.create(name, .group) }
    for _ in 0..<2 { alice.send("room:cold", Self.big) }
    for number in 1...30 {
      alice.send("room:hot", "new")
      alice.create("room:\(number)", .group)
      for _ in 0..<2 { alice.send("room:\(number)", Self.big) }
    }
    #expect(!isKept("room:cold", 1, alice, hub))
    #expect(isKept("room:cold", 2, alice, hub))
    #expect(isKept("room:hot", 30, alice, hub))
    #expect(isKept("room:30", 1, alice, hub))
    #expect(hub.replayFlaws == [])
  }

  @Test("nothing leaves memory that history does not have")
  func behind() {
    let hub = HubDriver(windowMemory: 10_000)
    hub.hub.historyHas(0)
    let alice = hub.connect("alice")
    alice.create("room:a", .group)
    for _ in 0..<20 { alice.send("room:a", Self.big) }
    #expect(isKept("room:a", 1, alice, hub))
    // Whoever found nothing looks again after a second, also when nobody says anything.
    hub.hub.historyHas(.max)
    hub.pass(1_001)
    alice.ask(.ping)
    #expect(!isKept("room:a", 19, alice, hub))
    #expect(isKept("room:a", 20, alice, hub))
  }

  @Test("of what history has only in part, what it has not stays")
  func partly() {
    let hub = HubDriver(windowMemory: 10_000)
    hub.hub.historyHas(0)
    let alice = hub.connect("alice")
    for name in ["room:a", "room:b"] {
      alice.create(name, .group)
      for _ in 0..<2 { alice.send(name, Self.big) }
      if name == "room:a" { hub.hub.historyHas(hub.tape.records.count) }
    }
    hub.pass(1_001)
    alice.ask(.ping)
    #expect(!isKept("room:a", 1, alice, hub))
    #expect(isKept("room:b", 1, alice, hub))
  }

  @Test("where nothing can be won no records are written for it", arguments: [0, 1, 3_000])
  func endless(memory: Int) {
    let hub = HubDriver(windowMemory: memory)
    let alice = hub.connect("alice")
    for number in 0..<5 { alice.create("room:\(number)", .group) }
    for number in 0..<400 { alice.send("room:\(number % 5)", Self.big) }
    // A founding, a user and the channels go before; each eviction frees one message at least.
    #expect(hub.tape.records.count <= 7 + 400 * 2)
    hub.pass(1_001)
    alice.ask(.ping)
    let count = hub.tape.records.count
    for _ in 0..<50 {
      alice.ask(.ping)
      hub.pass(1_000)
    }
    #expect(hub.tape.records.count == count)
    #expect(hub.replayFlaws == [])
  }

  @Test("memory is bounded whatever is loaded to be changed: the loaded leave it as well")
  func recalled() {
    let stage = Archive()
    stage.fill(60)
    for seq in 1...50 { stage.alice.react(Archive.room, seq) }
    for seq in 1...50 { stage.bob.edit(Archive.room, seq, "edited") }
    stage.forget()
    let lines = (1...50).map { stage.line($0) }
    #expect(lines == (1...50).map { "\($0) bob edited edited 👍1!" })
    #expect(stage.hub.replayFlaws == [])
  }

  @Test("a change that pushes its own message out of memory is told to history, whole")
  func pushedOut() {
    let hub = HubDriver()
    let clients = (0..<30).map { hub.connect("user-\($0)") }
    let alice = clients[0]
    alice.create("room:a", .public, members: (1..<30).map { "user-\($0)" })
    alice.send("room:a", "oldest")
    let text = String(repeating: "x", count: 32_000)
    for _ in 0..<40 where isKept("room:a", 1, alice, hub) {
      alice.send("room:a", text)
      if !isKept("room:a", 1, alice, hub) { break }
      for client in clients { client.react("room:a", 1, "👍") }
      for client in clients { client.react("room:a", 1, "👍", on: false) }
    }
    // The window is full now: the oldest is the second message, which grows by whatever is done.
    let oldest = 2
    for client in clients { client.react("room:a", oldest, "👍") }
    #expect(alice.edit("room:a", oldest, text: .set("y" + text), data: .set(json("[1]"))) == "ok")
    alice.history("room:a", .around(oldest), limit: 1)
    #expect(alice.messages.first?.message.reactions.first?.count == 30)
    #expect(alice.messages.first?.message.content.data == json("[1]"))
    #expect(hub.replayFlaws == [])
  }
}
