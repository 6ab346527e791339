import HashTreeCollections
import HubProtocol

/// What follows from changes of channels, and the reads of them.
extension Hub {
  mutating func channelCreated(
    _ channel: ChannelRef, _ origin: Origin, by creator: UserRef, at moment: Moment
  ) {
    let members = registry.channels[channel.index].members.keys.sorted()
    for member in members { follow(channel, member, at: moment) }
    answer(origin, .channel(summary(of: channel, for: creator, at: moment)))
    tellSummary(of: channel, to: members, at: moment) { .channelCreated($0) }
  }

  mutating func channelUpdated(
    _ channel: ChannelRef, _ origin: Origin, by user: UserRef, at moment: Moment
  ) {
    answer(origin, .channel(summary(of: channel, for: user, at: moment)))
    let members = audiences[channel]?.online.sorted() ?? []
    tellSummary(of: channel, to: members, at: moment) { .channelUpdated($0) }
  }

  /// Tells members' connections what all of them share of a channel; in a direct channel each sees
  /// the other's name, so each gets a summary of their own.
  private mutating func tellSummary(
    of channel: ChannelRef, to members: [UserRef], at moment: Moment,
    _ event: (ChannelSummary) -> Event
  ) {
    guard registry.channels[channel.index].kind == .direct else {
      var shared = summary(of: channel, for: nil, at: moment)
      let author = shared.lastMessage.flatMap { registry.userRefs[$0.message.user] }
      let hiding = members.filter { member in
        author.map { registry.hides($0, from: member) } ?? false
      }
      tell(members.filter { !hiding.contains($0) }.flatMap(connections), event(shared))
      shared.lastMessage = shared.lastMessage.map { MessageView($0.message, isHidden: true) }
      return tell(hiding.flatMap(connections), event(shared))
    }
    for member in members {
      var summary = summary(of: channel, for: member, at: moment)
      summary.standing = nil
      tell(connections(of: member), event(summary))
    }
  }

  mutating func channelDeleted(
    _ channel: ChannelRef, _ members: [UserRef], _ origin: Origin, at moment: Moment
  ) {
    let here = members.filter { online[$0] != nil }
    for member in here {
      stopCounting(in: channel, for: member)
      retractNotices(of: member, in: channel)
    }
    tell(here.flatMap(connections), .channelDeleted(registry.channels[channel.index].name))
    endChannel(channel)
    answer(origin, .channel(summary(of: channel, for: nil, at: moment)))
  }

  /// Everything that is live in a channel that is no more ends.
  private mutating func endChannel(_ channel: ChannelRef) {
    typing.end(in: channel)
    let subscribers = audiences[channel].map { Array($0.subscribers.keys) } ?? []
    for connection in subscribers { endSubscription(of: connection, to: channel, .deleted) }
    audiences[channel] = nil
    rosters[channel] = nil
    newlyRead[channel] = nil
    toldPresent[channel] = nil
  }

  mutating func joined(
    _ channel: ChannelRef, isNew: Bool, _ origin: Origin, _ user: UserRef, at moment: Moment
  ) {
    if isNew { follow(channel, user, at: moment) }
    answer(origin, .channel(summary(of: channel, for: user, at: moment)))
    guard isNew else { return }
    let role = registry.channels[channel.index].members[user]?.role
    publishMember(user, .joined, role, in: channel)
    presentChanged(in: channel, at: moment)
  }

  /// Somebody was made a member by another.
  mutating func entered(_ channel: ChannelRef, _ user: UserRef, at moment: Moment) {
    follow(channel, user, at: moment)
    publishMember(user, .joined, .member, in: channel)
    presentChanged(in: channel, at: moment)
  }

  /// Everything of the channel ends for the leaver before the reply; the others learn of it.
  mutating func left(
    _ channel: ChannelRef, _ departure: Applied.Departure?, _ origin: Origin, _ user: UserRef,
    at moment: Moment
  ) {
    guard let departure else {
      return answer(origin, .channel(summary(of: channel, for: user, at: moment)))
    }
    endMembership(of: user, in: channel, .left, .left, at: moment)
    if let successor = departure.successor {
      publishMember(successor, .updated, .owner, in: channel)
    }
    if departure.isEnd { endChannel(channel) }
    answer(origin, .channel(summary(of: channel, for: user, at: moment)))
  }

  /// Somebody was made to go.
  mutating func removed(
    _ user: UserRef, from channel: ChannelRef, _ reason: UnsubscribeReason, at moment: Moment
  ) {
    endMembership(of: user, in: channel, reason == .banned ? .banned : .removed, reason, at: moment)
  }

