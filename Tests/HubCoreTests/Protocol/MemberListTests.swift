import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: `member.list`")
struct MemberListTests {
  private let hub = HubDriver()
  private let alice: Client

  init() { alice = hub.connect("alice") }

  /// A public channel of `count` people besides alice, of whom every third is there.
  private func fill(_ count: Int) -> [Client] {
    alice.create("room:a", .public)
    var present: [Client] = []
    for (index, member) in hub.connect(count, "m").enumerated() {
      member.join("room:a")
      if index % 4 == 0 { member.profile(name: .set("Name \(index % 10)")) }
      if index % 3 == 0 { present.append(member) } else { member.close() }
    }
    hub.pass(20_000)
    return present
  }

  private func pages(_ limit: Int, onlyPresent: Bool = false) -> [Member] {
    var members: [Member] = []
    var cursor: String?
    repeat {
      alice.members("room:a", present: onlyPresent, cursor: cursor, limit: limit)
      guard case .members(let page, let next) = alice.reply else { return members }
      #expect(page.count <= limit)
      members += page
      cursor = next
    } while cursor != nil && members.count < 2_000
    return members
  }

  @Test(
    "pages hold every member once, those who are there first, then by name",
    arguments: [(40, 1), (40, 7), (40, 100), (600, 37), (600, 100)])
  func order(count: Int, limit: Int) {
    _ = fill(count)
    for round in 0..<2 {
      let members = pages(limit)
      #expect(members.count == count + 1 && Set(members.map(\.user.id)).count == count + 1)
      let keys = members.map { ($0.isPresent ? "0" : "1") + $0.user.shownName }
      #expect(keys == keys.sorted(), "round \(round)")
      let present = pages(limit, onlyPresent: true).map(\.user.id)
      #expect(present == members.filter(\.isPresent).map(\.user.id))
    }
  }

  @Test("the order follows joins, leaves and new names", arguments: [30, 600])
  func changes(count: Int) {
    let present = fill(count)
    _ = pages(100)
    present[0].leave("room:a")
    present[1].profile(name: .set("Aaron"))
    let late = hub.connect("late")
    late.join("room:a")
    late.close()
    hub.pass(20_000)
    let members = pages(100)
    #expect(members.count == count + 1)
    #expect(members.first?.user.shownName == "Aaron")
    let keys = members.map { ($0.isPresent ? "0" : "1") + $0.user.shownName }
    #expect(keys == keys.sorted())
    #expect(members.contains { $0.user.id == user("late") })
  }

  @Test("a cursor of no list is `bad_request`")
  func badCursor() {
    _ = fill(3)
    for cursor in ["", "present", "present nobody x", "here m1 x", "present m1"] {
      #expect(alice.members("room:a", cursor: cursor) == "refused bad_request")
    }
  }

  @Test("an entry holds role, pointers and when the member joined")
  func entry() {
    alice.create("room:a", .public)
    alice.send("room:a", "m")
    hub.pass(5_000)
    let bob = hub.connect("bob")
    bob.join("room:a")
    let joined = hub.wall
    alice.send("room:a", "m")
    bob.delivered("room:a", 2)
    #expect(alice.members("room:a") == "members alice owner present 2/2,bob member present 1/2")
    guard case .members(let members, _) = alice.reply else { return }
    #expect(members.map(\.joinedTs.milliseconds) == [joined - 5_000, joined])
  }
}
