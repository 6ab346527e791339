import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Messages: history")
struct HistoryTests {
  private let hub = HubDriver()
  private let alice: Client

  init() {
    alice = hub.connect("alice")
    alice.create("room:a", .group)
  }

  private func send(_ count: Int, _ text: String = "m") {
    for _ in 0..<count { alice.send("room:a", text) }
  }

  @Test(
    "pages lie before, after and around a seq, which may lie outside",
    arguments: [
      (MessageHistory.Anchor.before(11), 4, "history 7...10 more"),
      (.before(5), 4, "history 1...4"), (.before(5), 10, "history 1...4"),
      (.before(6), 4, "history 2...5 more"), (.before(1), 4, "history none"),
      (.before(0), 4, "history none"), (.before(Limits.largestInteger), 3, "history 8...10 more"),
      (.after(0), 4, "history 1...4 more"), (.after(6), 4, "history 7...10"),
      (.after(5), 4, "history 6...9 more"), (.after(9), 4, "history 10"),
      (.after(10), 4, "history none"), (.after(Limits.largestInteger), 4, "history none"),
      (.around(5), 1, "history 5 more"), (.around(5), 3, "history 4...6 more"),
      (.around(5), 10, "history 1...10"), (.around(5), 100, "history 1...10"),
      (.around(1), 3, "history 1...3 more"), (.around(10), 3, "history 8...10 more"),
      (.around(0), 3, "history 1...3 more"),
      (.around(Limits.largestInteger), 3, "history 8...10 more"),
    ])
  func ranges(anchor: MessageHistory.Anchor, limit: Int, line: String) {
    send(10)
    #expect(alice.history("room:a", anchor, limit: limit) == line)
  }

  @Test("a channel without messages has an empty history", arguments: [0, 1, 9])
  func empty(seq: Int) {
    for anchor in [MessageHistory.Anchor.before(seq), .after(seq), .around(seq)] {
      #expect(alice.history("room:a", anchor) == "history none")
    }
  }

  @Test("a page of big messages ends early and says that there are more")
  func bigMessages() {
    send(20, String(repeating: "x", count: 32_768))
    #expect(alice.history("room:a", .after(0)) == "history 1...11 more")
    #expect(alice.history("room:a", .before(21)) == "history 10...20 more")
    #expect(alice.history("room:a", .around(10)) == "history 5...15 more")
  }

  @Test("pages taken one after another hold every message once", arguments: [1, 3, 7, 100])
  func paging(limit: Int) {
    send(40)
    var seqs: [Int] = []
    while let page = page(.after(seqs.last ?? 0), limit) {
      seqs += page.messages
      if !page.hasMore { break }
    }
    #expect(seqs == Array(1...40))
    seqs = []
    while let page = page(.before(seqs.first ?? 41), limit) {
      seqs = page.messages + seqs
      if !page.hasMore { break }
    }
    #expect(seqs == Array(1...40))
  }

  @Test("without history, what left memory is gone, and pages end where memory begins")
  func gone() {
    hub.history = nil
    send(1_010)
    #expect(alice.history("room:a", .after(0)) == "refused history_gone")
    #expect(alice.history("room:a", .before(11)) == "refused history_gone")
    #expect(alice.history("room:a", .before(13)) == "history 11...12 more")
    #expect(alice.history("room:a", .around(20), limit: 40) == "history 11...40 more")
    #expect(alice.history("room:a", .after(1_000)) == "history 1001...1010")
  }

  @Test("what left memory is asked of history by channel and range, and what did not is not")
  func older() throws {
    send(1_010)
    var ranges: [ClosedRange<Int>] = []
    hub.meanwhile = { query in
      if case .range(_, let range) = query { ranges.append(range) }
    }
    #expect(alice.history("room:a", .before(9), limit: 4) == "history 5...8 more")
    #expect(alice.history("room:a", .around(10), limit: 4) == "history 9...12 more")
    #expect(alice.history("room:a", .before(15), limit: 4) == "history 11...14 more")
    #expect(ranges == [5...8, 9...12])
    #expect(hub.questionCount == 2)
  }

  @Test("pages across history and memory hold every message once", arguments: [7, 100])
  func pagingAcross(limit: Int) {
    send(1_100)
    var seqs: [Int] = []
    while let page = page(.after(seqs.last ?? 0), limit) {
      seqs += page.messages
      if !page.hasMore { break }
    }
    #expect(seqs == Array(1...1_100))
    seqs = []
    while let page = page(.before(seqs.first ?? 2_000), limit) {
      seqs = page.messages + seqs
      if !page.hasMore { break }
    }
    #expect(seqs == Array(1...1_100))
  }

  @Test("what was changed while a page was loaded is on it as it is now")
  func changedMeanwhile() {
    send(1_010)
    hub.answersEarly = true
    hub.meanwhile = { [alice] _ in alice.edit("room:a", 3, "changed") }
    alice.history("room:a", .around(3), limit: 3)
    #expect(Line.list(alice.messages) == "2 alice m; 3 alice changed edited; 4 alice m")
  }

  @Test("a page with a hole ends there; what is damaged is gone, what cannot be read now is not")
  func damaged() {
    send(1_010)
    let all = hub.look(.range(ChannelRef(index: 0), 1...10))
    guard case .messages(let messages) = all else { return }
    hub.isAsking = true
    alice.history("room:a", .after(0), limit: 10)
    hub.answer(with: .messages(messages.filter { $0.message.seq != 4 }))
    #expect(alice.take("history", "refused") == ["history 1...3 more"])
    alice.history("room:a", .before(9), limit: 8)
    hub.answer(with: .messages(messages.filter { $0.message.seq != 4 }))
    #expect(alice.take("history", "refused") == ["history 5...8 more"])
    alice.history("room:a", .after(0), limit: 10)
    hub.answer(with: .damaged("message 4"))
    #expect(alice.take("history", "refused") == ["refused history_gone"])
    alice.history("room:a", .after(0), limit: 10)
    hub.answer(with: .failed("closed"))
    #expect(alice.take("history", "refused") == ["refused unavailable"])
  }

  @Test("somebody who left while the page was loaded does not get it")
  func leftMeanwhile() {
    let bob = hub.connect("bob")
    alice.add("room:a", "bob")
    send(1_010)
    hub.clear()
    hub.meanwhile = { [alice] _ in alice.remove("room:a", "bob") }
    bob.history("room:a", .after(0))
    #expect(bob.take("refused", "history") == ["refused not_found"])
  }

  private func page(
    _ anchor: MessageHistory.Anchor, _ limit: Int
  ) -> (messages: [Int], hasMore: Bool)? {
    alice.history("room:a", anchor, limit: limit)
    guard case .history(let messages, let hasMore) = alice.reply else { return nil }
    return (messages.map(\.message.seq), hasMore)
  }
}
