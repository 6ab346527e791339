import HashTreeCollections
import HubProtocol

/// Numbers that are absolute and told at a bounded rate (protocol, "Receipts and unread").
extension Hub {
  /// Tells every member who is there what counts as unread for them now, where it changed.
  mutating func tellUnread(in channel: ChannelRef, at moment: Moment) {
    for user in audiences[channel]?.online ?? [] {
      tellUnreadNow(of: user, in: channel, at: moment)
    }
  }

  /// Messages are no longer kept: what was unread of them is so no more.
  mutating func expired(_ expiries: [Record.Expiry], at moment: Moment) {
    for expiry in expiries
    where unreadPacer.mayHappen(in: expiry.channel, uptime: moment.uptime) {
      tellUnread(in: expiry.channel, at: moment)
    }
  }

  /// Tells one user's connections at once, if their count changed.
  mutating func tellUnreadNow(of user: UserRef, in channel: ChannelRef, at moment: Moment) {
    guard let count = countAgain(of: user, in: channel), online[user]?.tell(channel) == true
    else { return }
    tellUnread(of: user, in: channel, count)
  }

  /// Counts what is unread for a user who is there; nil where that is not told.
  @discardableResult
  mutating func countAgain(of user: UserRef, in channel: ChannelRef) -> OnlineUser.Count? {
    guard online[user] != nil, registry.channels[channel.index].kind != .broadcast,
      let (unread, mentions) = registry.unread(user, in: channel)
    else { return nil }
    let count = OnlineUser.Count(unread: unread, mentions: mentions)
    online[user]?.update(channel, to: count)
    return count
  }

  /// Tells somebody whose pointer has just moved what is unread now: also when that is what they
  /// were told last, before messages came that they have not been told of.
  mutating func tellUnread(
    of user: UserRef, in channel: ChannelRef, whoHadRead before: Int, at moment: Moment
  ) {
    let countable = registry.channels[channel.index].countable
    let read = registry.channels[channel.index].members[user]?.read ?? before
    let reader = registry.reader(user)
    if countable.unread(by: reader, after: before) != countable.unread(by: reader, after: read) {
      online[user]?.doubt(channel)
    }
    tellUnreadNow(of: user, in: channel, at: moment)
  }

  /// Sends the numbers, with the total brought up to date first.
  mutating func tellUnread(
    of user: UserRef, in channel: ChannelRef, _ count: OnlineUser.Count
  ) {
    refreshCounts(of: user)
    guard let total = online[user]?.tellTotal() else { return }
    tell(
      connections(of: user),
      .unread(
        UnreadCounts(
          channel: registry.channels[channel.index].name, unread: count.unread,
          mentions: count.mentions, total: total,
          at: registry.channels[channel.index].seq)))
  }

  /// Counts again in those of the user's channels that have changed without having been told yet.
  private mutating func refreshCounts(of user: UserRef) {
    let count = unreadPacer.waiting.count + settling.count
    guard count > 0 else { return }
    let joined = registry.users[user.index].channels
    let candidates =
      count < joined.count ? Array(unreadPacer.waiting) + Array(settling) : joined
    for channel in candidates
    where unreadPacer.waiting.contains(channel) || settling.contains(channel) {
      // What was counted from the same messages needs no second count.
      let version = registry.channels[channel.index].countable.version
      guard online[user]?.beginCount(of: channel, at: version) == true else { continue }
      countAgain(of: user, in: channel)
    }
  }

  /// Notes that the messages after `before` and up to `read` were read by one more member, to be
  /// told as numbers where the channel is too large for each receipt.
  mutating func noteNewlyRead(
    by user: UserRef, after before: Int, upTo read: Int, in channel: ChannelRef, at moment: Moment
  ) {
    let state = registry.channels[channel.index]
    let first = max(before, state.seq - ReadCounts.limit) + 1
    // Who hides receipts is not counted.
    guard state.readCounts != nil, first <= read, state.members[user]?.hidesReads == false else {
      return
    }
    let noted = newlyRead[channel] ?? first...read
    newlyRead[channel] = min(noted.lowerBound, first)...max(noted.upperBound, read)
    if receiptPacer.mayHappen(in: channel, uptime: moment.uptime) { publishReadBy(in: channel) }
  }

  /// Tells subscribed members how many have read each message that more have read since the last
  /// time.
  mutating func publishReadBy(in channel: ChannelRef) {
    let state = registry.channels[channel.index]
    guard let range = newlyRead.removeValue(forKey: channel), let counts = state.readCounts else {
      return
    }
    let changed = range.compactMap { seq in
      counts[seq].map { ReadCount(seq: seq, members: $0) }
    }
    guard !changed.isEmpty else { return }
    let readers = subscribedMembers(of: channel) {
      registry.users[$0.index].settings.showsReceipts
    }
    tell(readers, .readBy(state.name, changed))
  }

  /// The connections of members that are subscribed, and of whom `mayKnow` is true. Guests are not
  /// looked at, however many.
  func subscribedMembers(
    of channel: ChannelRef, where mayKnow: (UserRef) -> Bool
  ) -> [ConnectionID] {
    guard let audience = audiences[channel] else { return [] }
    return audience.online.filter(mayKnow).flatMap { member in
      connections(of: member).filter { audience.subscribers[$0] != nil }
    }
  }
}
