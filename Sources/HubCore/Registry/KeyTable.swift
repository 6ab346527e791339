package import HubProtocol

/// Which keyed sends the hub remembers: the newest 1,000,000 of the last 24 h (protocol,
/// "Messages"). One entry is 32 bytes in one of many small pages chosen by the hash, so that a
/// look-up reads one page and a write after a snapshot copies one.
package struct KeyTable: Sendable {
  /// Keyed sends remembered at most.
  package static let capacity = 1_000_000
  /// How long one is remembered.
  package static let lifetimeMilliseconds = 24 * 3_600 * 1_000

  /// What a repeated key answers.
  package struct Sent: Equatable, Sendable {
    package let seq: Int
    package let ts: Timestamp

    package init(seq: Int, ts: Timestamp) {
      self.seq = seq
      self.ts = ts
    }
  }

  struct Entry: Sendable {
    let low: UInt64
    let high: UInt64
    /// Seq in the upper 48 bits, the lower half of the ordinal below.
    let seqAndOrdinal: UInt64
    /// Milliseconds in the upper 48 bits, the upper half of the ordinal below.
    let tsAndOrdinal: UInt64

    init(low: UInt64, high: UInt64, seqAndOrdinal: UInt64, tsAndOrdinal: UInt64) {
      self.low = low
      self.high = high
      self.seqAndOrdinal = seqAndOrdinal
      self.tsAndOrdinal = tsAndOrdinal
    }

    init(hash: (low: UInt64, high: UInt64), sent: Sent, ordinal: UInt32) {
      low = hash.low
      high = hash.high
      seqAndOrdinal = UInt64(sent.seq) << 16 | UInt64(ordinal & 0xffff)
      tsAndOrdinal = UInt64(sent.ts.milliseconds) << 16 | UInt64(ordinal >> 16)
    }

    var ordinal: UInt32 {
      UInt32(tsAndOrdinal & 0xffff) << 16 | UInt32(seqAndOrdinal & 0xffff)
    }
    var sent: Sent {
      Sent(
        seq: Int(seqAndOrdinal >> 16), ts: Timestamp(milliseconds: Int(tsAndOrdinal >> 16)))
    }
  }

  let hashKey: SipHash.Key
  private let capacity: UInt32
  var pages: [[Entry]]
  var ordinal: UInt32 = 0

  /// `capacity` and `pageCount` differ from their defaults in tests only.
  package init(hashKey: SipHash.Key, capacity: Int = Self.capacity, pageCount: Int = 4_096) {
    self.hashKey = hashKey
    self.capacity = UInt32(capacity)
    pages = Array(repeating: [], count: pageCount)
  }

  /// The send that first used the key, if it is remembered at `now`.
  package func find(sender: UserRef, channel: ChannelRef, key: String, now: Timestamp) -> Sent? {
    let hash = hash(sender: sender, channel: channel, key: key)
    let match = pages[page(of: hash)].last { $0.low == hash.low && $0.high == hash.high }
    guard let match, isAlive(match, now: now) else { return nil }
    return match.sent
  }

  /// Remembers a send, and forgets what the page holds that is too old.
  package mutating func insert(sender: UserRef, channel: ChannelRef, key: String, sent: Sent) {
    let hash = hash(sender: sender, channel: channel, key: key)
    let page = page(of: hash)
    ordinal &+= 1
    // Taken out while it changes, so that nothing but this page is copied.
    var entries: [Entry] = []
    swap(&entries, &pages[page])
    var dead = 0
    while dead < entries.count, !isAlive(entries[dead], now: sent.ts) { dead += 1 }
    if dead * 2 > entries.count { entries.removeFirst(dead) }
    entries.append(Entry(hash: hash, sent: sent, ordinal: ordinal))
    swap(&entries, &pages[page])
  }

  private func isAlive(_ entry: Entry, now: Timestamp) -> Bool {
    ordinal &- entry.ordinal < capacity
      && now < entry.sent.ts.advanced(byMilliseconds: Self.lifetimeMilliseconds)
  }

  private func page(of hash: (low: UInt64, high: UInt64)) -> Int {
    Int(hash.high % UInt64(pages.count))
  }

  private func hash(
    sender: UserRef, channel: ChannelRef, key: String
  ) -> (low: UInt64, high: UInt64) {
    var hash = SipHash(key: hashKey)
    hash.add(sender.index)
    hash.add(channel.index)
    for byte in key.utf8 { hash.add(byte) }
    return hash.finish()
  }
}
