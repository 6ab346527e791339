import HubCore
import HubProtocol
import SeededRandom

/// A made-up life of a few channels, one change or some a record, and what is asked in between.
struct HistoryLife {
  private static let words = ["apple", "apricot", "banana", "band", "cherry", "chess"]

  var random: SplitMix64
  private(set) var model = HistoryModel()
  /// The changes of every record so far.
  private(set) var records: [[HistoryChange]] = []
  private var channels = Array(0..<4)
  private var seqs: [Int: Int] = [:]
  private var revs: [Int: Int] = [:]
  private var present: [StoredMessage] = []
  private var now = 1_700_000_000_000

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  var lsn: Int { records.count }

  /// One more record; `isCalm` without channels that go and messages that expire.
  mutating func happen(isCalm: Bool = false) throws {
    now += random.below(3)
    var changes: [HistoryChange] = []
    for _ in 0..<(1 + random.below(3)) {
      changes.append(try isCalm ? message() : change())
    }
    for change in changes { model.take(change) }
    records.append(changes)
  }

  private mutating func change() throws -> HistoryChange {
    if random.oneIn(5) {
      return .notified(
        notification(random.below(60), random.pick(Self.words), isFull: random.oneIn(2)))
    }
    guard random.oneIn(25) else { return try message() }
    let place = random.below(channels.count)
    let index = channels[place]
    guard random.oneIn(4) else {
      return .expired(channel(index), upTo: random.below((seqs[index] ?? 0) + 2))
    }
    channels[place] = (channels.max() ?? 0) + 1
    present.removeAll { $0.channel == channel(index) }
    return .removed(channel(index))
  }

  private mutating func message() throws -> HistoryChange {
    if let old = present.indices.randomElement(using: &random), random.oneIn(3) {
      let after = changed(present[old])
      present[old] = after
      if after.message.isDeleted { present.remove(at: old) }
      return .put(after)
    }
    let index = random.pick(channels)
    let seq = (seqs[index] ?? 0) + 1
    seqs[index] = seq
    let new = try stored(
      seq, in: index, by: random.below(3), random.oneIn(8) ? nil : text(), ts: now,
      replyTo: seq > 1 && random.oneIn(3) ? 1 + random.below(seq - 1) : nil,
      key: random.oneIn(2) ? "key-\(random.below(12))" : nil)
    present.append(new)
    return .put(new)
  }

  private mutating func changed(_ old: StoredMessage) -> StoredMessage {
    let index = Int(old.channel.index)
    let rev = (revs[index] ?? 0) + 1
    revs[index] = rev
    let ts = Timestamp(milliseconds: now)
    let isTextless = old.message.content.text == nil
    switch random.below(isTextless ? 2 : 4) {
    case 0:
      return StoredMessage(
        channel: old.channel, author: old.author, message: old.message.deleted(ts: ts, rev: rev))
    case 1:
      return StoredMessage(
        channel: old.channel, author: old.author,
        message: old.message.reacted([ReactionCount("+", 2)], rev: rev),
        reactors: [[user(0), user(2)]])
    default:
      return StoredMessage(
        channel: old.channel, author: old.author,
        message: old.message.edited(MessageContent(text: text()), ts: ts, rev: rev),
        reactors: old.reactors)
    }
  }

  private mutating func text() -> String {
    (0...random.below(3)).map { _ in random.pick(Self.words) }.joined(separator: " ")
  }

  /// Something to ask.
  mutating func query() throws -> HistoryQuery {
    let index = random.below((channels.max() ?? 0) + 1)
    let seq = seqs[index] ?? 0
    let some = channel(index)
    switch random.below(7) {
    case 6: return .notifications(random.list(upTo: 70) { $0.below(70) })
    case 0:
      let low = random.below(seq + 2)
      return .range(some, low...(low + random.below(20)))
    case 1:
      return .thread(
        some, seq: 1 + random.below(seq + 1), after: random.below(seq + 1), limit: random.below(5))
    case 2:
      let seqs = random.list(upTo: 5) { $0.below(seq + 2) }
      let sender = user(random.below(3))
      return .facts(some, seqs: seqs, key: random.maybe { (sender, "key-\($0.below(12))") })
    case 3: return missed(some, seq)
    case 4:
      let below = random.oneIn(2) ? nil : present.randomElement(using: &random)?.place
      return .posts(
        random.list(upTo: 5) { channel($0.below(6)) }, below: below, limit: 1 + random.below(20))
    default: return .search(search())
    }
  }

  private mutating func missed(_ some: ChannelRef, _ seq: Int) -> HistoryQuery {
    let position = random.below(seq + 1)
    return .missed(
      some, range: position < seq ? position + 1...seq : nil,
      changedAfter: random.maybe { $0.below(20) }, upTo: position, limit: 1 + random.below(40))
  }

  private mutating func search() -> HistorySearch {
    let words = (0...random.below(2)).map { _ in random.pick(Self.words) }
    let text = words.joined(separator: " ")
    let highest = (channels.max() ?? 0) + 1
    return HistorySearch(
      text: String(text.prefix(max(1, text.count - random.below(3)))),
      channels: Set(random.list(upTo: 12) { channel($0.below(highest)) }),
      excluded: Set(random.list(upTo: 1) { user($0.below(3)) }), below: nil,
      limit: 1 + random.below(30))
  }
}