  private mutating func endMembership(
    of user: UserRef, in channel: ChannelRef, _ change: MemberChange, _ reason: UnsubscribeReason,
    at moment: Moment
  ) {
    publishMember(user, change, nil, in: channel)
    stopCounting(in: channel, for: user)
    retractNotices(of: user, in: channel)
    let connections = connections(of: user)
    audiences[channel]?.exit(user, on: connections)
    endSubscriptions(of: user, to: channel, reason)
    if typing.end(of: user, in: channel) { publishTyping(in: channel, because: [user]) }
    removeFromRoster(user, of: channel)
    presentChanged(in: channel, at: moment)
  }

  /// Nothing of the channel goes to any of the user's connections any more.
  mutating func endSubscriptions(
    of user: UserRef, to channel: ChannelRef, _ reason: UnsubscribeReason
  ) {
    for connection in connections(of: user) {
      endSubscription(of: connection, to: channel, reason)
    }
    forgetIfEmpty(channel)
  }

  /// What was unread in a channel that a user has nothing more to do with counts no longer.
  private mutating func stopCounting(in channel: ChannelRef, for user: UserRef) {
    let mayCount = online[user]?.forget(channel) ?? false
    guard mayCount, registry.channels[channel.index].kind != .broadcast else { return }
    tellUnread(of: user, in: channel, OnlineUser.Count())
  }

  /// Roles and other things that all see of a member. Who may no longer speak no longer types.
  mutating func memberUpdated(_ user: UserRef, in channel: ChannelRef, at moment: Moment) {
    let isSilenced = registry.channels[channel.index].silence(of: user, at: moment.wall) != nil
    if isSilenced, typing.end(of: user, in: channel) {
      publishTyping(in: channel, because: [user])
    }
    let role = registry.channels[channel.index].members[user]?.role
    publishMember(user, .updated, role, in: channel)
  }

  /// To the subscribers, in large channels to nobody but the user concerned; their connections that
  /// are not subscribed learn of it too.
  private mutating func publishMember(
    _ user: UserRef, _ change: MemberChange, _ role: Role?, in channel: ChannelRef
  ) {
    let state = registry.channels[channel.index]
    let event = Event.member(state.name, user: registry.users[user.index].id, change, role)
    let own = connections(of: user)
    guard !state.isLarge else { return tell(own, event) }
    publish(event, in: channel)
    tell(own.filter { audiences[channel]?.subscribers[$0] == nil }, event)
  }

  /// A member who is there hears of the channel from now on.
  private mutating func follow(_ channel: ChannelRef, _ user: UserRef, at moment: Moment) {
    addToRoster(user, of: channel)
    guard var person = online.removeValue(forKey: user) else { return }
    follow(channel, as: &person, user, at: moment)
    online[user] = person
    audiences[channel, default: Audience()].enter(user, on: person.connections)
    audiences[channel]?.setInvisible(user, person.status == .invisible)
  }

  private mutating func endSubscription(
    of connection: ConnectionID, to channel: ChannelRef, _ reason: UnsubscribeReason
  ) {
    guard let user = sessions[connection]?.user, endSubscription(of: connection, user, to: channel)
    else { return }
    effects.append(
      .tell(connection, .unsubscribed(registry.channels[channel.index].name, reason)))
  }

  /// A connection no longer is subscribed; false when it was not.
  mutating func endSubscription(
    of connection: ConnectionID, _ user: UserRef, to channel: ChannelRef
  ) -> Bool {
    guard audiences[channel]?.unsubscribe(connection) == true else { return false }
    sessions[connection]?.subscriptions.remove(channel)
    if var audience = audiences[channel] {
      forgetSpecial(user, in: &audience)
      audiences[channel] = audience
    }
    effects.append(.unsubscribed(connection, channel))
    return true
  }
}

/// Lists and summaries.
extension Hub {
  mutating func list(
    _ request: ChannelList, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channels, cursor) = try registry.list(
      request, for: user, at: moment.wall, presentCount: { presentCount($0, for: user) })
    answer(origin, .channels(channels, cursor: cursor))
  }

  /// What members have flagged, the newest first, for moderators.
  mutating func listFlags(
    of name: ChannelName, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.moderatedChannel(
      name, by: user, at: moment.wall, to: "reading flags")
    let flags = registry.channels[channel.index].flags.reversed().map {
      Flag(seq: $0.seq, user: registry.users[$0.user.index].id, ts: $0.ts, reason: $0.reason)
    }
    var budget = PageBudget()
    answer(origin, .flags(Array(flags.prefix { budget.takes($0.weight) })))
  }

  /// The channel as `viewer` is shown it, or as all members are.
  func summary(
    of channel: ChannelRef, for viewer: UserRef?, at moment: Moment
  ) -> ChannelSummary {
    registry.summary(
      of: channel, for: viewer, at: moment.wall, presentCount: presentCount(channel, for: viewer))
  }
}
