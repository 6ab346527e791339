import HubCore
import HubProtocol
import Testing

@Suite("Architecture, Storage: when nothing more can be written")
struct WritingTests {
  private static let full = Refusal(.storageFull, "the disk is full", retryAfterMilliseconds: 1_000)
  private static let refused = "refused storage_full"

  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .public, "bob")
    for client in [alice, bob] { client.subscribe("room:a") }
    alice.send("room:a", "one")
    hub.pass(2_000)
    hub.clear()
  }

  @Test("whatever must be kept is `storage_full`, and nothing of it happens")
  func durable() {
    let state = hub.state
    hub.refuseWriting(Self.full)
    let answers = [
      alice.send("room:a", "m"), alice.send("room:a", "m", key: "k", isRetry: true),
      alice.edit("room:a", 1, "x"), alice.delete("room:a", 1), bob.react("room:a", 1),
      bob.flag("room:a", 1), bob.read("room:a", 1), bob.delivered("room:a", 1),
      bob.readUnread("room:a", 1), bob.leave("room:a"), alice.create("room:b", .group),
      alice.rename("room:a", to: "A"), alice.ban("room:a", "bob"), alice.openDirect("bob"),
      alice.profile(name: .set("A")), alice.block("bob"), alice.settings { $0.showsTyping = false },
    ]
    for (place, answer) in answers.enumerated() { #expect(answer == Self.refused, "\(place)") }
    #expect(alice.refusal?.retryAfterMilliseconds == 1_000)
    hub.expire(0, upTo: 1)
    #expect(hub.state == state && hub.pendingRecords == 0 && hub.questionCount == 0)
    #expect(hub.replayFlaws == [])
  }

  @Test("reading goes on, and what is not kept")
  func others() {
    hub.refuseWriting(Self.full)
    #expect(bob.history("room:a", .after(0)) == "history 1")
    #expect(bob.thread("room:a", 1) == "history none")
    #expect(bob.subscribe("room:a", limit: 5) == "subscribed at 1: 1")
    #expect(bob.find("one") == "messages [1 alice one]")
    #expect(bob.ask(.ping) == "pong")
    #expect(bob.type("room:a") == "ok" && bob.signal("room:a") == "ok")
    #expect(alice.take("typing", "signal") == ["typing room:a [bob]", "signal room:a bob wave"])
    #expect(bob.settings().hasPrefix("settings "))
    #expect(hub.connect("alice").lines.first?.hasPrefix("hello alice") == true)
  }

  @Test("somebody new is refused, and let in when they try again and it can be kept")
  func newcomers() {
    hub.refuseWriting(Self.full)
    let carol = hub.open()
    #expect(carol.hello("carol") == Self.refused)
    #expect(carol.join("room:a") == "refused unauthenticated")
    hub.refuseWriting(nil)
    #expect(carol.hello("carol") == "hello carol")
    #expect(carol.join("room:a").hasPrefix("room:a public 3 members"))
    #expect(alice.send("room:a", "two") == "sent 2")
    #expect(hub.replayFlaws == [])
  }

  @Test("nothing leaves memory meanwhile")
  func eviction() {
    let stage = Archive()
    stage.fill(3)
    stage.hub.isHolding = true
    stage.bob.send(Archive.room, String(repeating: "x", count: 20_000))
    stage.hub.refuseWriting(Self.full)
    stage.hub.release()
    #expect(stage.hub.pendingRecords == 0)
    #expect(stage.hub.replayFlaws == [])
  }

  @Test("a change that history was asked about is refused when its answer comes")
  func loading() {
    let stage = Archive()
    stage.fill(3)
    let state = stage.hub.state
    stage.hub.isAsking = true
    stage.bob.edit(Archive.room, 1, "x")
    stage.hub.refuseWriting(Self.full)
    stage.hub.isAsking = false
    stage.hub.answer()
    #expect(stage.bob.take("ok", "refused") == [Self.refused])
    #expect(stage.hub.state == state)
  }

  @Test("what is given up is refused in its turn, and reads between and behind are answered")
  func givenUp() {
    hub.isHolding = true
    alice.send("room:a", "durable in time")
    alice.send("room:a", "lost")
    alice.history("room:a", .after(0))
    alice.send("room:a", "lost")
    alice.ask(.ping)
    hub.release(1)
    let state = hub.state
    hub.clear()
    hub.giveUpWriting(Self.full)
    #expect(alice.take() == [Self.refused, "history 1...2", Self.refused, "pong"])
    #expect(bob.events == [] && hub.pendingRecords == 0)
    #expect(hub.state == state)
    #expect(alice.send("room:a", "m") == Self.refused)
    #expect(hub.replayFlaws == [])
  }

  @Test("a `hello` that is given up is refused, and so is what waits behind it; then again")
  func givenUpHello() {
    hub.isHolding = true
    let (carol, gone) = (hub.open(), hub.open())
    carol.hello("carol")
    carol.join("room:a")
    gone.hello("dave")
    gone.close()
    hub.giveUpWriting(Self.full)
    #expect(carol.take() == [Self.refused, "refused unauthenticated"])
    #expect(carol.hello("carol") == Self.refused)
    #expect(carol.hello("alice").hasPrefix("hello alice"))
    hub.isHolding = false
    #expect(hub.strayDeliveries.isEmpty)
    #expect(hub.replayFlaws == [])
  }
}
