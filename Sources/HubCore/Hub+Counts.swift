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

  /// Sends the numbers, with the total brought up to date first.
  mutating func tellUnread(
    of user: UserRef, in channel: ChannelRef, _ count: OnlineUser.Count
  ) {
    refreshCounts(of: user)
    guard let person = online[user] else { return }
    tell(
      person.connections,
      .unread(
        UnreadCounts(
          channel: registry.channels[channel.index].name, unread: count.unread,
          mentions: count.mentions, total: person.total,
          at: registry.channels[channel.index].seq)))
  }

  /// Counts again in those of the user's channels that have changed without having been told yet.
  private mutating func refreshCounts(of user: UserRef) {
    guard !unreadPacer.waiting.isEmpty, let person = online[user] else { return }
    let joined = registry.users[user.index].channels
    let isFewWaiting = unreadPacer.waiting.count < joined.count
    let stale =
      isFewWaiting
      ? unreadPacer.waiting.filter { person.counts[$0] != nil }
      : Set(joined.filter(unreadPacer.waiting.contains))
    for channel in stale {
      guard let standing = registry.standing(of: user, in: channel) else { continue }
      let count = OnlineUser.Count(unread: standing.unread, mentions: standing.mentions)
      online[user]?.update(channel, to: count)
    }
  }

  /// Notes that messages up to `seq` were read by one more member, to be told as numbers.
  mutating func noteNewlyRead(upTo seq: Int, in channel: ChannelRef, at moment: Moment) {
    guard seq > 0 else { return }
    let before = newlyRead[channel]
    newlyRead[channel] = min(before?.lowerBound ?? seq, seq)...max(before?.upperBound ?? seq, seq)
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
    let members = (audiences[channel]?.subscribers ?? [:]).filter {
      state.members[$0.value] != nil
    }
    guard !changed.isEmpty else { return }
    tell(Array(members.keys), .readBy(state.name, changed))
  }
}
