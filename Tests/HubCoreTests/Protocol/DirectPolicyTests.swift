import HubProtocol
import Testing

@Suite("Protocol, Users: `dm_policy`")
struct DirectPolicyTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
  }

  /// What happens when bob approaches alice in each way; the direct channel is there.
  private func approaches(_ direct: String) -> [String] {
    bob.create("room:b", .public)
    let lines = [
      bob.openDirect("alice"), bob.send(direct, "m"), bob.add("room:b", "alice"),
      bob.create("room:c", .public, "alice"),
    ]
    if let owned = lines.last, !owned.hasPrefix("refused") { bob.delete("room:c") }
    bob.delete("room:b")
    return lines.map { $0.hasPrefix("refused") ? $0 : "ok" }
  }

  private func directChannel() -> String {
    bob.openDirect("alice")
    return bob.summary?.channel.text ?? ""
  }

  @Test("everybody may write to who says nothing; nobody to who says so")
  func everyoneAndNobody() {
    let direct = directChannel()
    #expect(approaches(direct) == ["ok", "ok", "ok", "ok"])
    alice.settings { $0.directPolicy = .nobody }
    #expect(approaches(direct) == Array(repeating: "refused forbidden", count: 4))
    #expect(bob.history(direct, .after(0)) == "history 1")
  }

  @Test("strangers may not write to who takes messages of contacts only")
  func strangers() {
    let direct = directChannel()
    alice.settings { $0.directPolicy = .contacts }
    bob.send(direct, "m")
    #expect(approaches(direct) == Array(repeating: "refused forbidden", count: 4))
  }

  @Test("contacts are those whom one follows")
  func followed() {
    let direct = directChannel()
    alice.settings { $0.directPolicy = .contacts }
    bob.create("feed:bob", .broadcast)
    alice.join("feed:bob")
    #expect(approaches(direct) == ["ok", "ok", "ok", "ok"])
    alice.leave("feed:bob")
    #expect(approaches(direct).first == "refused forbidden")
  }

  @Test("to follow somebody does not make one their contact")
  func following() {
    let direct = directChannel()
    alice.settings { $0.directPolicy = .contacts }
    alice.create("feed:alice", .broadcast)
    bob.join("feed:alice")
    #expect(approaches(direct).first == "refused forbidden")
  }

  @Test("contacts are those with whom one shares a group, but not an open channel")
  func group() {
    let direct = directChannel()
    alice.settings { $0.directPolicy = .contacts }
    alice.create("room:p", .public)
    bob.join("room:p")
    #expect(approaches(direct).first == "refused forbidden")
    alice.create("room:g", .group, "bob")
    #expect(approaches(direct) == ["ok", "ok", "ok", "ok"])
  }

  @Test("a group of more than 100 makes no contacts")
  func largeGroup() {
    let direct = directChannel()
    alice.settings { $0.directPolicy = .contacts }
    for person in hub.connect(99, "m") { person.close() }
    alice.create("room:g", .group, "bob")
    alice.add("room:g", (1...98).map { "m\($0)" })
    #expect(approaches(direct).first == "ok")
    alice.add("room:g", "m99")
    #expect(approaches(direct).first == "refused forbidden")
  }

  @Test("contacts are those to whom one has written directly, also after a restart")
  func written() throws {
    let direct = directChannel()
    alice.send(direct, "hello bob")
    alice.settings { $0.directPolicy = .contacts }
    #expect(approaches(direct) == ["ok", "ok", "ok", "ok"])
    try hub.restart()
    let bob = hub.connect("bob")
    #expect(bob.send(direct, "m").hasPrefix("sent"))
  }

  @Test("one's own policy does not keep one from writing; a refusal tells nobody anything")
  func own() {
    let direct = directChannel()
    alice.settings { $0.directPolicy = .nobody }
    #expect(alice.send(direct, "m") == "sent 1")
    hub.clear()
    bob.send(direct, "m")
    hub.pass(2_000)
    #expect(alice.lines.isEmpty && bob.events.isEmpty)
  }
}
