import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Session: tokens and operators")
struct OperatorTests {
  private let hub = HubDriver()
  private let alice: Client
  private let root: Client

  init() {
    alice = hub.connect("alice")
    root = hub.connect("root", as: .admin)
  }

  @Test("a new token must be the same user's; a bad one is refused and the connection stays")
  func refresh() {
    #expect(alice.refresh("alice") == "ok")
    #expect(alice.refresh("bob") == "refused unauthenticated")
    #expect(alice.refresh("alice", as: .bot) == "refused unauthenticated")
    #expect(alice.refresh(.failure(Refusal(.unauthenticated, "no"))) == "refused unauthenticated")
    #expect(alice.ask(.ping) == "pong")
  }

  @Test("before `hello` there is no token to refresh; behind one it waits its turn")
  func refreshEarly() {
    let client = hub.open()
    #expect(client.refresh("carol") == "refused unauthenticated")
    hub.isHolding = true
    client.hello("carol")
    client.refresh("carol")
    client.refresh("alice")
    hub.release()
    #expect(client.take().suffix(3) == ["hello carol", "ok", "refused unauthenticated"])
  }

  @Test("`user.disconnect` closes all of a user's connections; they may come back")
  func disconnect() {
    let elsewhere = hub.connect("alice")
    hub.clear()
    #expect(root.disconnect("alice") == "ok")
    #expect(alice.lines == ["closed 4503"] && elsewhere.lines == ["closed 4503"])
    #expect(hub.connect("alice").lines == ["hello alice"])
    #expect(root.disconnect("alice") == "ok" && root.disconnect("alice") == "ok")
  }

  @Test("it is the admins' alone, and wants somebody who exists")
  func refused() {
    #expect(alice.disconnect("root") == "refused forbidden")
    #expect(hub.connect("helper", as: .bot).disconnect("alice") == "refused forbidden")
    #expect(root.disconnect("nobody") == "refused not_found")
    #expect(root.ask(.ping) == "pong")
  }

  @Test("an admin who disconnects themselves is answered first")
  func oneself() {
    root.clear()
    root.disconnect("root")
    #expect(root.lines == ["ok", "closed 4503"])
  }

  @Test("what the disconnected had asked and not been answered is not answered, but is done")
  func pending() {
    alice.create("room:a", .public)
    hub.clear()
    hub.isHolding = true
    root.create("room:b", .public)
    root.disconnect("alice")
    alice.send("room:a", "pending", key: "k")
    alice.subscribe("room:a")
    alice.type("room:a")
    alice.appear(.dnd)
    alice.focus("room:a")
    alice.refresh("alice")
    alice.send("room:a", "refused", replyTo: 9)
    hub.release()
    #expect(alice.lines == ["closed 4503"])
    #expect(hub.strayDeliveries == [])
    hub.isHolding = false
    let later = hub.connect("alice")
    #expect(later.subscribe("room:a", limit: 9) == "subscribed at 1: 1")
    later.type("room:a")
    #expect(later.events == ["typing room:a [alice]"])
  }

  @Test("signals go to the subscribers, the sender's connections included, and are not kept")
  func signals() {
    let bob = hub.connect("bob")
    alice.create("room:a", .group, "bob")
    alice.subscribe("room:a")
    hub.clear()
    let signal = Signal(channel: channel("room:a"), name: "wave", data: json("[1]"))
    #expect(bob.ask(.signal(signal)) == "ok")
    #expect(alice.events == ["signal room:a bob wave"])
    guard case .event(.signal(let told, let from)) = alice.received.last else { return }
    #expect(told == signal && from == user("bob"))
    #expect(bob.events.isEmpty)
    #expect(alice.history("room:a", .after(0)) == "history none")
  }
}
