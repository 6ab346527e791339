import HashTreeCollections
import HubProtocol

/// What is never stored: typing, signals, focus (protocol, "Ephemeral").
extension Hub {
  mutating func setTyping(
    _ isOn: Bool, in name: ChannelName, _ origin: Origin, by user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.joinedChannel(name, by: user, at: moment.wall)
    if isOn { try registry.checkSilence(of: user, in: channel, at: moment.wall) }
    answer(origin, .empty)
    let connection = origin.connection
    // Who hides their typing does not type as far as others are concerned.
    let isChange =
      isOn && registry.users[user.index].settings.showsTyping
      ? typing.begin(user, on: connection, in: channel, uptime: moment.uptime)
      : typing.end(on: connection, in: channel)
    if isChange { publishTyping(in: channel, because: [user]) }
  }

  /// Tells the subscribers who types, now that some have begun or stopped: those who see none of
  /// these are told nothing.
  mutating func publishTyping(in channel: ChannelRef, because changed: [UserRef]) {
    guard let audience = audiences[channel] else { return }
    let users = typing.users(in: channel)
    var variants: [Variant] = []
    for reader in audience.special {
      guard changed.contains(where: { seesTyping(of: $0, reader) }) else {
        variants.append(Variant(users: [reader], event: nil))
        continue
      }
      let seen = users.filter { seesTyping(of: $0, reader) }
      guard seen.count < users.count else { continue }
      variants.append(Variant(users: [reader], event: typingEvent(seen, in: channel)))
    }
    publish(typingEvent(users, in: channel), in: channel, variants: variants)
  }

  private func seesTyping(of user: UserRef, _ reader: UserRef) -> Bool {
    registry.users[reader.index].settings.showsTyping && !registry.isBlocked(user, reader)
  }

  /// Tells a user, who sees others type or no longer does, who types in the channels they are
  /// subscribed to: where `typist` does, if it is one whom this concerns.
  mutating func tellTyping(of typist: UserRef? = nil, to reader: UserRef) {
    let showsTyping = registry.users[reader.index].settings.showsTyping
    guard typist == nil || showsTyping else { return }
    for connection in connections(of: reader) {
      for channel in (sessions[connection]?.subscriptions ?? []).sorted() {
        let users = typing.users(in: channel)
        let shown = users.filter { !registry.isBlocked($0, reader) }
        guard typist.map(users.contains) ?? !shown.isEmpty else { continue }
        tell([connection], typingEvent(showsTyping ? shown : [], in: channel))
      }
    }
  }

  private func typingEvent(_ users: [UserRef], in channel: ChannelRef) -> Event {
    let name = registry.channels[channel.index].name
    return users.count > Limits.individualMembers
      ? .typingCount(name, users.count)
      : .typing(name, users: users.map { registry.users[$0.index].id })
  }

  mutating func signal(
    _ signal: Signal, _ origin: Origin, by user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.joinedChannel(signal.channel, by: user, at: moment.wall)
    try registry.checkSilence(of: user, in: channel, at: moment.wall)
    if let other = registry.counterpart(of: user, in: channel) {
      try registry.checkApproach(of: other, by: user)
    }
    answer(origin, .empty)
    let apart = (audiences[channel]?.special ?? []).filter { registry.isBlocked($0, user) }
    publish(
      .signal(signal, from: registry.users[user.index].id), in: channel,
      variants: apart.isEmpty ? [] : [Variant(users: Array(apart), event: nil)])
  }

  mutating func setFocus(
    _ focus: Focus, _ origin: Origin, by user: UserRef, at moment: Moment
  ) throws(Refusal) {
    if case .channel(let name) = focus {
      _ = try registry.visibleChannel(name, to: user, at: moment.wall)
    }
    sessions[origin.connection]?.focus = focus
    answer(origin, .empty)
  }

  /// Notes whether a subscriber's view of the channel's events differs from others'.
  mutating func noteSpecial(_ user: UserRef, in channel: ChannelRef) {
    guard registry.users[user.index].isSpecial else { return }
    audiences[channel]?.setSpecial(user, true)
  }

  /// One of a user's subscriptions ended: without another one there is no view of theirs.
  func forgetSpecial(_ user: UserRef, in audience: inout Audience) {
    guard audience.special.contains(user) else { return }
    let isStillThere = connections(of: user).contains { audience.subscribers[$0] != nil }
    if !isStillThere { audience.setSpecial(user, false) }
  }

  /// Looks again at a user whose view, or others' view of whom, has changed.
  mutating func refreshSpecial(_ user: UserRef) {
    let isSpecial = registry.users[user.index].isSpecial
    for connection in connections(of: user) {
      for channel in sessions[connection]?.subscriptions ?? [] {
        audiences[channel]?.setSpecial(user, isSpecial)
      }
    }
  }
}
