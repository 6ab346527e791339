import HashTreeCollections
import HubProtocol

/// Channels: their making, changing and end (protocol, "Channels and membership").
extension Registry {
  mutating func createChannel(
    _ create: ChannelCreate, by creator: UserRef, epoch: String, ts: Timestamp
  ) throws(Refusal) -> Applied.ChannelOutcome {
    try ReservedNames.check(create, by: users[creator.index].id)
    guard channelRefs[create.channel] == nil else {
      throw Refusal(.alreadyExists, "there is a channel `\(create.channel)` already")
    }
    let members = try existingUsers(create.members)
    for member in members where member != creator { try checkApproach(of: member, by: creator) }
    let ref = addChannel(
      ChannelState(
        name: create.channel, kind: create.kind, profile: create.profile, epoch: epoch, ts: ts))
    channels[ref.index].changedAt = recordCount
    _ = admit(creator, to: ref, as: .owner, ts: ts)
    for member in members { _ = admit(member, to: ref, as: .member, ts: ts) }
    return .created(ref)
  }

  mutating func updateChannel(
    _ update: ChannelUpdate, by user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied.ChannelOutcome {
    let (ref, _) = try moderatedChannel(
      update.channel, by: user, at: ts, to: "changing the channel")
    let after = update.applied(to: channels[ref.index].profile)
    guard after != channels[ref.index].profile else { return .unchanged(ref) }
    channels[ref.index].profile = after
    channels[ref.index].updatedTs = max(ts, channels[ref.index].updatedTs)
    channels[ref.index].changedAt = recordCount
    return .updated(ref)
  }

  mutating func deleteChannel(
    _ name: ChannelName, by user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied.ChannelOutcome {
    let (ref, membership) = try joinedChannel(name, by: user, at: ts)
    guard membership.role == .owner else {
      throw Refusal(.forbidden, "only the owner deletes a channel")
    }
    return .deleted(ref, endChannel(ref))
  }

  /// Empties a channel for ever and frees its name; answers who its members were.
  private mutating func endChannel(_ channel: ChannelRef) -> [UserRef] {
    let name = channels[channel.index].name
    let members = channels[channel.index].members.keys.sorted()
    for member in members { users[member.index].leave(channel, named: name, record: recordCount) }
    let weight = channels[channel.index].window.weight
    channels[channel.index].delete()
    channelRefs[name] = nil
    windowChanged(by: -weight)
    noteEnd(of: channel, members)
    return members
  }

  mutating func join(
    _ name: ChannelName, _ user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied.ChannelOutcome {
    let (ref, membership) = try visibleChannel(name, to: user, at: ts)
    guard channels[ref.index].kind != .direct else { throw .direct("joining") }
    guard membership == nil else { return .joined(ref, isNew: false) }
    _ = admit(user, to: ref, as: becomesOwner(user, of: ref) ? .owner : .member, ts: ts)
    noteFollowing(ref, by: user, ts: ts)
    return .joined(ref, isNew: true)
  }

  /// Whether somebody who joins owns the channel from now on: one that nobody is left in, or their
  /// own feed.
  private func becomesOwner(_ user: UserRef, of channel: ChannelRef) -> Bool {
    let state = channels[channel.index]
    guard !state.isFeed else { return state.name.text.dropFirst(5) == users[user.index].id.text }
    return state.members.isEmpty
  }

  mutating func leave(
    _ name: ChannelName, _ user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied.ChannelOutcome {
    let (ref, membership) = try visibleChannel(name, to: user, at: ts)
    guard channels[ref.index].kind != .direct else { throw .direct("leaving") }
    guard let membership else { return .left(ref, nil) }
    expel(user, from: ref)
    let isEnd = channels[ref.index].members.isEmpty && channels[ref.index].kind == .group
    if isEnd {
      _ = endChannel(ref)
      noteEnd(of: ref, [user])
    }
    guard membership.role == .owner, !channels[ref.index].isFeed,
      let successor = channels[ref.index].successor
    else {
      return .left(ref, Applied.Departure(successor: nil, isEnd: isEnd))
    }
    channels[ref.index].setRole(.owner, of: successor)
    channels[ref.index].change(successor, record: recordCount) { _ in }
    return .left(ref, Applied.Departure(successor: successor, isEnd: false))
  }

  mutating func openDirect(
    _ name: ChannelName, with other: UserID, by opener: UserRef, epoch: String, ts: Timestamp
  ) throws(Refusal) -> Applied.ChannelOutcome {
    let counterpart = try existingUser(other)
    guard counterpart != opener else {
      throw Refusal(.badRequest, "`user` must be somebody else")
    }
    try checkApproach(of: counterpart, by: opener)
    if let ref = channelRefs[name] { return .unchanged(ref) }
    let ref = addChannel(
      ChannelState(name: name, kind: .direct, profile: ChannelProfile(), epoch: epoch, ts: ts))
    channels[ref.index].changedAt = recordCount
    channels[ref.index].pair = (opener, counterpart)
    _ = admit(opener, to: ref, as: .member, ts: ts)
    _ = admit(counterpart, to: ref, as: .member, ts: ts)
    return .created(ref)
  }

  mutating func mute(
    _ name: ChannelName, until: Timestamp?, _ user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied.ChannelOutcome {
    let (ref, membership) = try joinedChannel(name, by: user, at: ts)
    if let until, until <= ts { throw Refusal(.badRequest, "`until_ts` must lie ahead") }
    let isListed = users[user.index].settings.mutedChannels.contains(name)
    let isNew = membership.mutedUntil != until || (until == nil && isListed)
    guard isNew else { return .muted(ref, isNew: false) }
    if until == nil { users[user.index].settings.mutedChannels.removeAll { $0 == name } }
    channels[ref.index].change(user, record: recordCount) { $0.mutedUntil = until }
    return .muted(ref, isNew: true)
  }

  /// Makes somebody a member; false when they are.
  mutating func admit(
    _ user: UserRef, to channel: ChannelRef, as role: Role, ts: Timestamp
  ) -> Bool {
    let hidesReads = !users[user.index].settings.showsReceipts
    guard channels[channel.index].join(user, role: role, ts: ts, hidesReads: hidesReads) else {
      return false
    }
    channels[channel.index].changedAt = recordCount
    users[user.index].join(channel, named: channels[channel.index].name)
    return true
  }

  /// Ends somebody's membership.
  mutating func expel(_ user: UserRef, from channel: ChannelRef) {
    _ = channels[channel.index].leave(user)
    channels[channel.index].changedAt = recordCount
    users[user.index].leave(
      channel, named: channels[channel.index].name, record: recordCount)
    noteUnfollowing(channel, by: user)
  }
}

/// Names that `channel.create` does not give to everybody.
enum ReservedNames {
  /// Refuses a name that is reserved, or a kind that is not created this way.
  static func check(_ create: ChannelCreate, by creator: UserID) throws(Refusal) {
    let name = create.channel.text
    guard create.kind != .direct else {
      throw Refusal(.badRequest, "direct channels are made by `dm.open`")
    }
    guard !name.hasPrefix("dm:"), !name.hasPrefix("sys:") else {
      throw Refusal(.forbidden, "names beginning `dm:` and `sys:` are reserved")
    }
    guard name.hasPrefix("feed:") else { return }
    guard name.dropFirst(5) == creator.text else {
      throw Refusal(.forbidden, "only `\(name.dropFirst(5))` may create `\(name)`")
    }
    guard create.kind == .broadcast else {
      throw Refusal(.badRequest, "a `feed:` channel is a `broadcast` channel")
    }
  }
}
