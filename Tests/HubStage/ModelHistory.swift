package import HubCore
import HubProtocol

/// History as plainly as it can be said: every message that it was told of, in memory, as the bytes
/// that would be stored. Whatever it is asked, it looks through all of them.
package struct ModelHistory: Equatable {
  /// One message as it is stored.
  private struct Row: Equatable {
    /// Place in the order in which messages first came.
    let order: Int
    let author: UserRef
    let channel: ChannelName
    let body: [UInt8]
  }

  private var rows: [ChannelRef: [Int: Row]] = [:]
  private var removed: Set<ChannelRef> = []
  /// Up to where each channel's messages are no longer kept.
  private var floors: [ChannelRef: Int] = [:]
  /// What notifications say, by number.
  private var bodies: [Int: StoredNotification] = [:]
  private var count = 0
  /// What it was told and could not store, or read again; empty at the end of every test.
  package private(set) var flaws: [String] = []

  package init() {}

  /// What a history that was lost is given back from memory.
  package init(seededFrom registry: Registry) {
    registry.seedHistory { take($0) }
  }

  /// Messages that are kept.
  package var messageCount: Int { rows.values.reduce(0) { $0 + $1.count } }

  /// Forgets what these notifications say, as if the disk had lost it.
  package mutating func lose(_ numbers: [Int]) {
    for number in numbers { bodies[number] = nil }
  }

  /// Takes what history is to learn. What is gone stays gone, whatever comes again.
  package mutating func take(_ changes: [HistoryChange]) {
    for change in changes {
      switch change {
      case .put(let message): put(message)
      case .notified(let body): bodies[body.number] = body
      case .removed(let channel):
        removed.insert(channel)
        rows[channel] = nil
      case .expired(let channel, let seq):
        floors[channel] = max(floors[channel] ?? 0, seq)
        rows[channel] = rows[channel]?.filter { $0.key > seq }
      }
    }
  }

  private mutating func put(_ stored: StoredMessage) {
    let (channel, seq) = (stored.channel, stored.message.seq)
    guard !removed.contains(channel), seq > floors[channel] ?? 0 else { return }
    let known = rows[channel]?[seq]
    if known == nil { count += 1 }
    // How many answer it is counted, not kept.
    let row = Row(
      order: known?.order ?? count, author: stored.author, channel: stored.message.channel,
      body: stored.answered(byInAll: 0).body)
    if let known, known.author != row.author || known.channel != row.channel {
      flaws.append("message \(seq) of channel \(channel.index) changed hands")
    }
    rows[channel, default: [:]][seq] = row
    if read(row, channel, seq, [:])?.body != row.body {
      flaws.append("message \(seq) of channel \(channel.index) cannot be read as it was written")
    }
  }
}

/// What is asked.
extension ModelHistory {
  package func answer(_ query: HistoryQuery) -> HistoryAnswer {
    switch query {
    case .range(let channel, let range):
      .messages(messages(of: channel).filter { range.contains($0.message.seq) })
    case .thread(let channel, let seq, let after, let limit):
      thread(of: seq, in: channel, after: after, limit: limit)
    case .facts(let channel, let seqs, let key):
      .facts(
        messages(of: channel).filter { seqs.contains($0.message.seq) },
        first: key.flatMap { firstUse(of: $0.key, by: $0.sender, in: channel) })
    case .missed(let channel, let range, let changedAfter, let seq, let limit):
      missed(in: channel, range, changedAfter: changedAfter, upTo: seq, limit: limit)
    case .posts(let channels, let below, let limit):
      .messages(posts(of: channels, below: below, limit: limit))
    case .notifications(let numbers): .notifications(numbers.sorted().compactMap { bodies[$0] })
    case .search(let search): found(search)
    }
  }

  /// Forgets what is not in `live`.
  package mutating func sweep(_ live: LiveNotifications) {
    bodies = bodies.filter { live.contains($0.key) }
  }

