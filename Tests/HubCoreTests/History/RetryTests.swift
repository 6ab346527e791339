import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Messages: keys of sends that are repeated")
struct RetryTests {
  private static let room = Archive.room
  private let stage = Archive()

  @Test("with `retry` the hub looks for the key through all of history; without, for a day")
  func old() {
    let bob = stage.bob
    #expect(bob.send(Self.room, "m", key: "k", isRetry: true) == "sent 1")
    stage.hub.pass(KeyTable.lifetimeMilliseconds)
    stage.fill(2)
    let before = bob.send(Self.room, "m", key: "k", isRetry: true)
    #expect(before == "sent 1 again")
    #expect(bob.send(Self.room, "m", key: "k") == "sent 4")
    #expect(stage.hub.replayFlaws == [])
  }

  @Test("a key belongs to its sender and channel, and outlives its message's deletion")
  func whose() {
    let (alice, bob) = (stage.alice, stage.bob)
    alice.create("room:b", .public, "bob")
    bob.send(Self.room, "m", key: "k")
    bob.delete(Self.room, 1)
    stage.fill(1)
    stage.hub.pass(KeyTable.lifetimeMilliseconds)
    #expect(bob.send("room:b", "m", key: "k", isRetry: true) == "sent 1")
    #expect(alice.send(Self.room, "m", key: "k", isRetry: true) == "sent 3")
    #expect(bob.send(Self.room, "m", key: "k", isRetry: true) == "sent 1 again")
  }

  @Test("a key that the hub still remembers is not looked for in history")
  func remembered() {
    stage.bob.send(Self.room, "m", key: "k")
    #expect(stage.bob.send(Self.room, "m", key: "k", isRetry: true) == "sent 1 again")
    #expect(stage.hub.questionCount == 0)
  }

  @Test("of two repetitions on the way, one is sent")
  func race() {
    let (one, other) = (stage.bob, stage.hub.connect("bob"))
    stage.hub.isAsking = true
    one.send(Self.room, "m", key: "k", isRetry: true)
    other.send(Self.room, "m", key: "k", isRetry: true)
    stage.hub.isAsking = false
    stage.hub.answer()
    #expect(one.take("sent") + other.take("sent") == ["sent 1", "sent 1 again"])
  }
}
