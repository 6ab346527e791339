import HubProtocol

/// One page of a channel's messages, as its reader sees them.
struct HistoryPage: Sendable {
  /// Oldest first.
  let messages: [MessageView]
  /// Whether more lie beyond the page in its direction; around a message, on either side.
  let hasMore: Bool
}

/// Where a page lies in the channel's numbering.
struct HistoryRange: Sendable {
  let range: ClosedRange<Int>
  let hasMore: Bool
  /// The message that must be on the page.
  let anchor: Int

  /// Nil when the channel has no message there. Refused below `floor`, where messages are no longer
  /// kept.
  init?(
    _ anchor: MessageHistory.Anchor, limit: Int, seq: Int, floor: Int
  ) throws(Refusal) {
    guard seq > 0 else { return nil }
    var lower: Int
    let upper: Int
    switch anchor {
    case .before(let bound):
      upper = min(bound - 1, seq)
      guard upper >= 1 else { return nil }
      lower = upper - limit + 1
      self.anchor = upper
    case .after(let bound):
      lower = bound + 1
      guard lower <= seq else { return nil }
      upper = min(seq, lower + limit - 1)
      self.anchor = lower
    case .around(let center):
      let middle = min(max(center, 1), seq)
      upper = min(seq, max(1, middle - (limit - 1) / 2) + limit - 1)
      lower = upper - limit + 1
      self.anchor = middle
    }
    guard self.anchor > floor else { throw .gone(above: floor, of: seq) }
    lower = max(floor + 1, lower)
    hasMore =
      switch anchor {
      case .before: lower > floor + 1
      case .after: upper < seq
      case .around: lower > floor + 1 || upper < seq
      }
    range = lower...upper
  }
}

/// History, from memory as far as it goes.
extension Registry {
  /// What `message.history` can be answered with.
  enum HistoryReply {
    case page(HistoryPage)
    /// The window does not reach: ask history.
    case older(HistoryRange)
  }

  /// Answers from the window, or says what to ask of history.
  func history(
    _ request: MessageHistory, in channel: ChannelRef, for user: UserRef
  ) throws(Refusal) -> HistoryReply {
    let state = channels[channel.index]
    let place = try HistoryRange(
      request.anchor, limit: request.limit, seq: state.seq, floor: state.floor)
    guard let place else { return .page(HistoryPage(messages: [], hasMore: false)) }
    guard let first = state.window.firstSeq, first <= place.range.lowerBound else {
      return .older(place)
    }
    let messages = views(state.window.messages(in: place.range), in: channel, for: user)
    return .page(page(messages, at: place))
  }

  /// A page of what history had and what is in memory; nil when the message that must be on it is
  /// not kept.
  func page(
    _ loaded: [StoredMessage], at place: HistoryRange, in channel: ChannelRef, for user: UserRef
  ) -> HistoryPage? {
    var found: [Int: MessageView] = [:]
    for stored in loaded { found[stored.message.seq] = present(stored, for: user) }
    for message in channels[channel.index].window.messages(in: place.range) {
      found[message.seq] = view(message, in: channel, for: user)
    }
    // What is missing ends the page: there are no holes in it.
    guard found[place.anchor] != nil else { return nil }
    var low = place.anchor
    var high = place.anchor
    while low > place.range.lowerBound, found[low - 1] != nil { low -= 1 }
    while high < place.range.upperBound, found[high + 1] != nil { high += 1 }
    let whole = page((low...high).compactMap { found[$0] }, at: place)
    let isCut = low > place.range.lowerBound || high < place.range.upperBound
    return HistoryPage(messages: whole.messages, hasMore: whole.hasMore || isCut)
  }

  /// As much of the messages around the anchor as a page takes.
  private func page(_ messages: [MessageView], at place: HistoryRange) -> HistoryPage {
    let anchor =
      messages.firstIndex { $0.message.seq == place.anchor } ?? messages.startIndex
    var budget = PageBudget()
    var low = anchor
    var high = anchor
    var mayGrow = (low: true, high: true)
    while mayGrow.low || mayGrow.high {
      mayGrow.high = high < messages.endIndex && budget.takes(messages[high].message.weight)
      if mayGrow.high { high += 1 }
      mayGrow.low = low > messages.startIndex && budget.takes(messages[low - 1].message.weight)
      if mayGrow.low { low -= 1 }
    }
    return HistoryPage(
      messages: Array(messages[low..<high]),
      hasMore: place.hasMore || high - low < messages.count)
  }

  /// Replies to a message, oldest first (protocol, "Messages": `message.thread`); nil when memory
  /// does not reach, and history is to be asked.
  func thread(
    _ request: MessageThread, in channel: ChannelRef, for user: UserRef
  ) throws(Refusal) -> HistoryPage? {
    let state = channels[channel.index]
    guard 1 <= request.seq, request.seq <= state.seq else {
      throw Refusal(.notFound, "there is no message \(request.seq)")
    }
    guard request.seq > state.floor else { throw .gone(above: state.floor, of: state.seq) }
    let lowest = max(request.seq, request.after) + 1
    guard lowest <= state.seq else { return HistoryPage(messages: [], hasMore: false) }
    guard let first = state.window.firstSeq, first <= lowest else { return nil }
    let replies = state.window.messages(in: lowest...state.seq).lazy
      .filter { $0.replyTo == request.seq }.prefix(request.limit + 1)
    return page(replies.map { self.view($0, in: channel, for: user) }, limit: request.limit)
  }

  /// The first messages of a list, as many as a page takes.
  func page(_ messages: [MessageView], limit: Int) -> HistoryPage {
    var budget = PageBudget()
    let page = messages.prefix(limit).prefix { budget.takes($0.message.weight) }
    return HistoryPage(messages: Array(page), hasMore: page.count < messages.count)
  }
}

extension Refusal {
  /// What was asked for is no longer there.
  static var gone: Refusal { Refusal(.historyGone, "these messages are no longer kept") }

  /// What was asked for lies below what is kept of a channel.
  static func gone(above floor: Int, of seq: Int) -> Refusal {
    guard floor < seq else { return .gone }
    return Refusal(
      .historyGone,
      "these messages are no longer kept; the oldest message that is kept is \(floor + 1)")
  }

  /// A cursor that does not belong to the list.
  static var foreignCursor: Refusal {
    Refusal(.badRequest, "`cursor` is not one that this list gave")
  }
}
