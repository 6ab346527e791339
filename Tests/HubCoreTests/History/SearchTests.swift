import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Messages: search")
struct SearchTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("room:a", .group, "bob")
    alice.create("room:p", .public)
    for text in ["The quick brown fox", "quick thinking", "a fox", "nothing"] {
      alice.send("room:a", text)
    }
    bob.send("room:a", "Quickly, fox!")
    alice.send("room:p", "a quick one in public")
    hub.clear()
  }

  @Test("all words, the last as the beginning of one, whatever their case, newest first")
  func words() {
    let all = [
      "1 alice a quick one in public", "5 bob Quickly, fox!", "2 alice quick thinking",
      "1 alice The quick brown fox",
    ].joined(separator: "; ")
    #expect(alice.find("quick") == "messages [\(all)]")
    #expect(alice.find("QUICK fo") == "messages [1 alice The quick brown fox]")
    let both = "messages [5 bob Quickly, fox!; 1 alice The quick brown fox]"
    #expect(alice.find("fox quick") == both)
    #expect(alice.find("qui fox") == "messages []")
    #expect(alice.find("!") == "messages []")
  }

  @Test("only in the channels that the caller has joined, or in the one that is named")
  func channels() {
    #expect(!bob.find("quick").contains("public"))
    #expect(bob.find("quick", in: "room:p") == "messages [1 alice a quick one in public]")
    #expect(alice.find("quick one", in: "room:a") == "messages []")
    let carol = hub.connect("carol")
    #expect(carol.find("quick") == "messages []")
    #expect(carol.find("quick", in: "room:a") == "refused not_found")
    #expect(carol.find("quick", in: "room:none") == "refused not_found")
  }

  @Test("what was deleted or edited is found as it is now, and what the blocked wrote is not")
  func present() {
    alice.delete("room:a", 2)
    alice.edit("room:a", 1, "slow")
    #expect(alice.find("quick", in: "room:a") == "messages [5 bob Quickly, fox!]")
    alice.block("bob")
    #expect(alice.find("quick", in: "room:a") == "messages []")
    #expect(bob.find("slow") == "messages [1 alice slow edited]")
  }

  @Test("pages hold every message once", arguments: [1, 2, 3, 100])
  func paging(limit: Int) {
    for _ in 0..<20 { alice.send("room:a", "a quick one") }
    var (found, pages) = ([String](), 0)
    var cursor: String?
    repeat {
      alice.find("quick", cursor: cursor, limit: limit)
      found += alice.messages.map { "\($0.message.channel) \($0.message.seq)" }
      cursor = alice.cursor
      pages += 1
    } while cursor != nil && pages < 100
    #expect(found.count == 24 && Set(found).count == 24)
  }

  @Test("a page that would be larger than a reply ends early, and goes on behind its cursor")
  func large() {
    let text = "quick" + String(repeating: " x", count: 15_000)
    for _ in 0..<30 { alice.send("room:a", text) }
    alice.find("quick", in: "room:a", limit: 100)
    #expect((5..<20).contains(alice.messages.count))
    var count = 0
    var cursor: String?
    repeat {
      alice.find("quick", in: "room:a", cursor: cursor, limit: 100)
      count += alice.messages.count
      cursor = alice.cursor
    } while cursor != nil && count < 100
    #expect(count == 33)
  }

  @Test("who left a channel while history looked finds nothing of it")
  func leftMeanwhile() {
    hub.answersEarly = true
    hub.meanwhile = { [alice] _ in alice.remove("room:a", "bob") }
    bob.find("quick")
    #expect(bob.take("messages", "refused") == ["messages []"])
  }

  @Test("nor of what was deleted, or written by somebody blocked, while history looked")
  func changedMeanwhile() {
    hub.answersEarly = true
    hub.meanwhile = { [alice, bob] _ in
      alice.delete("room:a", 2)
      bob.edit("room:a", 5, "other words now")
    }
    let found = alice.find("quick", in: "room:a")
    #expect(!found.contains("2 alice"))
    #expect(found.contains("5 bob other words now edited"), "found by what it was, shown as it is")
    let other = hub.connect("alice")
    hub.meanwhile = { _ in other.block("bob") }
    let own = "messages [3 alice a fox; 1 alice The quick brown fox]"
    #expect(alice.find("fox", in: "room:a") == own)
  }

  @Test("a cursor of no search is `bad_request`; a history that cannot be read is `unavailable`")
  func refused() {
    for cursor in ["", "x", "-1", "1 2"] {
      #expect(alice.find("quick", cursor: cursor) == "refused bad_request")
    }
    hub.clear()
    hub.isAsking = true
    alice.find("quick")
    hub.answer(with: .failed("still being indexed"))
    #expect(alice.take("messages", "refused") == ["refused unavailable"])
  }
}
