import HubProtocol
import Testing

@Suite("Protocol, Inbox")
struct InboxTests {
  private let hub = HubDriver()
  private let bot: Client
  private let alice: Client

  init() {
    bot = hub.connect("helper", as: .bot)
    alice = hub.connect("alice")
    hub.clear()
  }

  @Test("bots and admins notify, persons do not")
  func who() {
    #expect(alice.notify("alice") == "refused forbidden")
    #expect(bot.notify("alice") == "notified 1")
    #expect(hub.connect("root", as: .admin).notify("alice") == "notified 1")
  }

  @Test("the recipient's connections are told with counts and position; unknown users are named")
  func added() {
    let elsewhere = hub.connect("alice")
    elsewhere.clear()
    #expect(bot.notify("alice", "nobody", "helper") == "notified 2 unknown nobody")
    #expect(alice.lines == ["inbox.added 1:hi 1/1 at 1"])
    #expect(elsewhere.lines == alice.lines)
  }

  @Test("a channel's members are notified, but not who did it")
  func channel() {
    let bob = hub.connect("bob")
    alice.create("room:a", .public, "bob")
    #expect(bot.notify(.channel(HubCoreTests.channel("room:a")), actor: "alice") == "notified 1")
    #expect(bob.take("inbox.added").count == 1)
    #expect(bot.notify(.channel(HubCoreTests.channel("room:b"))) == "refused not_found")
    alice.create("room:hidden", .group)
    #expect(bot.notify(.channel(HubCoreTests.channel("room:hidden"))) == "refused not_found")
    let root = hub.connect("root", as: .admin)
    #expect(root.notify(.channel(HubCoreTests.channel("room:hidden"))) == "notified 1")
  }

  @Test("the same key makes no second item, for each publisher and recipient")
  func key() {
    let other = hub.connect("other", as: .bot)
    #expect(bot.notify("alice", key: "k") == "notified 1")
    #expect(bot.notify("alice", text: "again", key: "k") == "notified 0")
    #expect(other.notify("alice", text: "other", key: "k") == "notified 1")
    #expect(bot.notify("alice", "helper", key: "k") == "notified 1")
    #expect(alice.inbox() == "inbox 2:other 1:hi 2/2 at 2")
  }

  @Test("the same collapse makes one item that grows, comes first and is unseen")
  func collapse() throws {
    bot.notify("alice", text: "one", actor: "bob", collapse: "c")
    bot.notify("alice", text: "between")
    alice.clear()
    hub.pass(50)
    bot.notify("alice", text: "two", actor: "carol", collapse: "c")
    #expect(alice.lines == ["inbox.updated 1:twox2 2/2 at 3"])
    #expect(alice.inbox() == "inbox 1:twox2 2:between 2/2 at 3")
    guard case .inbox(let items, _, _) = alice.reply else { return }
    let item = try #require(items.first)
    #expect(item.actors == [user("carol"), user("bob")])
    #expect(item.ts.milliseconds == hub.wall)
    #expect(item.publisher == user("helper"))
  }

  @Test("a key stays known when others have collapsed onto its item")
  func collapsedKeys() {
    bot.notify("alice", text: "one", key: "k1", collapse: "c")
    bot.notify("alice", text: "two", key: "k2", collapse: "c")
    #expect(bot.notify("alice", text: "one", key: "k1", collapse: "c") == "notified 0")
    #expect(bot.notify("alice", text: "one", key: "k1") == "notified 0")
    #expect(alice.inbox() == "inbox 1:twox2 1/1 at 2")
  }

  @Test("collapse is each publisher's own")
  func collapseScope() {
    let other = hub.connect("other", as: .bot)
    bot.notify("alice", text: "one", collapse: "c")
    other.notify("alice", text: "two", collapse: "c")
    #expect(alice.inbox() == "inbox 2:two 1:one 2/2 at 2")
  }

  @Test("at most 250 items; the oldest goes first, and its going is told")
  func cap() {
    for number in 1...250 { bot.notify("alice", text: "\(number)") }
    hub.clear()
    bot.notify("alice", text: "251")
    #expect(
      alice.lines == ["inbox.added 251:251 250/250 at 251", "inbox.removed [1] 250/250 at 251"])
    var cursor: String?
    var ids: [Int] = []
    repeat {
      alice.inbox(cursor: cursor, limit: 100)
      guard case .inbox(let items, _, let next) = alice.reply else { return }
      ids += items.map(\.id)
      cursor = next
    } while cursor != nil
    #expect(ids == Array((2...251).reversed()))
  }

  @Test("what has expired is neither listed nor counted, and its key is new again")
  func expiry() {
    bot.notify("alice", text: "short", key: "k", expires: hub.wall + 100)
    bot.notify("alice", text: "long")
    hub.pass(99)
    #expect(alice.inbox() == "inbox 2:long 1:short 2/2 at 2")
    hub.pass(1)
    #expect(alice.inbox() == "inbox 2:long 1/1 at 3")
    alice.clear()
    #expect(bot.notify("alice", text: "back", key: "k") == "notified 1")
    #expect(alice.lines == ["inbox.added 4:back 2/2 at 4"])
  }

  @Test("what has expired does not grow again")
  func expiredCollapse() {
    bot.notify("alice", text: "old", collapse: "c", expires: hub.wall + 100)
    hub.pass(100)
    bot.notify("alice", text: "new", collapse: "c")
    #expect(alice.inbox() == "inbox 3:new 1/1 at 3")
  }

  @Test("lists are narrowed by type and state, counts are not")
  func filters() {
    bot.notify("alice", text: "l", type: "like")
    bot.notify("alice", text: "f", type: "follow")
    #expect(alice.inbox(types: ["like"]) == "inbox 1:l 2/2 at 2")
    #expect(alice.inbox(types: ["like", "follow"]) == "inbox 2:f 1:l 2/2 at 2")
    #expect(alice.inbox(states: [.read, .archived]) == "inbox  2/2 at 2")
    #expect(alice.inbox(states: [.unseen]) == "inbox 2:f 1:l 2/2 at 2")
    guard let counts = alice.stand?.counts else { return }
    #expect(counts.byType.map(\.type) == ["follow", "like"])
    #expect(counts.byType.map(\.unread) == [1, 1])
  }

  @Test("pages hold every item once, whatever the limit", arguments: [1, 3, 7])
  func paging(limit: Int) {
    for number in 1...20 { bot.notify("alice", type: number % 3 == 0 ? "odd" : "like") }
    for (types, count) in [(nil, 20), (["odd"], 6)] as [([String]?, Int)] {
      #expect(pages(types: types, limit: limit).count == count)
    }
    #expect(pages(types: nil, limit: limit) == Array((1...20).reversed()))
  }

  @Test("a cursor that no list gave is `bad_request`")
  func badCursor() {
    #expect(alice.inbox(cursor: "nonsense") == "refused bad_request")
  }

  private func pages(types: [String]?, limit: Int) -> [Int] {
    var ids: [Int] = []
    var cursor: String?
    repeat {
      alice.inbox(types: types, cursor: cursor, limit: limit)
      guard case .inbox(let items, _, let next) = alice.reply else { return [] }
      ids += items.map(\.id)
      cursor = next
    } while cursor != nil
    return ids
  }
}
