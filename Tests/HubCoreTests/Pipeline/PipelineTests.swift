import HubProtocol
import Testing

@Suite("Architecture: the pipeline is one FIFO")
struct PipelineTests {
  private let hub = HubDriver()

  @Test("what waits behind a record takes effect in order once that record is durable")
  func order() {
    let alice = hub.connect("alice")
    alice.create("room:a", .group)
    alice.subscribe("room:a")
    hub.clear()
    hub.isHolding = true
    alice.send("room:a", "one")
    alice.type("room:a")
    alice.history("room:a", .after(0))
    alice.get("room:none")
    alice.send("room:a", "two")
    alice.ask(.ping)
    #expect(alice.lines.isEmpty)
    hub.release(1)
    let first = [
      "sent 1", "message room:a 1 alice one", "ok", "typing room:a [alice]", "history 1",
      "refused not_found",
    ]
    #expect(alice.take() == first)
    hub.release(1)
    #expect(
      alice.take() == ["sent 2", "typing room:a []", "message room:a 2 alice two", "pong"])
  }

  @Test("with nothing pending a read or a typing event passes at once")
  func atOnce() {
    let alice = hub.connect("alice")
    hub.isHolding = true
    #expect(alice.ask(.ping) == "pong")
    #expect(alice.list(.joined) == "channels ")
  }

  @Test("of two creates in flight one wins")
  func creates() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    hub.clear()
    hub.isHolding = true
    alice.create("room:a", .group)
    bob.create("room:a", .public)
    hub.release()
    #expect(alice.take().first?.hasPrefix("room:a group 1 members") == true)
    #expect(bob.take() == ["refused already_exists"])
    #expect(bob.get("room:a") == "refused not_found")
  }

  @Test("of two sends with one key in flight the second answers the first's seq")
  func keys() {
    let alice = hub.connect("alice")
    alice.create("room:a", .group)
    alice.subscribe("room:a")
    hub.clear()
    hub.isHolding = true
    alice.send("room:a", "one", key: "k")
    alice.send("room:a", "other", key: "k")
    alice.send("room:a", "two")
    hub.release()
    let expected = [
      "sent 1", "message room:a 1 alice one key k", "sent 1 again", "sent 2",
      "message room:a 2 alice two",
    ]
    #expect(alice.take() == expected)
  }

  @Test("a send behind the same person's leave is refused, one ahead of it is not")
  func leaveAndSend() {
    let alice = hub.connect("alice")
    let elsewhere = hub.connect("alice")
    alice.create("room:a", .public)
    hub.clear()
    hub.isHolding = true
    elsewhere.send("room:a", "ahead")
    alice.leave("room:a")
    elsewhere.send("room:a", "behind")
    hub.release()
    #expect(elsewhere.take("sent", "refused") == ["sent 1", "refused not_member"])
  }

  @Test("requests behind a pending `hello` wait for it and then run in order")
  func behindHello() {
    hub.isHolding = true
    let alice = hub.open()
    alice.hello("alice")
    alice.create("room:a", .group)
    alice.send("room:a", "one")
    alice.hello("alice")
    alice.history("room:a", .after(0))
    #expect(alice.lines.isEmpty)
    #expect(hub.pendingRecords == 1)
    hub.release()
    #expect(alice.take() == ["hello alice"])
    hub.release()
    let expected = [
      "room:a group 1 members 1 present seq 0 owner read 0 unread 0/0",
      "created room:a group 1 members 1 present seq 0", "sent 1",
      "refused bad_request", "history 1",
    ]
    #expect(alice.take() == expected)
  }

  @Test("two first `hello`s of one user are both answered; with another privilege only the first")
  func twoHellos() {
    hub.isHolding = true
    let clients = [hub.open(), hub.open(), hub.open()]
    clients[0].hello("alice")
    clients[1].hello("alice")
    clients[2].hello("alice", as: .bot)
    hub.release()
    #expect(clients[0].lines == ["hello alice"])
    #expect(clients[1].lines == ["hello alice"])
    #expect(clients[2].lines == ["refused unauthenticated", "closed 4500"])
  }

  @Test("a connection that closes while its `hello` is pending leaves nothing behind")
  func goneBeforeHello() {
    let (alice, bob) = (hub.connect("alice"), hub.connect("bob"))
    alice.create("room:a", .public, "bob")
    bob.close()
    hub.isHolding = true
    alice.send("room:a", "something pending")
    let gone = hub.open()
    gone.hello("bob")
    gone.subscribe("room:a")
    gone.type("room:a")
    gone.close()
    hub.release()
    hub.release()
    hub.pass(10_000)
    alice.get("room:a")
    #expect(alice.summary?.presentCount == 1)
    #expect(hub.strayDeliveries.isEmpty)
  }

  @Test("what a connection asks behind its violation is dropped")
  func behindViolation() {
    let alice = hub.connect("alice")
    alice.create("room:a", .public)
    hub.clear()
    hub.isHolding = true
    alice.send("room:a", "ahead")
    alice.violate(.notAnObject)
    alice.send("room:a", "behind")
    alice.subscribe("room:a")
    alice.type("room:a")
    hub.release()
    #expect(alice.take("sent", "closed") == ["sent 1", "closed 4501"])
    #expect(hub.strayDeliveries.isEmpty)
    hub.isHolding = false
    let later = hub.connect("alice")
    #expect(later.subscribe("room:a") == "subscribed at 1: none")
    hub.pass(7_000)
    #expect(later.events.isEmpty)
  }
}
