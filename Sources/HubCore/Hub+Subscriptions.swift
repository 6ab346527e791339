import HashTreeCollections
import HubProtocol

/// Subscribing and recovery, history (protocol, sections of these names).
extension Hub {
  mutating func subscribe(
    _ request: Subscribe, _ origin: Origin, by user: UserRef
  ) throws(Refusal) {
    let (channel, _) = try registry.visibleChannel(request.channel, to: user)
    let messages: [Message]
    let isRecovered: Bool
    if let since = request.since {
      let missed = registry.missed(since: since, in: channel)
      messages = missed ?? []
      isRecovered = missed != nil
    } else {
      messages = registry.newest(request.limit, in: channel)
      isRecovered = false
    }
    let state = registry.channels[channel.index]
    answer(
      origin,
      .subscribed(
        SubscribeReply(
          epoch: state.epoch, seq: state.seq, rev: state.rev, isRecovered: isRecovered,
          messages: messages, viewer: registry.users[user.index].id)))
    if audiences[channel, default: Audience()].subscribe(origin.connection, of: user) {
      sessions[origin.connection]?.subscriptions.insert(channel)
      effects.append(.subscribed(origin.connection, channel))
    }
  }

  /// Unsubscribing from what is not there, or not subscribed to, is a repetition: ok.
  mutating func unsubscribe(_ name: ChannelName, _ origin: Origin) {
    if let channel = registry.channelRefs[name],
      audiences[channel]?.unsubscribe(origin.connection) == true
    {
      sessions[origin.connection]?.subscriptions.remove(channel)
      effects.append(.unsubscribed(origin.connection, channel))
      forgetIfEmpty(channel)
    }
    answer(origin, .empty)
  }

  mutating func history(
    _ request: MessageHistory, _ origin: Origin, for user: UserRef
  ) throws(Refusal) {
    let (channel, _) = try registry.visibleChannel(request.channel, to: user)
    switch registry.history(request, in: channel) {
    case .page(let page):
      answer(origin, page, for: user)
    case .older(let query, let place):
      let read = PendingRead(origin: origin, user: user, channel: channel, place: place)
      effects.append(.loadOlder(query, read))
    }
  }

  /// Answers a read whose messages were asked of history: with the page, or, when history has
  /// nothing (`page` nil), with what is in memory. Somebody who was removed meanwhile gets nothing:
  /// there is nothing of a channel behind its `unsubscribed`.
  package mutating func resume(_ read: PendingRead, with page: HistoryPage?) {
    guard sessions[read.origin.connection]?.user == read.user else { return }
    let state = registry.channels[read.channel.index]
    guard state.kind.isOpen || state.members[read.user] != nil else {
      return refuse(read.origin, .noChannel(state.name))
    }
    if let page = page ?? registry.keptHistory(at: read.place, in: read.channel) {
      answer(read.origin, page, for: read.user)
    } else {
      refuse(read.origin, Refusal(.historyGone, "these messages are no longer kept"))
    }
  }

  private mutating func answer(_ origin: Origin, _ page: HistoryPage, for user: UserRef) {
    let viewer = registry.users[user.index].id
    answer(
      origin, .history(messages: page.messages, hasMore: page.hasMore, viewer: viewer))
  }

  /// Drops the audience of a channel that nobody listens to any more.
  mutating func forgetIfEmpty(_ channel: ChannelRef) {
    if audiences[channel]?.isEmpty == true { audiences[channel] = nil }
  }
}
