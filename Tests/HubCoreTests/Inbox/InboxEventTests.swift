import HubCore
import HubProtocol
import HubStage
import Testing

@Suite("Protocol, Inbox: events come in the order of `at`, whatever is still being looked up")
struct InboxEventTests {
  private let hub: HubDriver
  private let bot: Client

  init() {
    hub = HubDriver()
    bot = hub.connect("shop", as: .bot)
    hub.connect("alice").close()
    hub.pass(20_000)
  }

  /// Alice comes back to what nobody has looked at, with history answering late.
  private func comeBack() -> (phone: Client, tablet: Client) {
    let clients = (hub.connect("alice"), hub.connect("alice"))
    hub.clear()
    hub.isAsking = true
    return clients
  }

  /// History cannot be read, however often it is asked.
  private func fail() {
    while !hub.asked.isEmpty { hub.answer(with: .failed("gone")) }
  }

  @Test("they wait for what they say, with the numbers of their moment")
  func order() {
    for text in ["a", "b", "c"] { bot.notify("alice", text: text) }
    let (phone, tablet) = comeBack()
    #expect(phone.mark(.read, 1) == "marked 2/2 at 4")
    bot.notify("alice", text: "d")
    phone.mark(.seen, 2, 3)
    phone.discard(3)
    // Whoever asks about the inbox hears first what happened before.
    #expect(tablet.events.isEmpty && phone.lines == ["marked 2/2 at 4"])
    hub.answer()
    let expected = [
      "inbox.updated 1:a,read 2/2 at 4", "inbox.added 5:d 3/3 at 5",
      "inbox.updated [2, 3] seen 1/3 at 6", "inbox.removed [3] 1/2 at 7",
    ]
    #expect(tablet.events == expected && phone.events == expected)
    guard case .removed(_, let item?) = tablet.inboxEvents.last?.event else {
      Issue.record("nothing is said of what was removed")
      return
    }
    #expect(Line.of(item) == "3:c,seen")
  }

  @Test("what one user waits for holds up nobody else")
  func others() {
    hub.connect("bob").close()
    bot.notify("alice", text: "a")
    let (phone, _) = comeBack()
    let bob = hub.connect("bob")
    phone.mark(.read, 1)
    bot.notify("bob", "alice", text: "b")
    #expect(bob.events == ["inbox.added 1:b 1/1 at 1"] && phone.events.isEmpty)
    hub.answer()
    #expect(phone.events.count == 2)
  }

  @Test("a list waits, and shows how things are when it is answered")
  func list() {
    for text in ["a", "b"] { bot.notify("alice", text: text) }
    let (phone, tablet) = comeBack()
    #expect(phone.inbox() == "pending" && phone.ask(.ping) == "pending")
    #expect(tablet.ask(.ping) == "pong")
    tablet.mark(.read, 1)
    bot.notify("alice", text: "c")
    hub.answer()
    #expect(
      phone.lines == [
        "inbox.updated 1:a,read 1/1 at 3", "inbox.added 4:c 2/2 at 4",
        "inbox 4:c 2:b 1:a,read 2/2 at 4", "pong",
      ])
  }

  @Test("what history has lost leaves the inbox, and the rest is shown")
  func lost() {
    for text in ["a", "b"] { bot.notify("alice", text: text) }
    let (phone, tablet) = comeBack()
    #expect(phone.inbox() == "pending")
    hub.history?.lose([1])
    hub.answer()
    hub.pass(0)
    #expect(tablet.events.last == "inbox.removed [1] 1/1 at 3")
    #expect(phone.inbox() == "inbox 2:b 1/1 at 3")
    #expect(phone.act(1) == "refused not_found")
  }

  @Test("an event of what is lost names it by its id")
  func lostEvent() {
    bot.notify("alice", text: "a")
    let (phone, tablet) = comeBack()
    phone.mark(.read, 1)
    hub.history?.lose([1])
    hub.answer()
    #expect(
      tablet.events == ["inbox.updated [1] read 0/0 at 2", "inbox.removed [1] 0/0 at 3"])
  }

  @Test("nothing is dropped while nothing can be written")
  func lostWhenFull() {
    bot.notify("alice", text: "a")
    let (phone, _) = comeBack()
    #expect(phone.inbox() == "pending")
    hub.history?.lose([1])
    hub.refuseWriting(Refusal(.storageFull, "full"))
    let count = hub.tape.records.count
    hub.answer()
    #expect(hub.tape.records.count == count)
    #expect(phone.lines == ["inbox  1/1 at 1"])
  }

  @Test("while history cannot be read a list is `unavailable`, and events come without the item")
  func unreadable() {
    bot.notify("alice", text: "a")
    let (phone, tablet) = comeBack()
    #expect(phone.inbox() == "pending")
    fail()
    #expect(phone.lines == ["refused unavailable"])
    tablet.mark(.seen, 1)
    fail()
    #expect(tablet.events == ["inbox.updated [1] seen 0/1 at 2"])
    #expect(phone.inbox() == "pending")
    hub.answer()
    #expect(phone.lines.last == "inbox 1:a,seen 0/1 at 2")
  }

  @Test("an item that is followed is looked up first")
  func act() {
    bot.notify(
      .users([user("alice")]),
      Notification(type: "x", target: InboxTarget(kind: "k", id: "i"), text: "a"))
    let (phone, _) = comeBack()
    #expect(phone.act(1) == "pending")
    hub.answer()
    #expect(phone.lines == ["acted k i", "inbox.updated 1:a,read 0/0 at 2"])
  }

  @Test("who has gone meanwhile is told nothing, and the answer is not missed")
  func gone() {
    bot.notify("alice", text: "a")
    let (phone, tablet) = comeBack()
    phone.mark(.read, 1)
    phone.close()
    tablet.close()
    hub.pass(20_000)
    hub.answer()
    let back = hub.connect("alice")
    bot.notify("alice", text: "b")
    #expect(back.events == ["inbox.added 3:b 1/1 at 3"])
  }

  @Test("nothing is looked up for those who are there when it comes")
  func atHand() {
    let (phone, _) = comeBack()
    for text in ["a", "b"] { bot.notify("alice", text: text) }
    phone.mark(.read, 1)
    phone.act(2)
    #expect(phone.inbox() == "inbox 2:b,read 1:a,read 0/0 at 4")
    #expect(hub.questionCount == 0)
  }

  @Test("memory for what they say is bounded: the oldest is looked up again")
  func bounded() {
    let (phone, _) = comeBack()
    let data = json("\"" + String(repeating: "x", count: 200_000) + "\"")
    for number in 1...180 {
      bot.notify(
        .users([user("alice")]), Notification(type: "x", text: "\(number)", data: data))
    }
    hub.clear()
    phone.mark(.seen, 180)
    #expect(phone.events == ["inbox.updated 180:180,seen 179/180 at 181"])
    phone.mark(.seen, 1)
    #expect(phone.events.count == 1 && hub.asked.count == 1)
    hub.answer()
    #expect(phone.events.last == "inbox.updated 1:1,seen 178/180 at 182")
  }
}
