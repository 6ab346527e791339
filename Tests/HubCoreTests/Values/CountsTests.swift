import HubCore
import HubProtocol
import SeededRandom
import Testing

@Suite("Architecture, Counts are computed")
struct CountsTests {
  private struct Sent {
    let author: UserRef
    let mentioned: [UserRef]
    let everybody: Bool
  }

  @Test("unread and mentions equal a recount over the newest 2,000 messages, up to 1,000")
  func unread() {
    var random = SplitMix64(seed: TestSeed.value)
    let users = (0..<5).map { UserRef(index: $0) }
    var countable = CountableMessages()
    var messages: [Sent] = []
    for seq in 1...3_500 {
      let sent = Sent(
        author: random.pick(users), mentioned: users.filter { _ in random.oneIn(9) },
        everybody: random.oneIn(30))
      messages.append(sent)
      countable.append(
        seq: seq, author: sent.author, mentioned: sent.mentioned, mentionsChannel: sent.everybody)
      guard random.oneIn(10) else { continue }
      let (reader, read) = (random.pick(users), random.below(seq + 1))
      let counts = countable.unread(by: .init(reader), after: read)
      let counted = messages.dropFirst(max(read, seq - 2_000)).filter { $0.author != reader }
      let mentions = counted.filter { $0.everybody || $0.mentioned.contains(reader) }
      let unread = min(1_000, counted.count)
      #expect(counts.unread == unread, "seq \(seq), read \(read), \(TestSeed.hint)")
      #expect(counts.mentions == mentions.count, "seq \(seq), read \(read), \(TestSeed.hint)")
    }
  }

  @Test("a message that mentions somebody and the channel is one mention")
  func mentionedTwice() {
    var countable = CountableMessages()
    let (alice, bob) = (UserRef(index: 1), UserRef(index: 2))
    countable.append(seq: 1, author: alice, mentioned: [bob, bob], mentionsChannel: true)
    #expect(countable.unread(by: .init(bob), after: 0) == (1, 1))
    #expect(countable.unread(by: .init(alice), after: 0) == (0, 0))
    #expect(countable.unread(by: .init(bob), after: 1) == (0, 0))
  }

  @Test("how many have read each of the newest 50 equals a recount")
  func readCounts() {
    var random = SplitMix64(seed: TestSeed.value)
    var pointers = (0..<12).map { _ in random.below(31) }
    var seq = 30
    var counts = ReadCounts(lastSeq: seq, pointers: pointers)
    for _ in 0..<3_000 {
      step(&counts, &pointers, &seq, &random)
      let told = (0...(seq + 1)).map { counts[$0] }
      let recount = (0...(seq + 1)).map { number -> Int? in
        guard number >= max(1, seq - 49), number <= seq else { return nil }
        return pointers.filter { $0 >= number }.count
      }
      #expect(told == recount, "at \(seq), \(TestSeed.hint)")
    }
  }

  private func step(
    _ counts: inout ReadCounts, _ pointers: inout [Int], _ seq: inout Int,
    _ random: inout SplitMix64
  ) {
    let index = random.below(pointers.count)
    switch random.below(5) {
    case 0:
      seq += 1
      counts.append()
    case 1:
      pointers.append(seq)
      counts.add(1, after: 0, upTo: seq)
    case 2 where pointers.count > 1:
      counts.add(-1, after: 0, upTo: pointers.remove(at: index))
    default:
      let read = pointers[index] + random.below(seq - pointers[index] + 1)
      counts.add(1, after: pointers[index], upTo: read)
      pointers[index] = read
    }
  }
}
