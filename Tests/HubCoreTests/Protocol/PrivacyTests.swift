import HubProtocol
import Testing

@Suite("Protocol, Blocking, privacy: what one does not show, one does not see")
struct PrivacyTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client
  private let carol: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    carol = hub.connect("carol")
    alice.create("room:a", .group, "bob", "carol")
    for client in [alice, bob, carol] { client.subscribe("room:a") }
    for _ in 0..<3 { alice.send("room:a", "m") }
    hub.pass(2_000)
    hub.clear()
  }

  @Test("who hides receipts neither gives nor gets any; their own connections do")
  func receipts() {
    let elsewhere = hub.connect("bob")
    bob.settings { $0.showsReceipts = false }
    hub.clear()
    bob.read("room:a", 2)
    carol.read("room:a", 1)
    #expect(alice.take("receipt") == ["receipt room:a carol 1 1"])
    #expect(carol.take("receipt") == ["receipt room:a carol 1 1"])
    #expect(elsewhere.take("receipt") == ["receipt room:a bob 2 2"])
    #expect(bob.take("receipt").isEmpty)
  }

  @Test("shown again they are exchanged again")
  func receiptsAgain() {
    bob.settings { $0.showsReceipts = false }
    bob.settings { $0.showsReceipts = true }
    hub.clear()
    bob.read("room:a", 2)
    #expect(alice.take("receipt") == ["receipt room:a bob 2 2"])
  }

  @Test("pointers stand in `member.list` only where both show them, and for oneself")
  func listed() {
    bob.settings { $0.showsReceipts = false }
    #expect(
      alice.members("room:a")
        == "members alice owner present 3/3,bob member present,carol member present 0/0")
    #expect(
      bob.members("room:a")
        == "members alice owner present,bob member present 0/0,carol member present")
  }

  @Test("in a large channel who hides receipts is not counted, and is told no numbers")
  func readBy() {
    alice.add("room:a", hub.connect(100, "m").indices.map { "m\($0 + 1)" })
    bob.settings { $0.showsReceipts = false }
    hub.pass(20_000)
    hub.clear()
    bob.read("room:a", 3)
    hub.pass(2_000)
    #expect(alice.take("readBy").isEmpty)
    carol.read("room:a", 3)
    #expect(alice.take("readBy") == ["readBy room:a 1=102 2=102 3=102"])
    #expect(bob.take("readBy").isEmpty)
    bob.settings { $0.showsReceipts = true }
    bob.readUnread("room:a", 3)
    hub.pass(2_000)
    #expect(alice.take("readBy") == ["readBy room:a 3=102"])
  }

  @Test("who hides their typing does not type for others, and does not see them")
  func typing() {
    bob.settings { $0.showsTyping = false }
    hub.clear()
    #expect(bob.type("room:a") == "ok")
    carol.type("room:a")
    #expect(alice.take("typing") == ["typing room:a [carol]"])
    #expect(bob.take("typing").isEmpty)
  }

  @Test("who types and hides it from now on stops typing for others, and sees nobody type")
  func typingHidden() {
    bob.type("room:a")
    carol.type("room:a")
    hub.clear()
    bob.settings { $0.showsTyping = false }
    #expect(alice.take("typing") == ["typing room:a [carol]"])
    #expect(bob.take("typing") == ["typing room:a []"])
    bob.settings { $0.showsTyping = true }
    #expect(bob.take("typing") == ["typing room:a [carol]"])
  }

  @Test("settings are kept over restarts")
  func kept() throws {
    bob.settings {
      $0.showsReceipts = false; $0.showsTyping = false; $0.directPolicy = .nobody
    }
    try hub.restart()
    let bob = hub.connect("bob")
    #expect(
      bob.settings() == "settings nobody receipts false typing false blocked [] muted []")
    let alice = hub.connect("alice")
    alice.subscribe("room:a")
    bob.read("room:a", 1)
    #expect(alice.take("receipt").isEmpty)
  }

  @Test("a change of settings is told one's own connections; asking and repeating are not events")
  func told() {
    let elsewhere = hub.connect("bob")
    hub.clear()
    bob.settings()
    bob.settings { $0.directPolicy = .contacts }
    bob.settings { $0.directPolicy = .contacts }
    let line = "settings contacts receipts true typing true blocked [] muted []"
    #expect(elsewhere.lines == ["self " + line])
    #expect(bob.lines.last == line && bob.events == ["self " + line])
    #expect(alice.lines.isEmpty)
  }

  @Test("do-not-disturb is kept, and cleared")
  func quiet() {
    let period = QuietPeriod(days: [.monday, .sunday], from: 1_320, to: 420, zone: "Europe/Berlin")
    bob.settings {
      $0.quietUntil = .set(Timestamp(milliseconds: hub.wall + 5))
      $0.quietPeriods = [period]
      $0.mutedTypes = ["like"]
      $0.mutedUsers = [user("carol")]
    }
    bob.settings { $0.quietUntil = .clear }
    guard case .settings(let settings, _) = bob.reply else { return }
    #expect(settings.quietUntil == nil && settings.quietPeriods == [period])
    #expect(settings.mutedTypes == ["like"] && settings.mutedUsers == [user("carol")])
  }
}
