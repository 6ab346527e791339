import HubProtocol
import Testing

@Suite("Protocol, Messages: threads and feeds")
struct ThreadTests {
  private let hub = HubDriver()
  private let alice: Client
  private let bob: Client

  init() {
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    alice.create("news", .broadcast, "bob")
    alice.send("news", "post")
    hub.clear()
  }

  private func seqs(_ client: Client) -> [Int] { client.messages.map(\.message.seq) }

  @Test("a thread holds the direct replies, oldest first, in pages")
  func pages() {
    for number in 2...6 { bob.send("news", "reply \(number)", replyTo: 1) }
    bob.send("news", "a reply to a reply", replyTo: 2)
    alice.send("news", "another post")
    #expect(bob.thread("news", 1) == "history 2...6")
    #expect(bob.thread("news", 1, limit: 2) == "history 2...3 more")
    #expect(bob.thread("news", 1, after: 3, limit: 3) == "history 4...6")
    #expect(bob.thread("news", 1, after: 6) == "history none")
    #expect(bob.thread("news", 2) == "history 7")
    #expect(bob.thread("news", 8) == "history none")
  }

  @Test("`reply_count` counts the replies that are not deleted; a thread lists those too")
  func count() {
    for _ in 0..<3 { bob.send("news", "reply", replyTo: 1) }
    bob.delete("news", 3)
    bob.thread("news", 1)
    #expect(bob.messages.map { Line.of($0) } == ["2 bob reply", "3 bob deleted", "4 bob reply"])
    alice.history("news", .around(1), limit: 1)
    #expect(alice.messages.first?.message.replyCount == 2)
    bob.delete("news", 3)
    alice.history("news", .around(1), limit: 1)
    #expect(alice.messages.first?.message.replyCount == 2)
  }

  @Test("without history a thread below memory is `history_gone`, what lies above is answered")
  func gone() {
    hub.history = nil
    bob.send("news", "reply", replyTo: 1)
    for _ in 0..<1_010 { alice.send("news", "post") }
    #expect(bob.thread("news", 1) == "refused history_gone")
    #expect(bob.thread("news", 1, after: 11) == "refused history_gone")
    #expect(bob.thread("news", 1, after: 12) == "history none")
  }

  @Test("the feed holds the posts of all joined broadcast channels, newest first")
  func feed() {
    let carol = hub.connect("carol")
    carol.create("feed:carol", .broadcast)
    bob.join("feed:carol")
    bob.send("news", "a reply is no post", replyTo: 1)
    carol.create("room:c", .public, "bob")
    carol.send("room:c", "not broadcast")
    for number in 0..<4 {
      hub.pass(1)
      (number % 2 == 0 ? alice : carol).send(number % 2 == 0 ? "news" : "feed:carol", "\(number)")
    }
    bob.feed()
    #expect(bob.messages.map { $0.message.content.text ?? "" } == ["3", "2", "1", "0", "post"])
    #expect(carol.feed() == "messages [2 carol 3; 1 carol 1]")
    #expect(alice.feed(limit: 1) == "messages [4 alice 2] more")
  }

  @Test("pages of the feed hold every post once", arguments: [1, 2, 3, 7, 100])
  func paging(limit: Int) {
    for name in ["n1", "n2"] { alice.create(name, .broadcast, "bob") }
    for number in 0..<30 {
      if number % 4 == 0 { hub.pass(1) }
      alice.send(["news", "n1", "n2"][number % 3], "\(number)")
    }
    var posts: [String] = []
    var cursor: String?
    repeat {
      bob.feed(cursor: cursor, limit: limit)
      posts += bob.messages.map { "\($0.message.channel) \($0.message.seq)" }
      cursor = bob.cursor
      hub.pass(1)
      if posts.count < 10 { alice.send("n1", "newer than the page") }
    } while cursor != nil && posts.count < 100
    #expect(posts.count == 31 && Set(posts).count == 31)
  }

  @Test("deleted posts are stubs in the feed, and left channels are not in it")
  func stubs() {
    alice.send("news", "two")
    alice.delete("news", 1)
    #expect(bob.feed() == "messages [2 alice two; 1 alice deleted]")
    bob.leave("news")
    #expect(bob.feed() == "messages []")
  }

  @Test("a cursor of no feed is `bad_request`")
  func badCursor() {
    for cursor in ["", "x", "1 2", "a b news", "1 2 @news"] {
      #expect(bob.feed(cursor: cursor) == "refused bad_request")
    }
  }

  @Test("a feed belongs to whom it is named after, who owns it again when they come back")
  func owner() {
    let carol = hub.connect("carol")
    carol.create("feed:carol", .broadcast, "bob")
    #expect(carol.appoint("feed:carol", "bob", .owner) == "refused forbidden")
    carol.leave("feed:carol")
    bob.get("feed:carol")
    #expect(bob.summary?.standing?.role == .member)
    #expect(carol.join("feed:carol").contains("owner"))
    bob.leave("feed:carol")
    carol.leave("feed:carol")
    #expect(bob.join("feed:carol").contains("member read"))
  }

  @Test("without history nothing is found: `message.search` is `unavailable`")
  func search() {
    hub.history = nil
    let search = MessageSearch(query: "post")
    #expect(bob.ask(.messageSearch(search)) == "refused unavailable")
  }
}
