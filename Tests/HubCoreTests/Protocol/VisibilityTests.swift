import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: who may")
struct VisibilityTests {
  /// What is tried.
  enum Attempt: String, CaseIterable {
    case get, join, leave, subscribe, unsubscribe, send, history, typing, read, delivered, add
  }

  /// What a channel answers a stranger, as the protocol says it.
  static func expected(_ attempt: Attempt, of kind: ChannelKind) -> String {
    switch (attempt, kind) {
    case (.unsubscribe, _): "ok"
    case (_, .direct), (_, .group): "refused not_found"
    case (.get, _), (.join, _), (.leave, _), (.subscribe, _), (.history, _): "done"
    case (.send, _), (.typing, _), (.read, _), (.delivered, _), (.add, _): "refused not_member"
    }
  }

  private let hub = HubDriver()

  @Test(
    "a stranger is answered as the kind of channel says",
    arguments: ChannelKind.allCases, Attempt.allCases)
  func stranger(kind: ChannelKind, attempt: Attempt) throws {
    let name = try prepare(kind)
    let eve = hub.connect("eve")
    let line = perform(attempt, by: eve, in: name)
    let expected = Self.expected(attempt, of: kind)
    #expect(expected == "done" ? !line.hasPrefix("refused") : line == expected)
  }

  @Test(
    "to a stranger a hidden channel answers as one that is not there",
    arguments: Attempt.allCases)
  func hidden(attempt: Attempt) throws {
    let eve = hub.connect("eve")
    for kind in [ChannelKind.direct, .group] {
      let name = try prepare(kind)
      let nowhere = kind == .direct ? "dm:00000000000000000000000000000000" : "room:nowhere"
      #expect(perform(attempt, by: eve, in: name) == perform(attempt, by: eve, in: nowhere))
    }
  }

  @Test(
    "members get, subscribe, read history, read and type everywhere",
    arguments: ChannelKind.allCases,
    [Attempt.get, .subscribe, .history, .typing, .read, .delivered])
  func member(kind: ChannelKind, attempt: Attempt) throws {
    let name = try prepare(kind)
    let bob = hub.connect("bob")
    #expect(!perform(attempt, by: bob, in: name).hasPrefix("refused"))
  }

  @Test(
    "members post, followers of a broadcast channel only reply",
    arguments: ChannelKind.allCases)
  func posting(kind: ChannelKind) throws {
    let name = try prepare(kind)
    let bob = hub.connect("bob")
    #expect(bob.send(name, "mine") == (kind == .broadcast ? "refused forbidden" : "sent 2"))
    #expect(bob.send(name, "reply", replyTo: 1) == (kind == .broadcast ? "sent 2" : "sent 3"))
  }

  @Test("in direct channels join, leave and `member.add` are `forbidden`")
  func direct() throws {
    let name = try prepare(.direct)
    let bob = hub.connect("bob")
    for attempt in [Attempt.join, .leave, .add] {
      #expect(perform(attempt, by: bob, in: name) == "refused forbidden")
    }
  }

  @Test("only moderators add members", arguments: [ChannelKind.group, .public, .broadcast])
  func adding(kind: ChannelKind) throws {
    let name = try prepare(kind)
    _ = hub.connect("carol")
    #expect(hub.connect("bob").add(name, "carol") == "refused forbidden")
    #expect(hub.connect("alice").add(name, "carol") == "ok")
  }

  @Test("the whole channel is mentioned by moderators only")
  func mentionsChannel() throws {
    let name = try prepare(.group)
    #expect(hub.connect("bob").send(name, "all", everybody: true) == "refused forbidden")
    #expect(hub.connect("alice").send(name, "all", everybody: true) == "sent 2")
  }

  /// A channel of that kind with one message, of alice (its owner) and bob.
  private func prepare(_ kind: ChannelKind) throws -> String {
    let (alice, _) = (hub.connect("alice"), hub.connect("bob"))
    if kind == .direct { alice.openDirect("bob") } else { alice.create("room:a", kind, "bob") }
    let name = try #require(alice.summary).channel.text
    #expect(alice.send(name, "one") == "sent 1")
    return name
  }

  private func perform(_ attempt: Attempt, by client: Client, in name: String) -> String {
    switch attempt {
    case .get: client.get(name)
    case .join: client.join(name)
    case .leave: client.leave(name)
    case .subscribe: client.subscribe(name)
    case .unsubscribe: client.unsubscribe(name)
    case .send: client.send(name, "hello")
    case .history: client.history(name, .after(0))
    case .typing: client.type(name)
    case .read: client.read(name, 1)
    case .delivered: client.delivered(name, 1)
    case .add: client.add(name, "eve")
    }
  }
}
