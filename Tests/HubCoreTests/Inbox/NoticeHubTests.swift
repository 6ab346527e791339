import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Notices: in the whole hub")
struct NoticeHubTests {
  private let hub: HubDriver
  private let alice: Client
  private let bob: Client
  /// Bob's other device.
  private let tablet: Client

  init() {
    hub = HubDriver()
    (alice, bob, tablet) = (hub.connect("alice"), hub.connect("bob"), hub.connect("bob"))
    alice.create("room:a", .group, "bob")
    alice.create("room:b", .group, "bob")
    hub.clear()
  }

  private func away(_ client: Client) { client.ask(.focus(.away)) }

  private func list(_ client: Client) { client.ask(.focus(.list)) }

  @Test("a badge on the list or where nobody said, a toast elsewhere, nothing away")
  func surfaces() {
    alice.send("room:a", "one")
    #expect(bob.notices == ["notice badge room:a 1 room:a - alice: one"])
    #expect(tablet.notices == bob.notices && alice.notices.isEmpty)
    hub.clear()
    bob.focus("room:b")
    away(tablet)
    alice.send("room:a", "two")
    #expect(bob.notices == ["notice toast room:a 2 room:a - alice: two"])
    #expect(tablet.notices.isEmpty)
    hub.clear()
    list(bob)
    alice.send("room:a", "three")
    #expect(bob.notices == ["notice badge room:a 3 room:a - alice: three"])
  }

  @Test("none on any device while one looks at the channel")
  func focus() {
    bob.focus("room:a")
    alice.send("room:a", "one")
    #expect(bob.notices.isEmpty && tablet.notices.isEmpty)
    away(bob)
    alice.send("room:a", "two")
    #expect(bob.notices.isEmpty && tablet.notices.count == 1)
  }

  @Test("when nobody looks it is for a push service")
  func push() {
    away(bob)
    away(tablet)
    alice.send("room:a", "one")
    #expect(bob.notices.isEmpty)
    #expect(hub.hub.noticeTally.pushes == 1)
  }

  @Test("none in a muted channel, of a muted sender, of a muted type, where a block stands")
  func silences() {
    bob.mute("room:a")
    alice.send("room:a", "one")
    bob.unmute("room:a")
    bob.settings { $0.mutedUsers = [user("alice")] }
    alice.send("room:a", "two", mentions: ["bob"])
    bob.settings {
      $0.mutedUsers = []
      $0.mutedTypes = ["message"]
    }
    alice.send("room:a", "three")
    #expect(bob.notices.isEmpty)
    alice.send("room:a", "four", mentions: ["bob"])
    #expect(bob.notices.count == 1)
    bob.settings { $0.mutedTypes = ["message", "mention"] }
    alice.send("room:a", "five", mentions: ["bob"])
    bob.settings { $0.mutedTypes = [] }
    alice.block("bob")
    alice.send("room:a", "six")
    #expect(bob.notices.count == 1)
  }

  @Test("in open and large channels only mentions")
  func large() {
    alice.create("room:p", .public, "bob")
    alice.send("room:p", "one")
    #expect(bob.notices.isEmpty)
    alice.send("room:p", "two", mentions: ["bob"])
    alice.send("room:p", "three", everybody: true)
    #expect(bob.notices.map { $0.split(separator: " ")[3] } == ["2", "3"])
    hub.clear()
    let many = hub.connect(98, "u")
    alice.add("room:a", many.indices.map { "u\($0 + 1)" })
    hub.clear()
    alice.send("room:a", "one")
    #expect(bob.notices.count == 1)
    let more = hub.connect("more")
    alice.add("room:a", "more")
    hub.clear()
    alice.send("room:a", "two")
    #expect(bob.notices.isEmpty && more.notices.isEmpty)
    alice.send("room:a", "three", mentions: ["more"])
    #expect(bob.notices.isEmpty && more.notices.count == 1)
  }

