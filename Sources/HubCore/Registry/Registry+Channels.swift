import HashTreeCollections
import HubProtocol

/// Channels and memberships (protocol, "Channels and membership").
extension Registry {
  mutating func createChannel(
    _ create: ChannelCreate, by creator: UserRef, epoch: String, ts: Timestamp
  ) throws(Refusal) -> Applied {
    try ReservedNames.check(create, by: users[creator.index].id)
    guard channelRefs[create.channel] == nil else {
      throw Refusal(.alreadyExists, "there is a channel `\(create.channel)` already")
    }
    let members = try existingUsers(create.members)
    let ref = addChannel(
      ChannelState(
        name: create.channel, kind: create.kind, profile: create.profile, epoch: epoch, ts: ts))
    _ = admit(creator, to: ref, as: .owner, ts: ts)
    for member in members { _ = admit(member, to: ref, as: .member, ts: ts) }
    return .created(ref)
  }

  mutating func join(
    _ name: ChannelName, _ user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try visibleChannel(name, to: user)
    guard channels[ref.index].kind != .direct else { throw .direct("joining") }
    guard membership == nil else { return .joined(ref, isNew: false) }
    let isOwnerless = channels[ref.index].members.isEmpty
    _ = admit(user, to: ref, as: isOwnerless ? .owner : .member, ts: ts)
    return .joined(ref, isNew: true)
  }

  mutating func leave(_ name: ChannelName, _ user: UserRef) throws(Refusal) -> Applied {
    let (ref, membership) = try visibleChannel(name, to: user)
    guard channels[ref.index].kind != .direct else { throw .direct("leaving") }
    guard let membership else { return .left(ref, wasMember: false, successor: nil) }
    _ = channels[ref.index].leave(user)
    users[user.index].leave(ref)
    guard membership.role == .owner, let successor = channels[ref.index].successor else {
      return .left(ref, wasMember: true, successor: nil)
    }
    channels[ref.index].setRole(.owner, of: successor)
    return .left(ref, wasMember: true, successor: successor)
  }

  mutating func addMembers(
    _ name: ChannelName, _ ids: [UserID], by actor: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try joinedChannel(name, by: actor)
    guard channels[ref.index].kind != .direct else { throw .direct("adding members") }
    guard membership.role != .member else {
      throw Refusal(.forbidden, "only moderators add members")
    }
    let added = try existingUsers(ids).filter { channels[ref.index].members[$0] == nil }
    for user in added { _ = admit(user, to: ref, as: .member, ts: ts) }
    return .added(ref, added)
  }

  mutating func openDirect(
    _ name: ChannelName, with other: UserID, by opener: UserRef, epoch: String, ts: Timestamp
  ) throws(Refusal) -> Applied {
    guard let counterpart = userRefs[other] else {
      throw Refusal(.notFound, "no such user: `\(other)`")
    }
    guard counterpart != opener else {
      throw Refusal(.badRequest, "`user` must be somebody else")
    }
    if let ref = channelRefs[name] { return .opened(ref) }
    let ref = addChannel(
      ChannelState(name: name, kind: .direct, profile: ChannelProfile(), epoch: epoch, ts: ts))
    channels[ref.index].pair = (opener, counterpart)
    _ = admit(opener, to: ref, as: .member, ts: ts)
    _ = admit(counterpart, to: ref, as: .member, ts: ts)
    return .created(ref)
  }

  private mutating func admit(
    _ user: UserRef, to channel: ChannelRef, as role: Role, ts: Timestamp
  ) -> Bool {
    guard channels[channel.index].join(user, role: role, ts: ts) else { return false }
    users[user.index].join(channel)
    return true
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
