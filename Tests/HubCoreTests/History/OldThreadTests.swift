import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Messages: threads and feeds out of history")
struct OldThreadTests {
  private let stage = Archive()
  private var alice: Client { stage.alice }
  private var bob: Client { stage.bob }

  @Test("a thread is whole whatever of it is in memory, and paged like any other")
  func thread() {
    bob.send(Archive.room, "parent")
    for number in 2...5 { bob.send(Archive.room, "reply \(number)", replyTo: 1) }
    stage.forget()
    for number in 6...7 { bob.send(Archive.room, "reply \(number)", replyTo: 1) }
    bob.delete(Archive.room, 3)
    #expect(alice.thread(Archive.room, 1) == "history 2...7")
    #expect(alice.messages[1].message.isDeleted)
    #expect(alice.thread(Archive.room, 1, limit: 2) == "history 2...3 more")
    #expect(alice.thread(Archive.room, 1, after: 3, limit: 4) == "history 4...7")
    #expect(alice.thread(Archive.room, 1, after: 3, limit: 3) == "history 4...6 more")
    #expect(alice.thread(Archive.room, 2) == "history none")
    #expect(stage.line(1) == "1 bob parent replies 5")
    #expect(alice.thread(Archive.room, 8) == "refused not_found")
  }

  @Test("a thread whose first message history does not have is `history_gone`")
  func noParent() {
    stage.fill(5)
    stage.hub.isAsking = true
    alice.thread(Archive.room, 1)
    stage.hub.answer(with: .nothingExact)
    #expect(alice.take("history", "refused") == ["refused history_gone"])
  }

  @Test("big replies end a page of a thread early", arguments: [true, false])
  func big(isOld: Bool) {
    let hub = HubDriver(windowMemory: isOld ? 40_000 : 1 << 30)
    let alice = hub.connect("alice")
    alice.create("room:a", .group)
    alice.send("room:a", "parent")
    let text = String(repeating: "x", count: 32_000)
    for _ in 0..<20 { alice.send("room:a", text, replyTo: 1) }
    #expect(alice.thread("room:a", 1) == "history 2...13 more")
    #expect(alice.thread("room:a", 1, after: 13) == "history 14...21")
    #expect((hub.questionCount > 0) == isOld)
  }

  @Test("pages of a feed hold every post once, wherever they are", arguments: [1, 3, 100])
  func feed(limit: Int) {
    for name in ["n1", "n2"] { alice.create(name, .broadcast, "bob") }
    for number in 0..<20 {
      stage.hub.pass(1)
      alice.send(["n1", "n2"][number % 2], "\(number)")
      if number == 12 { stage.forget() }
    }
    var (posts, pages) = ([String](), 0)
    var cursor: String?
    repeat {
      bob.feed(cursor: cursor, limit: limit)
      posts += bob.messages.map { $0.message.content.text ?? "" }
      cursor = bob.cursor
      pages += 1
    } while cursor != nil && pages < 50
    #expect(posts == (0..<20).reversed().map(String.init))
    #expect(stage.hub.questionCount > 0)
  }

  @Test("who leaves a channel while history looks does not get its posts")
  func leftMeanwhile() {
    for name in ["n1", "n2"] {
      alice.create(name, .broadcast, "bob")
      for _ in 0..<2 { alice.send(name, name) }
    }
    stage.forget()
    alice.edit("n2", 1, "edited")
    stage.hub.answersEarly = true
    stage.hub.meanwhile = { [alice] _ in
      alice.remove("n1", "bob")
      alice.delete("n2", 2)
    }
    bob.feed()
    #expect(bob.messages.map { Line.of($0) } == ["2 alice deleted", "1 alice edited edited"])
  }

  @Test("big posts end a page early; what follows comes behind the cursor")
  func bigPosts() {
    let hub = HubDriver(windowMemory: 40_000)
    let alice = hub.connect("alice")
    alice.create("n", .broadcast)
    for _ in 0..<20 { alice.send("n", String(repeating: "x", count: 32_000)) }
    alice.feed(limit: 100)
    let first = alice.messages.map(\.message.seq)
    #expect(first == Array((9...20).reversed()))
    alice.feed(cursor: alice.cursor, limit: 100)
    #expect(alice.messages.map(\.message.seq) == Array((1...8).reversed()))
    #expect(alice.cursor == nil && hub.questionCount > 0)
  }
}
