import HubCore
import HubProtocol
import HubStorage
import SeededRandom
import Synchronization

/// A history in memory that forgets like a database whose machine crashes: what is found is some
/// state between the one that was made durable last and the newest, whole and with its LSN.
final class SimulatedHistory: RecoveredHistory, Sendable {
  /// One message as it is stored.
  struct Row: Equatable, Sendable {
    let author: UserRef
    let channel: ChannelName
    let rev: Int
    let body: [UInt8]
  }

  /// What it holds at some moment.
  struct Contents: Equatable, Sendable {
    var applied = LSN(0)
    var rows: [ChannelRef: [Int: Row]] = [:]
    /// Up to where a channel's messages are no longer kept; `.max` when it is gone.
    var floors: [ChannelRef: Int] = [:]
    /// What notifications say, by number.
    var notified: [Int: StoredNotification] = [:]
  }

  /// From the one that is durable to the newest; never empty.
  private let versions: Mutex<[Contents]>

  init(_ versions: [Contents] = [Contents()]) {
    self.versions = Mutex(versions)
  }

  var contents: Contents { versions.withLock { $0.last ?? Contents() } }

  var applied: LSN { contents.applied }

  func append(_ changes: [HistoryChange], upTo lsn: LSN) {
    guard lsn > applied else { return }
    add { contents in
      contents.take(changes)
      contents.applied = lsn
    }
  }

  func seed(_ changes: [HistoryChange]) { add { $0.take(changes) } }

  func makeDurable(_ lsn: LSN) throws(HistoryFailure) {
    guard lsn <= applied else { throw .misplaced("record \(lsn.number) was not taken") }
    versions.withLock { $0 = Array($0.suffix(1)) }
  }

  func rewind(
    to lsn: LSN, end: @escaping @Sendable (ChannelRef) -> ChannelEnd?
  ) throws(HistoryFailure) -> Rewound {
    let before = contents
    var deleted = 0
    var ahead: [(channel: ChannelRef, seq: Int)] = []
    for (channel, rows) in before.rows {
      let end = end(channel)
      deleted += rows.keys.count { $0 > end?.seq ?? 0 }
      ahead += rows.filter { $0.key <= end?.seq ?? 0 && $0.value.rev > end?.rev ?? 0 }
        .map { (channel, $0.key) }
    }
    add { $0.rewind(to: lsn, end: end) }
    return Rewound(deleting: deleted, ahead: ahead)
  }

  /// What a crash of the machine leaves.
  func crash(_ random: inout SplitMix64) -> SimulatedHistory {
    let versions = versions.withLock { $0 }
    return SimulatedHistory([random.oneIn(3) ? contents : random.pick(versions)])
  }

  /// The same under a process that begins again.
  func restart() -> SimulatedHistory { SimulatedHistory(versions.withLock { $0 }) }

  func answer(_ query: HistoryQuery) -> HistoryAnswer {
    contents.answer(query)
  }

  private func add(_ change: (inout Contents) -> Void) {
    versions.withLock { versions in
      var contents = versions.last ?? Contents()
      change(&contents)
      versions.append(contents)
    }
  }
}

extension SimulatedHistory.Contents {
  mutating func take(_ changes: [HistoryChange]) {
    for change in changes {
      switch change {
      case .put(let stored): put(stored)
      case .removed(let channel): raise(channel, to: .max)
      case .expired(let channel, let seq): raise(channel, to: seq)
      case .notified(let stored): notified[stored.number] = stored
      }
    }
  }

  private mutating func put(_ stored: StoredMessage) {
    let (channel, message) = (stored.channel, stored.message)
    guard message.seq > floors[channel] ?? 0 else { return }
    // How many answer it is counted, not kept.
    rows[channel, default: [:]][message.seq] = SimulatedHistory.Row(
      author: stored.author, channel: message.channel, rev: message.rev,
      body: stored.answered(byInAll: 0).body)
  }

  private mutating func raise(_ channel: ChannelRef, to floor: Int) {
    guard floor > floors[channel] ?? 0 else { return }
    floors[channel] = floor
    keep(channel) { $0 > floor }
  }

  fileprivate mutating func rewind(to lsn: LSN, end: (ChannelRef) -> ChannelEnd?) {
    for channel in Set(rows.keys).union(floors.keys) {
      let end = end(channel)
      keep(channel) { $0 <= end?.seq ?? 0 }
      floors[channel] = end.flatMap { end in floors[channel].map { min($0, end.seq) } }
    }
    applied = lsn
  }

  private mutating func keep(_ channel: ChannelRef, where isKept: (Int) -> Bool) {
    let kept = (rows[channel] ?? [:]).filter { isKept($0.key) }
    rows[channel] = kept.isEmpty ? nil : kept
  }

  /// The messages of a channel, by ascending seq.
  func messages(of channel: ChannelRef) -> [StoredMessage] {
    (rows[channel] ?? [:]).sorted { $0.key < $1.key }.compactMap { seq, row in
      try? StoredMessage(
        body: row.body, channel: channel, named: row.channel, seq: seq, author: row.author,
        replyCount: 0)
    }
  }

  /// What requests about older messages need; nothing else is asked here.
  func answer(_ query: HistoryQuery) -> HistoryAnswer {
    switch query {
    case .range(let channel, let range):
      return .messages(messages(of: channel).filter { range.contains($0.message.seq) })
    case .facts(let channel, let seqs, let key):
      let all = messages(of: channel)
      let first = key.flatMap { key in
        all.first { $0.author == key.sender && $0.message.key == key.key }
      }
      return .facts(
        all.filter { seqs.contains($0.message.seq) },
        first: first.map { KeyTable.Sent(seq: $0.message.seq, ts: $0.message.ts) })
    case .notifications(let numbers):
      return .notifications(Set(numbers).sorted().compactMap { notified[$0] })
    case .thread, .missed, .posts, .search: return .nothingExact
    }
  }
}
