import HashTreeCollections
import HubProtocol

/// Channels that a member does not want to be bothered with.
extension Hub {
  mutating func muted(
    _ channel: ChannelRef, isNew: Bool, _ origin: Origin, _ user: UserRef, at moment: Moment
  ) {
    answer(origin, .channel(summary(of: channel, for: user, at: moment)))
    guard isNew else { return }
    watchMuting(of: channel, by: user, at: moment)
    tellMutings(of: [channel], by: user, at: moment)
  }

  /// Milliseconds of uptime at which a muting ends; nil when there is none that does.
  private func endOfMuting(_ channel: ChannelRef, by user: UserRef, at moment: Moment) -> Int? {
    guard let until = registry.channels[channel.index].members[user]?.mutedUntil,
      until > moment.wall, until != Sanction.forever
    else { return nil }
    return moment.uptime + until.milliseconds - moment.wall.milliseconds
  }

  /// Remembers to tell when the mutings of somebody who has come end.
  mutating func watchMutings(by user: UserRef, at moment: Moment) {
    for channel in registry.users[user.index].channels {
      watchMuting(of: channel, by: user, at: moment)
    }
  }

  /// Remembers to tell when a muting ends.
  private mutating func watchMuting(of channel: ChannelRef, by user: UserRef, at moment: Moment) {
    let muting = Muting(user: user, channel: channel)
    guard let due = endOfMuting(channel, by: user, at: moment),
      due < watchedMutings[muting] ?? .max
    else { return }
    watchedMutings[muting] = due
    mutings.insert(muting, at: due)
  }

  /// Tells a user's connections of channels that were put into the settings or taken out, and are
  /// not muted anyway.
  mutating func tellMutings(of names: [ChannelName], by user: UserRef, at moment: Moment) {
    let channels = names.compactMap { registry.channelRefs[$0] }.filter { channel in
      guard let membership = registry.channels[channel.index].members[user] else { return false }
      return membership.mutedUntil.map { $0 <= moment.wall } ?? true
    }
    tellMutings(of: channels, by: user, at: moment)
  }

  /// Tells a user's connections whether these channels are muted, and their numbers.
  private mutating func tellMutings(
    of channels: [ChannelRef], by user: UserRef, at moment: Moment
  ) {
    // All are out of the total, or in it, before the first number is told.
    for channel in channels {
      let counts = isInTotal(channel, of: user, at: moment)
      online[user]?.setInTotal(channel, counts)
    }
    for channel in channels {
      let isMuted = registry.isMuted(channel, by: user, at: moment.wall)
      tell(
        connections(of: user),
        .ownMute(registry.channels[channel.index].name, isMuted: isMuted))
      tellUnreadNow(of: user, in: channel, at: moment)
    }
  }

  /// A muting may have come to its end.
  mutating func endMuting(_ muting: Muting, at moment: Moment) {
    // What was put in for a later moment before this one was is nothing to wait for any more.
    guard let due = watchedMutings[muting], due <= moment.uptime else { return }
    watchedMutings[muting] = nil
    guard online[muting.user] != nil,
      registry.channels[muting.channel.index].members[muting.user]?.mutedUntil != nil
    else { return }
    guard endOfMuting(muting.channel, by: muting.user, at: moment) == nil else {
      return watchMuting(of: muting.channel, by: muting.user, at: moment)
    }
    // It may be muted for ever by now, or in the settings as well.
    guard !registry.isMuted(muting.channel, by: muting.user, at: moment.wall) else { return }
    tellMutings(of: [muting.channel], by: muting.user, at: moment)
  }
}
