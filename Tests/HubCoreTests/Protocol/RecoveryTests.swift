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
    #expect(recover(401, rev: 0) == "subscribed at 1001: none", "message 1 is forgotten")
    #expect(recover(401, rev: 1).hasPrefix("subscribed at 1001 recovered: 402...1001"))
    bob.react("room:a", 401)
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

  @Test("a change that left memory with its message is not told: nothing is recovered")
  func evicted() {
    send(1)
    alice.edit("room:a", 1, "changed")
    send(999)
    alice.edit("room:a", 500, "changed")
    #expect(recover(1_000, rev: 0).hasPrefix("subscribed at 1000 recovered: none changed [1 "))
    send(1)
    #expect(recover(1_001, rev: 0) == "subscribed at 1001: none")
    #expect(recover(1_001, rev: 1).hasPrefix("subscribed at 1001 recovered: none changed [500 "))
    #expect(recover(1_001) == "subscribed at 1001 recovered: none")
  }

  @Test("what was forgotten stays forgotten after a restart")
  func restart() throws {
    send(1)
    alice.edit("room:a", 1, "changed")
    send(1_000)
    try hub.restart()
    let later = hub.connect("bob")
    let since = { Position(epoch: epoch, seq: 1_001, rev: $0) }
    #expect(later.subscribe("room:a", since: since(0)) == "subscribed at 1001: none")
    #expect(
      later.subscribe("room:a", since: since(1)) == "subscribed at 1001 recovered: none changed []")
  }

  @Test("messages that all windows together let go are not recovered, nor changes of them")
  func memory() {
    let hub = HubDriver(windowMemory: 3_000)
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    for name in ["room:a", "room:b"] { alice.create(name, .public) }
    alice.get("room:a")
    let epoch = alice.summary?.epoch ?? ""
    alice.send("room:a", "m")
    alice.edit("room:a", 1, "changed")
    for _ in 0..<20 { alice.send("room:b", "m") }
    let since = { Position(epoch: epoch, seq: 1, rev: $0) }
    #expect(bob.subscribe("room:a", since: since(0)) == "subscribed at 1: none")
    #expect(
      bob.subscribe("room:a", since: since(1)) == "subscribed at 1 recovered: none changed []")
  }

  @Test("the blocked person's changed messages are stubs")
  func hidden() {
    send(1)
    bob.block("alice")
    alice.edit("room:a", 1, "changed")
    #expect(recover(1, rev: 0) == "subscribed at 1 recovered: none changed [1 hidden]")
  }
}
