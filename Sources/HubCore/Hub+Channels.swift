import HashTreeCollections
import HubProtocol

/// What follows from changes of channels and memberships, and the reads of them.
extension Hub {
  mutating func channelCreated(_ channel: ChannelRef, _ origin: Origin, by creator: UserRef) {
    let members = registry.channels[channel.index].members.keys.sorted()
    for member in members { follow(channel, member) }
    answer(origin, .channel(summary(of: channel, for: creator)))
    // In a direct channel each sees the other's name, so each gets a summary of their own.
    if registry.channels[channel.index].kind == .direct {
      for member in members {
        var summary = summary(of: channel, for: member)
        summary.standing = nil
        tell(connections(of: member), .channelCreated(summary))
      }
    } else {
      tell(
        members.flatMap(connections), .channelCreated(summary(of: channel, for: nil)))
    }
  }

  mutating func joined(
    _ channel: ChannelRef, isNew: Bool, _ origin: Origin, _ user: UserRef
  ) {
    if isNew { follow(channel, user) }
    answer(origin, .channel(summary(of: channel, for: user)))
    if isNew {
      let role = registry.channels[channel.index].members[user]?.role
      publishMember(user, .joined, role, in: channel)
    }
  }

  /// Somebody was made a member by another.
  mutating func entered(_ channel: ChannelRef, _ user: UserRef) {
    follow(channel, user)
    publishMember(user, .joined, .member, in: channel)
  }

  /// Everything of the channel ends for the leaver before the reply; the others learn of it.
  mutating func left(
    _ channel: ChannelRef, wasMember: Bool, successor: UserRef?, _ origin: Origin, _ user: UserRef
  ) {
    guard wasMember else {
      return answer(origin, .channel(summary(of: channel, for: user)))
    }
    publishMember(user, .left, nil, in: channel)
    let mayCount = online[user]?.forget(channel) ?? false
    if mayCount, registry.channels[channel.index].kind != .broadcast {
      tellUnread(of: user, in: channel, OnlineUser.Count())
    }
    let connections = connections(of: user)
    audiences[channel]?.exit(user, on: connections)
    for connection in connections {
      endSubscription(of: connection, to: channel, .left)
    }
    if typing.end(of: user, in: channel) { publishTyping(in: channel) }
    if let successor { publishMember(successor, .updated, .owner, in: channel) }
    forgetIfEmpty(channel)
    answer(origin, .channel(summary(of: channel, for: user)))
  }

  mutating func list(
    _ request: ChannelList, _ origin: Origin, for user: UserRef
  ) throws(Refusal) {
    let (channels, cursor) = try registry.list(request, for: user, presentCount: presentCount)
    answer(origin, .channels(channels, cursor: cursor))
  }

  /// To the subscribers, in large channels to nobody but the user concerned; their connections that
  /// are not subscribed learn of it too.
  private mutating func publishMember(
    _ user: UserRef, _ change: MemberChange, _ role: Role?, in channel: ChannelRef
  ) {
    let state = registry.channels[channel.index]
    let event = Event.member(state.name, user: registry.users[user.index].id, change, role)
    let own = connections(of: user)
    guard state.members.count <= Limits.individualMembers else { return tell(own, event) }
    publish(event, in: channel)
    tell(own.filter { audiences[channel]?.subscribers[$0] == nil }, event)
  }

  /// A member who is there hears of the channel from now on.
  private mutating func follow(_ channel: ChannelRef, _ user: UserRef) {
    guard let connections = online[user]?.connections else { return }
    online[user]?.follow(channel, in: registry, user)
    audiences[channel, default: Audience()].enter(user, on: connections)
  }

  private mutating func endSubscription(
    of connection: ConnectionID, to channel: ChannelRef, _ reason: UnsubscribeReason
  ) {
    guard audiences[channel]?.unsubscribe(connection) == true else { return }
    sessions[connection]?.subscriptions.remove(channel)
    effects.append(.unsubscribed(connection, channel))
    effects.append(
      .tell(connection, .unsubscribed(registry.channels[channel.index].name, reason)))
  }
}