  @Test("do-not-disturb makes badges of toasts: for a time, by the status, by the week")
  func quiet() {
    func surface() -> String? {
      hub.clear()
      alice.send("room:a", "x")
      return bob.notices.first.map { String($0.split(separator: " ")[1]) }
    }
    bob.focus("room:b")
    #expect(surface() == "toast")
    bob.settings {
      $0.quietUntil = .set(Timestamp(milliseconds: hub.wall + 100))
    }
    #expect(surface() == "badge")
    hub.pass(100)
    #expect(surface() == "toast")
    bob.appear(.dnd)
    #expect(surface() == "badge")
    bob.appear(.online)
    // 2023-11-14, a Tuesday, 22:13 UTC and some.
    bob.settings {
      $0.quietPeriods = [QuietPeriod(days: [.tuesday], from: 22 * 60, to: 23 * 60, zone: "UTC")]
    }
    #expect(surface() == "badge")
    hub.pass(3_600_000)
    #expect(surface() == "toast")
    let line = bob.settings {
      $0.quietPeriods = [QuietPeriod(days: [.monday], from: 0, to: 1, zone: "Nowhere")]
    }
    #expect(line == "refused bad_request")
  }

  @Test("what is read on one device is taken back on all that got it")
  func read() {
    away(tablet)
    alice.send("room:a", "one")
    alice.send("room:a", "two")
    alice.send("room:b", "three")
    hub.clear()
    tablet.read("room:a", 1)
    #expect(bob.notices == ["notice.retract room:a 1"] && tablet.notices.isEmpty)
    tablet.read("room:a", 2)
    #expect(bob.notices.last == "notice.retract room:a 2")
    bob.send("room:b", "I was here")
    #expect(bob.notices.last == "notice.retract room:b 1")
  }

  @Test("so is what is deleted, and all of a channel that is left or ends")
  func takenBack() {
    for _ in 0..<3 { alice.send("room:a", "x") }
    alice.send("room:b", "x")
    hub.clear()
    alice.delete("room:a", 2)
    #expect(bob.notices == ["notice.retract room:a 2"])
    alice.remove("room:a", "bob")
    #expect(
      tablet.notices.dropFirst() == ["notice.retract room:a 1", "notice.retract room:a 3"])
    alice.delete("room:b")
    #expect(bob.notices.last == "notice.retract room:b 1")
  }

  @Test("a device that went has nothing to take back, the other has")
  func disconnected() {
    alice.send("room:a", "one")
    tablet.close()
    hub.clear()
    bob.read("room:a", 1)
    #expect(bob.notices == ["notice.retract room:a 1"] && hub.strayDeliveries == [])
  }

  @Test("in a burst at most 10 within a second; the newest of each channel comes after")
  func burst() {
    for number in 1...15 { alice.send("room:a", "\(number)") }
    alice.send("room:b", "b")
    #expect(bob.notices.count == 10)
    hub.clear()
    hub.pass(999)
    #expect(bob.notices.isEmpty)
    hub.pass(1)
    #expect(
      bob.notices == [
        "notice badge room:a 15 room:a - alice: 15", "notice badge room:b 1 room:b - alice: b",
      ])
    #expect(hub.hub.noticeTally.badges == 24)
  }

  @Test("what was read or deleted while it waited does not come")
  func withdrawn() {
    for number in 1...12 { alice.send("room:a", "\(number)") }
    alice.send("room:b", "b")
    bob.read("room:a", 12)
    alice.delete("room:b", 1)
    hub.clear()
    hub.pass(5_000)
    #expect(bob.notices.isEmpty)
  }

  @Test("what waits is decided anew: by then somebody may look at the channel")
  func anew() {
    for number in 1...11 { alice.send("room:a", "\(number)") }
    hub.clear()
    bob.focus("room:a")
    hub.pass(5_000)
    #expect(bob.notices.isEmpty && tablet.notices.isEmpty)
  }

  @Test("the newest 100 can be taken back")
  func shown() {
    for number in 1...101 {
      alice.send("room:a", "\(number)")
      hub.pass(200)
    }
    hub.clear()
    bob.read("room:a", 101)
    #expect(bob.notices.count == 100 && bob.notices.first == "notice.retract room:a 2")
  }

  @Test("a direct message's title is the sender's name alone")
  func direct() {
    alice.profile(name: .set("Ann"))
    alice.openDirect("bob")
    guard let name = alice.summary?.channel.text else { return }
    hub.clear()
    alice.send(name, "hi")
    #expect(bob.notices == ["notice badge \(name) 1 Ann: hi"])
  }
}
