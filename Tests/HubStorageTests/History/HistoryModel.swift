import HubCore
import HubProtocol

/// History as a list that is looked through from one end to the other.
struct HistoryModel {
  private var messages: [StoredMessage] = []
  private var floors: [ChannelRef: Int] = [:]
  private var notified: [StoredNotification] = []
  /// The messages with a text, in the order in which they came.
  private var order: [Place] = []

  private struct Place: Hashable {
    let channel: ChannelRef
    let seq: Int
  }

  mutating func take(_ change: HistoryChange) {
    switch change {
    case .put(let new):
      let place = Place(channel: new.channel, seq: new.message.seq)
      messages.removeAll { $0.channel == new.channel && $0.message.seq == new.message.seq }
      messages.append(new)
      if new.message.content.text != nil, !order.contains(place) { order.append(place) }
    case .notified(let new):
      notified.removeAll { $0.number == new.number }
      notified.append(new)
    case .removed(let channel): floors[channel] = .max
    case .expired(let channel, let seq): floors[channel] = max(floors[channel] ?? 0, seq)
    }
  }

  /// What is kept, by channel and seq, as history tells it.
  var kept: [StoredMessage] {
    let visible = messages.filter { $0.message.seq > floors[$0.channel] ?? 0 }
    var answers: [Place: Int] = [:]
    for one in visible where !one.message.isDeleted {
      guard let parent = one.message.replyTo else { continue }
      answers[Place(channel: one.channel, seq: parent), default: 0] += 1
    }
    return visible.map { one in
      let place = Place(channel: one.channel, seq: one.message.seq)
      return one.answered(byInAll: answers[place] ?? 0)
    }.sorted { ($0.channel, $0.message.seq) < ($1.channel, $1.message.seq) }
  }

  func answer(_ query: HistoryQuery) -> HistoryAnswer {
    switch query {
    case .range(let channel, let range):
      return .messages(kept(channel).filter { range.contains($0.message.seq) })
    case .thread(let channel, let seq, let after, let limit):
      let isKnown = messages.contains { $0.channel == channel }
      guard isKnown, seq > floors[channel] ?? 0 else { return .nothingExact }
      let replies = kept(channel).filter { $0.message.replyTo == seq && $0.message.seq > after }
      return .messages(Array(replies.prefix(limit + 1)))
    case .facts(let channel, let seqs, let key):
      let first = kept(channel).first { $0.author == key?.sender && $0.message.key == key?.key }
      return .facts(
        kept(channel).filter { seqs.contains($0.message.seq) },
        first: key == nil ? nil : first?.sent)
    case .missed(let channel, let range, let rev, let upTo, let limit):
      return missed(kept(channel), range, rev, upTo, limit)
    case .posts(let channels, let below, let limit):
      let posts = kept.filter { channels.contains($0.channel) && $0.message.replyTo == nil }
      let sorted = posts.sorted { $0.place > $1.place }
      let page = sorted.filter { post in below.map { post.place < $0 } ?? true }.prefix(limit)
      return .messages(Array(page))
    case .search(let search): return .found(found(search), next: nil)
    case .notifications(let numbers):
      let found = notified.filter { numbers.contains($0.number) }
      return .notifications(found.sorted { $0.number < $1.number })
    }
  }

  private func kept(_ channel: ChannelRef) -> [StoredMessage] {
    kept.filter { $0.channel == channel }
  }

  private func missed(
    _ kept: [StoredMessage], _ range: ClosedRange<Int>?, _ rev: Int?, _ upTo: Int, _ limit: Int
  ) -> HistoryAnswer {
    let after = kept.filter { range?.contains($0.message.seq) == true }
    guard after.count == range?.count ?? 0, after.count <= limit else { return .nothingExact }
    guard let rev else { return .missed(messages: after, changed: []) }
    let changed = kept.filter { $0.message.rev > rev && $0.message.seq <= upTo }
    let isTooMuch = after.count + changed.count > limit
    return .missed(messages: after, changed: isTooMuch ? nil : changed)
  }

  private func found(_ search: HistorySearch) -> [StoredMessage] {
    let words = search.text.split(separator: " ").map(String.init)
    guard let last = words.last else { return [] }
    let hits = kept.filter { stored in
      guard search.channels.contains(stored.channel), !search.excluded.contains(stored.author),
        let text = stored.message.content.text
      else { return false }
      let present = text.split(separator: " ").map(String.init)
      return words.dropLast().allSatisfy(present.contains)
        && present.contains { $0.hasPrefix(last) }
    }
    let newestFirst = order.reversed().compactMap { place in
      hits.first { $0.channel == place.channel && $0.message.seq == place.seq }
    }
    return Array(newestFirst.prefix(search.limit))
  }
}

extension StoredMessage {
  var place: PostPlace {
    PostPlace(ts: message.ts, channel: message.channel, seq: message.seq)
  }

  var sent: KeyTable.Sent { KeyTable.Sent(seq: message.seq, ts: message.ts) }

  /// Everything that can be seen of it, but how many answer it.
  var content: [String] {
    [
      "\(channel.index) \(message.channel) \(message.seq) \(author.index)",
      "\(answered(byInAll: 0).body)",
    ]
  }

  /// Everything that can be seen of it.
  var whole: [String] { content + ["\(message.replyCount)"] }
}

extension HistoryAnswer {
  /// Everything that can be seen of it.
  var whole: [[String]] {
    switch self {
    case .messages(let messages): [["messages"]] + messages.map(\.whole)
    case .facts(let messages, let first):
      [["facts", first.map { "\($0.seq) \($0.ts)" } ?? ""]] + messages.map(\.whole)
    case .missed(let messages, let changed):
      [["missed", "\(changed?.count ?? -1)"]] + messages.map(\.whole) + (changed ?? []).map(\.whole)
    case .nothingExact: [["nothing exact"]]
    case .found(let messages, _): [["found"]] + messages.map(\.whole)
    case .notifications(let notifications): [["notifications"]] + notifications.map { ["\($0)"] }
    case .damaged(let reason), .failed(let reason): [["failed", reason]]
    }
  }

  /// Whether nothing different can be seen of the other one.
  func isLike(_ other: HistoryAnswer) -> Bool { whole == other.whole }

  /// The messages in it; nil when it failed.
  var messages: [StoredMessage]? {
    switch self {
    case .messages(let messages), .facts(let messages, _), .found(let messages, _): messages
    case .missed(let messages, let changed): messages + (changed ?? [])
    case .nothingExact, .notifications: []
    case .damaged, .failed: nil
    }
  }
}