  /// What is answered where there is no history.
  package static func nothing(_ query: HistoryQuery) -> HistoryAnswer {
    switch query {
    case .range: .messages([])
    case .facts: .facts([], first: nil)
    case .notifications: .notifications([])
    case .thread, .missed, .posts, .search: .nothingExact
    }
  }

  /// All messages of a channel, by ascending seq.
  package func messages(of channel: ChannelRef) -> [StoredMessage] {
    let rows = (rows[channel] ?? [:]).sorted { $0.key < $1.key }
    var replies: [Int: Int] = [:]
    for (seq, row) in rows {
      guard let message = read(row, channel, seq, [:])?.message, !message.isDeleted,
        let parent = message.replyTo
      else { continue }
      replies[parent, default: 0] += 1
    }
    return rows.compactMap { read($0.value, channel, $0.key, replies) }
  }

  private func read(
    _ row: Row, _ channel: ChannelRef, _ seq: Int, _ replies: [Int: Int]
  ) -> StoredMessage? {
    try? StoredMessage(
      body: row.body, channel: channel, named: row.channel, seq: seq, author: row.author,
      replyCount: replies[seq] ?? 0)
  }

  private func thread(
    of seq: Int, in channel: ChannelRef, after: Int, limit: Int
  ) -> HistoryAnswer {
    let all = messages(of: channel)
    guard all.contains(where: { $0.message.seq == seq }) else { return .nothingExact }
    let replies = all.filter { $0.message.replyTo == seq && $0.message.seq > after }
    return .messages(Array(replies.prefix(limit + 1)))
  }

  private func firstUse(
    of key: String, by sender: UserRef, in channel: ChannelRef
  ) -> KeyTable.Sent? {
    let first = messages(of: channel).first { $0.author == sender && $0.message.key == key }
    return first.map { KeyTable.Sent(seq: $0.message.seq, ts: $0.message.ts) }
  }

  private func missed(
    in channel: ChannelRef, _ range: ClosedRange<Int>?, changedAfter rev: Int?, upTo seq: Int,
    limit: Int
  ) -> HistoryAnswer {
    let all = messages(of: channel)
    let missed = all.filter { range?.contains($0.message.seq) ?? false }
    guard missed.count == range?.count ?? 0 else { return .nothingExact }
    let changed = all.filter { stored in
      rev.map { stored.message.rev > $0 && stored.message.seq <= seq } ?? false
    }
    guard missed.count + changed.count <= limit else { return .nothingExact }
    return .missed(messages: missed, changed: changed)
  }

  private func posts(
    of channels: [ChannelRef], below bound: PostPlace?, limit: Int
  ) -> [StoredMessage] {
    func place(of stored: StoredMessage) -> PostPlace {
      PostPlace(
        ts: stored.message.ts, channel: stored.message.channel, seq: stored.message.seq)
    }
    let posts = channels.flatMap { messages(of: $0) }.filter { stored in
      stored.message.replyTo == nil && bound.map { place(of: stored) < $0 } ?? true
    }
    return Array(posts.sorted { place(of: $1) < place(of: $0) }.prefix(limit))
  }
}

/// Search: all words, the last one as the beginning of a word.
extension ModelHistory {
  private func found(_ search: HistorySearch) -> HistoryAnswer {
    let wanted = Self.words(of: search.text)
    guard let last = wanted.last else { return .found([], next: nil) }
    var found: [(order: Int, stored: StoredMessage)] = []
    for channel in search.channels {
      for stored in messages(of: channel) where !search.excluded.contains(stored.author) {
        let words = Self.words(of: stored.message.content.text ?? "")
        let order = rows[channel]?[stored.message.seq]?.order ?? 0
        guard !stored.message.isDeleted, order < search.below ?? .max,
          wanted.dropLast().allSatisfy(words.contains),
          words.contains(where: { $0.hasPrefix(last) })
        else { continue }
        found.append((order, stored))
      }
    }
    found.sort { $0.order > $1.order }
    let page = found.prefix(search.limit)
    return .found(page.map(\.stored), next: page.count < found.count ? page.last?.order : nil)
  }

  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
