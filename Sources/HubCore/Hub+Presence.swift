import HashTreeCollections
import HubProtocol

/// Who is there (protocol, "Ephemeral": `presence.*`; "Events": `presence`, `present`).
extension Hub {
  mutating func setPresence(
    _ status: PresenceStatus, _ origin: Origin, by user: UserRef, at moment: Moment
  ) {
    answer(origin, .empty)
    guard let before = online[user]?.shownStatus, online[user]?.status != status else { return }
    online[user]?.status = status
    guard let after = online[user]?.shownStatus, after != before else { return }
    if before == .offline || after == .offline {
      for channel in registry.users[user.index].channels {
        audiences[channel]?.setInvisible(user, after == .offline)
      }
    }
    if after == .offline { online[user]?.lastSeenTs = moment.wall }
    presenceChanged(of: user, at: moment)
  }

  /// A user's presence as others see it.
  private func shownPresence(of user: UserRef, at moment: Moment) -> UserPresence {
    let id = registry.users[user.index].id
    guard let person = online[user] else {
      return UserPresence(user: id, status: .offline, lastSeenTs: absent[user]?.lastSeenTs)
    }
    let isHere = person.shownStatus != .offline && !person.connections.isEmpty
    return UserPresence(
      user: id, status: person.shownStatus, lastSeenTs: isHere ? moment.wall : person.lastSeenTs)
  }

  mutating func presence(
    of ids: [UserID], _ origin: Origin, for viewer: UserRef, at moment: Moment
  ) {
    let presence = ids.map { id in
      guard let user = registry.userRefs[id], !registry.isBlocked(user, viewer) else {
        return UserPresence(user: id, status: .offline, lastSeenTs: nil)
      }
      return shownPresence(of: user, at: moment)
    }
    answer(origin, .presence(presence))
  }

  mutating func presence(
    in names: [ChannelName], _ origin: Origin, for viewer: UserRef, at moment: Moment
  ) throws(Refusal) {
    var presence: [ChannelPresence] = []
    // Where the names of all would be too many, numbers must do.
    var budget = Limits.pageBytes
    for name in names {
      let (channel, _) = try registry.visibleChannel(name, to: viewer, at: moment.wall)
      let count = presentCount(channel, for: viewer)
      var users: [UserID]?
      if count <= Limits.individualMembers {
        users = present(in: channel, shownTo: viewer).map { registry.users[$0.index].id }.sorted()
      }
      budget -= users?.reduce(0) { $0 + $1.text.utf8.count + 3 } ?? 0
      presence.append(
        ChannelPresence(channel: name, count: count, users: budget < 0 ? nil : users))
    }
    answer(origin, .channelPresence(presence))
  }

  /// The members who are seen to be there.
  func present(in channel: ChannelRef, shownTo viewer: UserRef) -> [UserRef] {
    guard let audience = audiences[channel] else { return [] }
    return audience.online.filter {
      audience.isShown($0) && ($0 == viewer || !registry.isBlocked($0, viewer))
    }
  }

  /// How many of a channel's members are shown to be there: to nobody in particular, or without
  /// those whose presence is kept from the viewer.
  func presentCount(_ channel: ChannelRef, for viewer: UserRef? = nil) -> Int {
    guard let audience = audiences[channel] else { return 0 }
    guard let viewer, registry.users[viewer.index].isSpecial else { return audience.presentCount }
    let state = registry.users[viewer.index]
    let apart = Set(state.blocked).union(state.blockers).filter { audience.isShown($0) }
    return audience.presentCount - apart.count
  }

  /// Tells those who share a channel with a user that they are seen as something else; in large
  /// channels, how many are there.
  mutating func presenceChanged(of user: UserRef, at moment: Moment) {
    var others: Set<UserRef> = []
    for channel in registry.users[user.index].channels {
      if registry.channels[channel.index].isLarge {
        presentChanged(in: channel, at: moment)
      } else {
        others.formUnion(audiences[channel]?.online ?? [])
      }
    }
    others.remove(user)
    guard !others.isEmpty else { return }
    let isApart = registry.users[user.index].isSpecial
    let receivers = others.filter { !isApart || !registry.isBlocked($0, user) }
    tell(receivers.flatMap(connections), .presence(shownPresence(of: user, at: moment)))
  }

  /// How many are there may have changed.
  mutating func presentChanged(in channel: ChannelRef, at moment: Moment) {
    guard registry.channels[channel.index].isLarge,
      audiences[channel]?.subscribers.isEmpty == false,
      presentPacer.mayHappen(in: channel, uptime: moment.uptime)
    else { return }
    publishPresent(in: channel)
  }

  mutating func publishPresent(in channel: ChannelRef) {
    let count = presentCount(channel)
    guard toldPresent.updateValue(count, forKey: channel) != count else { return }
    publish(.present(registry.channels[channel.index].name, count: count), in: channel)
  }
}
