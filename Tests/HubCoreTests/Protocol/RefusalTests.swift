import HubProtocol
import Testing

@Suite("Protocol, Envelope: a refused request changes nothing")
struct RefusalTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client
  private let eve: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    eve = hub.connect("eve")
    alice.create("room:g", .group, "bob")
    alice.create("news", .broadcast, "bob")
    alice.send("room:g", "one")
    alice.send("news", "one")
    for client in [alice, bob] { client.subscribe("room:g") }
  }

  @Test("nothing that anybody can see differs afterwards, and nobody is told anything")
  func nothingObservable() {
    hub.pass(2_000)
    let before = observe()
    hub.clear()
    let refused = attempts()
    #expect(refused.allSatisfy { $0.hasPrefix("refused") }, "\(refused)")
    hub.pass(10_000)
    for client in [alice, bob, eve] { #expect(client.events.isEmpty) }
    #expect(observe() == before)
  }

  private func attempts() -> [String] {
    [
      alice.create("room:g", .public), alice.create("room:x", .group, "nobody"),
      bob.create("room:g", .group, "eve"), eve.join("room:g"), eve.leave("room:g"),
      eve.send("room:g", "m", key: "k"), eve.read("room:g", 1), eve.type("room:g"),
      eve.subscribe("room:g"), eve.history("room:g", .after(0)), eve.add("room:g", "eve"),
      bob.add("room:g", "eve"), bob.add("news", "eve"), alice.add("room:g", "eve", "nobody"),
      bob.send("news", "m", key: "k"), bob.send("room:g", "m", key: "k", replyTo: 2),
      bob.send("room:g", "m", key: "k", mentions: ["nobody"]),
      bob.send("room:g", "m", key: "k", everybody: true), bob.send("room:g", "m", hops: 9),
      bob.read("room:g", 2), bob.delivered("room:g", 2), eve.type("news"),
      eve.openDirect("nobody"), eve.openDirect("eve"), alice.notify("bob", key: "k"),
    ]
  }

  /// What each of them sees of everything.
  private func observe() -> [String] {
    var seen: [String] = []
    for client in [alice, bob, eve] {
      seen += [
        client.get("room:g"), client.get("news"), client.get("room:x"), client.list(.joined),
        client.list(.joinable), client.history("room:g", .after(0)),
        client.history("news", .after(0)), client.inbox(),
      ]
    }
    return seen
  }
}
