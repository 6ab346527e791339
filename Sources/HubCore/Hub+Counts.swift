import HashTreeCollections
import HubProtocol

/// Numbers that are absolute and told at a bounded rate (protocol, "Receipts and unread").
extension Hub {
  /// Tells every member who is there what counts as unread for them now, where it changed.
  mutating func tellUnread(in channel: ChannelRef) {
    for user in audiences[channel]?.online ?? [] { tellUnreadNow(of: user, in: channel) }
  }

  /// Tells one user's connections at once, if their count changed.
  mutating func tellUnreadNow(of user: UserRef, in channel: ChannelRef) {
    guard online[user] != nil, registry.channels[channel.index].kind != .broadcast,
      let standing = registry.standing(of: user, in: channel)
    else { return }
    let count = OnlineUser.Count(unread: standing.unread, mentions: standing.mentions)
    online[user]?.update(channel, to: count)
    guard online[user]?.tell(channel) == true else { return }
    tellUnread(of: user, in: channel, count)
  }

  /// Tells somebody who has just read on what is left: also when that is what they were told last,
  /// before messages came that they have not been told of.
  mutating func tellUnread(of user: UserRef, in channel: ChannelRef, whoHadRead before: Int) {
    let countable = registry.channels[channel.index].countable
    let read = registry.channels[channel.index].members[user]?.read ?? before
    if countable.unread(by: user, after: before) != countable.unread(by: user, after: read) {
      online[user]?.doubt(channel)
    }
    tellUnreadNow(of: user, in: channel)
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
    guard !unreadPacer.waiting.isEmpty else { return }
    let joined = registry.users[user.index].channels
    let candidates =
      unreadPacer.waiting.count < joined.count ? Array(unreadPacer.waiting) : joined
    for channel in candidates where unreadPacer.waiting.contains(channel) {
      // What was counted at the same seq needs no second count.
      let seq = registry.channels[channel.index].seq
      guard online[user]?.beginCount(of: channel, at: seq) == true else { continue }
      guard let standing = registry.standing(of: user, in: channel) else { continue }
      let count = OnlineUser.Count(unread: standing.unread, mentions: standing.mentions)
      online[user]?.update(channel, to: count)
    }
  }

  /// Notes that the messages after `before` and up to `read` were read by one more member, to be
  /// told as numbers where the channel is too large for each receipt.
  mutating func noteNewlyRead(
    after before: Int, upTo read: Int, in channel: ChannelRef, at moment: Moment
  ) {
    let state = registry.channels[channel.index]
    let first = max(before, state.seq - ReadCounts.limit) + 1
    guard state.readCounts != nil, first <= read else { return }
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
    tell(subscribedMembers(of: channel), .readBy(state.name, changed))
  }

  /// The connections of members that are subscribed. Guests are not looked at, however many.
  func subscribedMembers(of channel: ChannelRef) -> [ConnectionID] {
    guard let audience = audiences[channel] else { return [] }
    return audience.online.flatMap { member in
      connections(of: member).filter { audience.subscribers[$0] != nil }
    }
  }
}
