import HubClient
import SeededRandom
import Testing

@Suite("Slow consumers")
struct MailboxTests {
  @Test("a full mailbox counts what it drops, and says so where it was dropped")
  func counts() {
    var mailbox = Mailbox<Int>(limit: 3, overflow: .count)
    for number in 1...10 { mailbox.offer(number) }
    #expect(drain(&mailbox) == ["1", "2", "3", "missed 7"])
    mailbox.offer(11)
    #expect(drain(&mailbox) == ["11"])
  }

  @Test("nothing is taken while a loss is not told yet")
  func orderOfLoss() {
    var mailbox = Mailbox<Int>(limit: 2, overflow: .count)
    for number in 1...3 { mailbox.offer(number) }
    _ = mailbox.take()
    mailbox.offer(4)
    #expect(drain(&mailbox) == ["2", "missed 2"])
  }

  @Test("where only the newest matter the oldest go")
  func replaces() {
    var mailbox = Mailbox<Int>(limit: 2, overflow: .replaceOldest)
    for number in 1...5 { mailbox.offer(number) }
    #expect(drain(&mailbox) == ["4", "5"])
  }

  @Test("whatever the pace, elements and losses add up in order", arguments: BackoffTests.seeds)
  func model(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var mailbox = Mailbox<Int>(limit: 8, overflow: .count)
    var next = 0
    var expected = 0
    for _ in 0..<2_000 {
      if Bool.random(using: &random) {
        mailbox.offer(next)
        next += 1
      } else {
        switch mailbox.take() {
        case .element(let number):
          #expect(number == expected, "seed \(seed)")
          expected += 1
        case .missed(let count): expected += count
        case nil: #expect(expected == next, "seed \(seed)")
        }
      }
      #expect(mailbox.count <= 8)
    }
  }

  @Test("a feed tells what waits, the loss, then the end")
  func feed() async {
    let feed = Feed<Int>(limit: 2, overflow: .count)
    for number in 1...5 { feed.offer(number) }
    feed.finish(HubError(HubError.closed, "over"))
    feed.offer(6)
    for expected in ["1", "2", "missed 3", "end closed", "end closed"] {
      #expect(await text(feed) == expected)
    }
  }

  @Test("a reader that waits is woken")
  func waiting() async {
    let feed = Feed<Int>(limit: 2, overflow: .count)
    async let reading = text(feed)
    feed.offer(1)
    #expect(await reading == "1")
  }

  @Test("cancelling the reader's task ends its reading")
  func cancelled() async {
    let feed = Feed<Int>(limit: 2, overflow: .count)
    let reader = Task { await text(feed) }
    reader.cancel()
    #expect(await reader.value == "end")
    feed.offer(1)
    #expect(await text(feed) == "1")
  }

  private func text(_ feed: Feed<Int>) async -> String {
    switch await feed.next() {
    case .element(let number): "\(number)"
    case .missed(let count): "missed \(count)"
    case .end(let error): "end" + (error.map { " \($0.code)" } ?? "")
    }
  }

  private func drain(_ mailbox: inout Mailbox<Int>) -> [String] {
    var all: [String] = []
    while let next = mailbox.take() {
      switch next {
      case .element(let number): all.append("\(number)")
      case .missed(let count): all.append("missed \(count)")
      }
    }
    return all
  }
}
