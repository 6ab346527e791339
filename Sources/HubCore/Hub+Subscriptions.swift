import HashTreeCollections
import HubProtocol

/// Subscribing and recovery, history (protocol, sections of these names).
extension Hub {
  mutating func subscribe(
    _ request: Subscribe, _ origin: Origin, by user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.visibleChannel(request.channel, to: user, at: moment.wall)
    let missed: Registry.Missed?
    let isRecovered: Bool
    if let since = request.since {
      missed = registry.missed(since: since, in: channel)
      isRecovered = missed != nil
    } else {
      missed = Registry.Missed(
        messages: registry.newest(request.limit, in: channel), changed: nil)
      isRecovered = false
    }
    let state = registry.channels[channel.index]
    answer(
      origin,
      .subscribed(
        SubscribeReply(
          epoch: state.epoch, seq: state.seq, rev: state.rev, isRecovered: isRecovered,
          messages: registry.views(missed?.messages ?? [], in: channel, for: user),
          changed: missed?.changed.map { registry.views($0, in: channel, for: user) })))
    if audiences[channel, default: Audience()].subscribe(origin.connection, of: user) {
      sessions[origin.connection]?.subscriptions.insert(channel)
      noteSpecial(user, in: channel)
      effects.append(.subscribed(origin.connection, channel))
    }
  }

  /// Unsubscribing from what is not there, or not subscribed to, is a repetition: ok.
  mutating func unsubscribe(_ name: ChannelName, _ origin: Origin, by user: UserRef) {
    if let channel = registry.channelRefs[name],
      endSubscription(of: origin.connection, user, to: channel)
    {
      forgetIfEmpty(channel)
    }
    answer(origin, .empty)
  }

  mutating func history(
    _ request: MessageHistory, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.visibleChannel(request.channel, to: user, at: moment.wall)
    switch registry.history(request, in: channel) {
    case .page(let page):
      answer(origin, page, in: channel, for: user)
    case .older(let query, let place):
      let read = PendingRead(origin: origin, user: user, channel: channel, place: place)
      effects.append(.loadOlder(query, read))
    }
  }

  mutating func thread(
    _ request: MessageThread, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.visibleChannel(request.channel, to: user, at: moment.wall)
    let (messages, hasMore) = try registry.thread(request, in: channel)
    answer(
      origin,
      .history(registry.views(messages, in: channel, for: user), hasMore: hasMore))
  }

  /// Answers a read whose messages were asked of history: with the page, or, when history has
  /// nothing (`page` nil), with what is in memory. Somebody who was removed meanwhile gets nothing:
  /// there is nothing of a channel behind its `unsubscribed`.
  package mutating func resume(
    _ read: PendingRead, with page: HistoryPage?, at moment: Moment
  ) {
    guard sessions[read.origin.connection]?.user == read.user else { return }
    let name = registry.channels[read.channel.index].name
    do throws(Refusal) {
      let (channel, _) = try registry.visibleChannel(name, to: read.user, at: moment.wall)
      guard channel == read.channel else { throw .noChannel(name) }
    } catch {
      return refuse(read.origin, error)
    }
    if let page = page ?? registry.keptHistory(at: read.place, in: read.channel) {
      answer(read.origin, page, in: read.channel, for: read.user)
    } else {
      refuse(read.origin, Refusal(.historyGone, "these messages are no longer kept"))
    }
  }

  private mutating func answer(
    _ origin: Origin, _ page: HistoryPage, in channel: ChannelRef, for user: UserRef
  ) {
    answer(
      origin,
      .history(registry.views(page.messages, in: channel, for: user), hasMore: page.hasMore))
  }

  /// Drops the audience of a channel that nobody listens to any more.
  mutating func forgetIfEmpty(_ channel: ChannelRef) {
    guard audiences[channel]?.isEmpty == true else { return }
    audiences[channel] = nil
    toldPresent[channel] = nil
  }
}
