import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Subscribing and recovery: what was changed")
struct RecoveryTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client
  private let epoch: String

  init() throws {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .public, "bob")
    epoch = try #require(alice.summary).epoch
  }

  private func send(_ count: Int, _ text: String = "m") {
    for _ in 0..<count { alice.send("room:a", text) }
  }

  private func recover(_ seq: Int, rev: Int? = nil) -> String {
    bob.subscribe("room:a", since: Position(epoch: epoch, seq: seq, rev: rev))
  }

  @Test("with `rev` it brings what was edited, deleted or reacted to since, in its present state")
  func changed() {
    send(5)
    alice.edit("room:a", 2, "seen")
    alice.edit("room:a", 1, "edited")
    alice.delete("room:a", 3)
    bob.react("room:a", 4)
    alice.edit("room:a", 5, "new and edited")
    let changed = "changed [1 alice edited edited; 3 alice deleted; 4 alice m 👍1!]"
    #expect(recover(4, rev: 1) == "subscribed at 5 recovered: 5 \(changed)")
    #expect(recover(5, rev: 5) == "subscribed at 5 recovered: none changed []")
    #expect(recover(4) == "subscribed at 5 recovered: 5")
  }

  @Test("messages after the position come in their present state, and are not in `changed`")
  func present() {
    send(2)
    alice.edit("room:a", 2, "edited")
    #expect(recover(1, rev: 0) == "subscribed at 2 recovered: 2 changed []")
    #expect(bob.messages.map { Line.of($0) } == ["2 alice edited edited"])
  }

  @Test("a message changed several times comes once")
  func once() {
    send(1)
    for text in ["a", "b", "c"] { alice.edit("room:a", 1, text) }
    #expect(recover(1, rev: 1) == "subscribed at 1 recovered: none changed [1 alice c edited]")
  }

  @Test("1,000 messages and changes together are recovered, 1,001 are not")
  func count() {
    send(1_000)
    #expect(recover(0, rev: 0).hasPrefix("subscribed at 1000 recovered: 1...1000"))
    for seq in 1...400 { bob.react("room:a", seq) }
    #expect(recover(400, rev: 0).hasPrefix("subscribed at 1000 recovered: 401...1000"))
    #expect(recover(400, rev: 1).hasPrefix("subscribed at 1000 recovered: 401...1000"))
    alice.send("room:a", "m")
    let changes = (1...400).map { "\($0) alice m 👍1!" }.joined(separator: "; ")
    #expect(recover(401, rev: 0).hasSuffix("recovered: 402...1001 changed [\(changes)]"))
    #expect(recover(401, rev: 1).hasPrefix("subscribed at 1001 recovered: 402...1001"))
    bob.react("room:a", 401)
    #expect(recover(401, rev: 0) == "subscribed at 1001: none", "1,001 in all")
    #expect(recover(401, rev: 1).hasPrefix("subscribed at 1001 recovered: 402...1001"))
    #expect(recover(401).hasPrefix("subscribed at 1001 recovered: 402...1001"))
  }

  @Test("changed messages count for the 384 KiB as well")
  func bytes() {
    let big = String(repeating: "x", count: 32_000)
    send(15, big)
    #expect(recover(3, rev: 0) == "subscribed at 15 recovered: 4...15 changed []")
    bob.react("room:a", 1)
    #expect(recover(3, rev: 0) == "subscribed at 15: none")
    #expect(recover(4, rev: 0).hasPrefix("subscribed at 15 recovered: 5...15 changed [1 alice x"))
    #expect(recover(3, rev: 1) == "subscribed at 15 recovered: 4...15 changed []")
  }

  /// Twenty messages are changed and then left behind: the latest sixteen stay in memory.
  /// 516 messages are changed and leave the window; the latest 512 stay in memory for it.
  private func changeOld() {
    send(516)
    for seq in 1...516 { alice.edit("room:a", seq, "new") }
    send(1_000)
  }

  private func changed(_ seqs: ClosedRange<Int>) -> String {
    "changed [\(seqs.map { "\($0) alice new edited" }.joined(separator: "; "))]"
  }

  @Test("a change that left memory with its message is told of history")
  func evicted() {
    changeOld()
    #expect(recover(1_516, rev: 4) == "subscribed at 1516 recovered: none \(changed(5...516))")
    #expect(hub.questionCount == 0)
    #expect(recover(1_516, rev: 0) == "subscribed at 1516 recovered: none \(changed(1...516))")
    #expect(hub.questionCount == 1)
    #expect(hub.replayFlaws == [])
  }

  @Test("without history it is not told, and nothing is recovered")
  func evictedForEver() {
    hub.history = nil
    changeOld()
    #expect(recover(1_516, rev: 3) == "subscribed at 1516: none")
    #expect(recover(1_516, rev: 4) == "subscribed at 1516 recovered: none \(changed(5...516))")
    #expect(recover(1_516) == "subscribed at 1516 recovered: none")
  }

  @Test("what was forgotten stays forgotten after a restart")
  func restart() throws {
    hub.history = nil
    changeOld()
    try hub.restart()
    let later = hub.connect("bob")
    let since = { Position(epoch: epoch, seq: 1_516, rev: $0) }
    #expect(later.subscribe("room:a", since: since(3)) == "subscribed at 1516: none")
    #expect(
      later.subscribe("room:a", since: since(516))
        == "subscribed at 1516 recovered: none changed []")
  }

  @Test(
    "messages that all windows together let go are recovered of history, or not at all",
    arguments: [true, false])
  func memory(hasHistory: Bool) {
    let hub = HubDriver(windowMemory: 3_000, hasHistory: hasHistory)
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    for name in ["room:a", "room:b"] { alice.create(name, .public) }
    alice.get("room:a")
    let epoch = alice.summary?.epoch ?? ""
    alice.send("room:a", "m")
    alice.edit("room:a", 1, "changed")
    alice.send("room:a", "m")
    for _ in 0..<20 { alice.send("room:b", "m") }
    let since = { Position(epoch: epoch, seq: $0, rev: $1) }
    let changed = "changed [1 alice changed edited]"
    #expect(
      bob.subscribe("room:a", since: since(2, 0))
        == (hasHistory ? "subscribed at 2 recovered: none \(changed)" : "subscribed at 2: none"))
    #expect(
      bob.subscribe("room:a", since: since(0, 0))
        == (hasHistory ? "subscribed at 2 recovered: 1...2 changed []" : "subscribed at 2: none"))
    #expect(
      bob.subscribe("room:a", since: since(2, 1)) == "subscribed at 2 recovered: none changed []")
  }

  @Test("a history that cannot tell exactly is not made up for: nothing is recovered")
  func inexact() {
    changeOld()
    let answers: [HistoryAnswer] = [
      .nothingExact, .failed("damaged"), .missed(messages: [], changed: nil),
    ]
    hub.isAsking = true
    for answer in answers {
      bob.subscribe("room:a", since: Position(epoch: epoch, seq: 1_516, rev: 0))
      hub.answer(with: answer)
      #expect(bob.take("subscribed") == ["subscribed at 1516: none"], "\(answer)")
    }
  }

  @Test("without `since` the newest messages come, as many as are asked for, wherever they are")
  func newest() {
    let stage = Archive()
    stage.fill(6)
    #expect(stage.alice.subscribe(Archive.room, limit: 0) == "subscribed at 6: none")
    #expect(stage.alice.subscribe(Archive.room, limit: 1) == "subscribed at 6: 6")
    #expect(stage.alice.subscribe(Archive.room, limit: 4) == "subscribed at 6: 3...6")
    #expect(stage.alice.subscribe(Archive.room, limit: 300) == "subscribed at 6: 1...6")
  }

  @Test("the blocked person's changed messages are stubs")
  func hidden() {
    send(1)
    bob.block("alice")
    alice.edit("room:a", 1, "changed")
    #expect(recover(1, rev: 0) == "subscribed at 1 recovered: none changed [1 hidden]")
  }
}
