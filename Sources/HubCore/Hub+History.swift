import HubProtocol

/// What is read of messages that may have left memory (protocol, "Messages"): answered from memory,
/// or when history has answered.
extension Hub {
  mutating func history(
    _ request: MessageHistory, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.visibleChannel(request.channel, to: user, at: moment.wall)
    switch try registry.history(request, in: channel, for: user) {
    case .page(let page):
      answer(origin, page)
    case .older(let place):
      ask(.range(channel, place.range), for: .history(channel, place), origin, user)
    }
  }

  mutating func thread(
    _ request: MessageThread, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.visibleChannel(request.channel, to: user, at: moment.wall)
    if let page = try registry.thread(request, in: channel, for: user) {
      return answer(origin, page)
    }
    let query = HistoryQuery.thread(
      channel, seq: request.seq, after: request.after, limit: request.limit)
    ask(query, for: .thread(channel, request), origin, user)
  }

  mutating func listFeed(
    below cursor: String?, _ limit: Int, _ origin: Origin, for user: UserRef
  ) throws(Refusal) {
    let place = try cursor.map { (text) throws(Refusal) in try PostPlace(cursor: text) }
    if let page = registry.feed(of: user, below: place, limit: limit) {
      return answer(origin, .messages(page.messages, cursor: page.cursor))
    }
    let query = HistoryQuery.posts(registry.feeds(of: user), below: place, limit: limit + 1)
    ask(query, for: .feed(limit: limit), origin, user)
  }

  mutating func search(
    _ request: MessageSearch, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    var below: Int?
    if let cursor = request.cursor {
      guard let place = Int(cursor), place >= 0 else { throw .foreignCursor }
      below = place
    }
    var channels = Set(registry.users[user.index].channels)
    if let name = request.channel {
      channels = [try registry.visibleChannel(name, to: user, at: moment.wall).ref]
    }
    let search = HistorySearch(
      text: request.query, channels: channels,
      excluded: Set(registry.users[user.index].blocked), below: below, limit: request.limit)
    ask(.search(search), for: .search(request, search), origin, user)
  }

  mutating func ask(
    _ query: HistoryQuery, for purpose: PendingRead.Purpose, _ origin: Origin, _ user: UserRef
  ) {
    effects.append(.ask(query, PendingRead(origin: origin, user: user, purpose: purpose)))
  }

  /// Goes on with a request for which something was asked of history.
  package mutating func resume(
    _ read: PendingRead, with answer: HistoryAnswer, at moment: Moment
  ) {
    let asked = read.purpose.bodies
    if !asked.isEmpty {
      learn(asked, from: answer)
      dropLost(of: read.user)
      tellWaiting(of: read.user, asked: asked)
    }
    if case .inboxTelling = read.purpose { return }
    guard sessions[read.origin.connection]?.user == read.user else { return }
    if read.holdsUp { return admit(read, with: answer, at: moment) }
    do {
      try finish(read, with: answer, at: moment)
    } catch {
      refuse(read.origin, error)
    }
  }

  private mutating func finish(
    _ read: PendingRead, with answer: HistoryAnswer, at moment: Moment
  ) throws(Refusal) {
    if case .failed = answer { throw .historyUnreadable }
    switch read.purpose {
    case .history(let channel, let place):
      try checkVisible(channel, to: read.user, at: moment)
      let page = registry.page(answer.messages, at: place, in: channel, for: read.user)
      guard let page else { throw .gone }
      self.answer(read.origin, page)
    case .thread(let channel, let request):
      try checkVisible(channel, to: read.user, at: moment)
      guard case .messages(let replies) = answer else { throw .gone }
      let views = replies.compactMap { registry.present($0, for: read.user) }
      self.answer(read.origin, registry.page(views, limit: request.limit))
    case .feed(let limit):
      guard case .messages(let posts) = answer else { throw .gone }
      let page = registry.feed(of: read.user, posts, limit: limit)
      self.answer(read.origin, .messages(page.messages, cursor: page.cursor))
    case .search(let request, let search):
      try finish(request, search, answer, read)
    case .inboxPage(let list, _):
      try listInbox(list, read.origin, for: read.user, at: moment)
    case .target(let body): acted(on: body, read.origin, by: read.user)
    case .admission, .subscription, .inbox, .inboxTelling:
      preconditionFailure("these are admitted, or nobody waits for an answer")
    }
  }

  /// What was found and may be seen. With more than one reply takes, fewer are asked for.
  private mutating func finish(
    _ request: MessageSearch, _ search: HistorySearch, _ answer: HistoryAnswer,
    _ read: PendingRead
  ) throws(Refusal) {
    guard case .found(let messages, let next) = answer else { throw .historyUnreadable }
    let user = registry.users[read.user.index]
    let views = messages.filter { stored in
      search.channels.contains(stored.channel)
        && (user.channels.contains(stored.channel)
          || request.channel != nil
            && registry.channels[stored.channel.index].kind.isOpen)
    }.compactMap { registry.present($0, for: read.user) }
      .filter { !$0.isHidden && !$0.message.isDeleted }
    var budget = PageBudget()
    let fitting = views.prefix { budget.takes($0.message.weight) }.count
    guard fitting == views.count else {
      let fewer = HistorySearch(
        text: search.text, channels: search.channels, excluded: search.excluded,
        below: search.below, limit: fitting)
      return ask(.search(fewer), for: .search(request, fewer), read.origin, read.user)
    }
    self.answer(read.origin, .messages(views, cursor: next.map(String.init)))
  }

  /// Somebody who was removed meanwhile gets nothing: there is nothing of a channel behind its
  /// `unsubscribed`.
  private func checkVisible(
    _ channel: ChannelRef, to user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let name = registry.channels[channel.index].name
    let (ref, _) = try registry.visibleChannel(name, to: user, at: moment.wall)
    guard channel == ref else { throw .noChannel(name) }
  }

  private mutating func answer(_ origin: Origin, _ page: HistoryPage) {
    answer(origin, .history(page.messages, hasMore: page.hasMore))
  }
}

extension Refusal {
  /// What would have to be read first cannot be read at the moment.
  static var historyUnreadable: Refusal {
    Refusal(.unavailable, "history cannot be read now", retryAfterMilliseconds: 1_000)
  }
}

extension HistoryAnswer {
  /// The messages of a range, as far as there are any.
  fileprivate var messages: [StoredMessage] {
    guard case .messages(let messages) = self else { return [] }
    return messages
  }
}
