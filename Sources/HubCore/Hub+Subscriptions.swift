import HashTreeCollections
import HubProtocol

/// Subscribing and recovery (protocol, section of that name).
extension Hub {
  /// `loaded` is what of the missed messages was not in memory when the request came.
  mutating func subscribe(
    _ request: Subscribe, _ loaded: LoadedMissed?, _ origin: Origin, by user: UserRef,
    at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.visibleChannel(request.channel, to: user, at: moment.wall)
    var missed: Registry.Missed?
    if let since = request.since {
      missed = registry.missed(since: since, in: channel, loaded, for: user)
    }
    let isRecovered = missed != nil
    if request.since == nil {
      let newest = registry.newest(request.limit, in: channel, loaded, for: user)
      missed = Registry.Missed(messages: newest, changed: nil)
    }
    let state = registry.channels[channel.index]
    answer(
      origin,
      .subscribed(
        SubscribeReply(
          epoch: state.epoch, seq: state.seq, rev: state.rev, isRecovered: isRecovered,
          messages: missed?.messages ?? [], changed: missed?.changed)))
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

  /// Drops the audience of a channel that nobody listens to any more.
  mutating func forgetIfEmpty(_ channel: ChannelRef) {
    guard audiences[channel]?.isEmpty == true else { return }
    audiences[channel] = nil
    toldPresent[channel] = nil
  }
}
