package import HubProtocol

/// One page of a channel's history.
package struct HistoryPage: Sendable {
  /// Oldest first.
  package let messages: [Message]
  /// Whether more lie beyond the page in its direction; around a message, on either side.
  package let hasMore: Bool

  package init(messages: [Message], hasMore: Bool) {
    self.messages = messages
    self.hasMore = hasMore
  }
}

/// Messages that are asked of history because the window does not hold all of them.
package struct OlderQuery: Equatable, Sendable {
  package let channel: ChannelName
  /// The numbering the range belongs to.
  package let epoch: String
  /// The numbers of the messages wanted.
  package let range: ClosedRange<Int>
}

/// Where a page lies in the channel's numbering.
package struct HistoryRange: Sendable {
  package let range: ClosedRange<Int>
  package let hasMore: Bool
  /// The message that must be on the page.
  package let anchor: Int

  /// Nil when the channel has no message there.
  package init?(_ anchor: MessageHistory.Anchor, limit: Int, seq: Int) {
    guard seq > 0 else { return nil }
    let lower: Int
    let upper: Int
    switch anchor {
    case .before(let bound):
      upper = min(bound - 1, seq)
      lower = max(1, upper - limit + 1)
      guard upper >= 1 else { return nil }
      self.anchor = upper
      hasMore = lower > 1
    case .after(let bound):
      lower = bound + 1
      guard lower <= seq else { return nil }
      upper = min(seq, lower + limit - 1)
      self.anchor = lower
      hasMore = upper < seq
    case .around(let center):
      let middle = min(max(center, 1), seq)
      upper = min(seq, max(1, middle - (limit - 1) / 2) + limit - 1)
      lower = max(1, upper - limit + 1)
      self.anchor = middle
      hasMore = lower > 1 || upper < seq
    }
    range = lower...upper
  }
}

/// History as far as it is in memory.
extension Registry {
  /// What `message.history` can be answered with.
  enum HistoryAnswer {
    case page(HistoryPage)
    /// The window does not reach: ask history.
    case older(OlderQuery, HistoryRange)
  }

  /// Answers from the window, or says what to ask of history.
  func history(_ request: MessageHistory, in channel: ChannelRef) -> HistoryAnswer {
    let state = channels[channel.index]
    let place = HistoryRange(request.anchor, limit: request.limit, seq: state.seq)
    guard let place else { return .page(HistoryPage(messages: [], hasMore: false)) }
    guard let first = state.window.firstSeq, first <= place.range.lowerBound else {
      return .older(
        OlderQuery(channel: request.channel, epoch: state.epoch, range: place.range), place)
    }
    return .page(page(state.window.messages(in: place.range), at: place))
  }

  /// What of the page is in memory when history has nothing, or nil when that would leave a hole.
  func keptHistory(at place: HistoryRange, in channel: ChannelRef) -> HistoryPage? {
    let window = channels[channel.index].window
    guard let first = window.firstSeq, first <= place.anchor else { return nil }
    let kept = page(window.messages(in: place.range), at: place)
    return HistoryPage(messages: kept.messages, hasMore: true)
  }

  /// As much of the messages around the anchor as a page takes.
  func page(_ messages: [Message], at place: HistoryRange) -> HistoryPage {
    let anchor = messages.firstIndex { $0.seq == place.anchor } ?? messages.startIndex
    var budget = PageBudget()
    var low = anchor
    var high = anchor
    var mayGrow = (low: true, high: true)
    while mayGrow.low || mayGrow.high {
      mayGrow.high = high < messages.endIndex && budget.takes(messages[high].weight)
      if mayGrow.high { high += 1 }
      mayGrow.low = low > messages.startIndex && budget.takes(messages[low - 1].weight)
      if mayGrow.low { low -= 1 }
    }
    return HistoryPage(
      messages: Array(messages[low..<high]),
      hasMore: place.hasMore || high - low < messages.count)
  }
}
