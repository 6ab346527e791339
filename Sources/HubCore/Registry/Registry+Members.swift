import HashTreeCollections
import HubProtocol

/// What moderators and owners do to members, and members to their own membership (protocol,
/// "Channels and membership": `member.*`).
extension Registry {
  mutating func addMembers(
    _ name: ChannelName, _ ids: [UserID], by actor: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, _) = try moderatedChannel(name, by: actor, at: ts, to: "adding members")
    let added = try existingUsers(ids).filter { channels[ref.index].members[$0] == nil }
    for user in added {
      guard !channels[ref.index].isBanned(user, at: ts) else {
        throw Refusal(.banned, "`\(users[user.index].id)` is banned from `\(name)`")
      }
      try checkApproach(of: user, by: actor)
    }
    for user in added { _ = admit(user, to: ref, as: .member, ts: ts) }
    return .members(ref, .added(added))
  }

  mutating func removeMembers(
    _ name: ChannelName, _ ids: [UserID], by actor: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try moderatedChannel(name, by: actor, at: ts, to: "removing members")
    let removed = try existingUsers(ids).filter { channels[ref.index].members[$0] != nil }
    for user in removed { try checkRank(of: membership, over: user, in: ref) }
    for user in removed { expel(user, from: ref) }
    return .members(ref, .removed(removed, .removed))
  }

  mutating func setRole(
    _ name: ChannelName, _ id: UserID, _ role: Role, by actor: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try moderatedChannel(name, by: actor, at: ts, to: "setting roles")
    guard membership.role == .owner else { throw Refusal(.forbidden, "only the owner sets roles") }
    let user = try existingUser(id)
    guard let before = channels[ref.index].members[user] else {
      throw Refusal(.notFound, "`\(id)` is not a member of `\(name)`")
    }
    guard before.role != role else { return .nothing }
    guard user != actor else {
      throw Refusal(.forbidden, "an owner gives the channel to another instead")
    }
    guard role != .owner || !channels[ref.index].isFeed else {
      throw Refusal(.forbidden, "a feed belongs to the user it is named after")
    }
    setRole(role, of: user, in: ref)
    guard role == .owner else { return .members(ref, .updated([user])) }
    setRole(.moderator, of: actor, in: ref)
    return .members(ref, .updated([user, actor]))
  }

  private mutating func setRole(_ role: Role, of user: UserRef, in channel: ChannelRef) {
    channels[channel.index].change(user, record: recordCount) { $0.role = role }
  }

  mutating func updateMembership(
    _ name: ChannelName, _ custom: Update<RawJSON>, _ user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try joinedChannel(name, by: user, at: ts)
    let after = custom.applied(to: membership.custom)
    guard after != membership.custom else { return .nothing }
    channels[ref.index].change(user, record: recordCount) { $0.custom = after }
    return .members(ref, .updated([user]))
  }

  mutating func ban(
    _ ban: MemberBan, by actor: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try moderatedChannel(ban.channel, by: actor, at: ts, to: "banning")
    let user = try existingUser(ban.user)
    if let until = ban.until, until <= ts {
      throw Refusal(.badRequest, "`until_ts` must lie ahead")
    }
    try checkRank(of: membership, over: user, in: ref, besides: actor)
    var sanction = channels[ref.index].sanctions[user] ?? Sanction()
    sanction.bannedUntil = ban.until ?? Sanction.forever
    sanction.reason = ban.reason
    channels[ref.index].sanctions[user] = sanction
    guard channels[ref.index].members[user] != nil else { return .members(ref, .barred(user)) }
    expel(user, from: ref)
    return .members(ref, .removed([user], .banned))
  }

  mutating func unban(
    _ name: ChannelName, _ id: UserID, by actor: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, _) = try moderatedChannel(name, by: actor, at: ts, to: "lifting bans")
    let user = try existingUser(id)
    guard var sanction = channels[ref.index].sanctions[user] else { return .nothing }
    sanction.bannedUntil = nil
    sanction.reason = nil
    channels[ref.index].sanctions[user] = sanction == Sanction() ? nil : sanction
    return .nothing
  }

  mutating func silence(
    _ name: ChannelName, _ id: UserID, until: Timestamp, by actor: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try moderatedChannel(name, by: actor, at: ts, to: "silencing")
    let user = try existingUser(id)
    try checkRank(of: membership, over: user, in: ref, besides: actor)
    var sanction = channels[ref.index].sanctions[user] ?? Sanction()
    let before = sanction.silencedUntil
    sanction.silencedUntil = until > ts ? until : nil
    guard sanction.silencedUntil != before else { return .nothing }
    channels[ref.index].sanctions[user] = sanction == Sanction() ? nil : sanction
    guard channels[ref.index].members[user] != nil else { return .nothing }
    return .members(ref, .updated([user]))
  }

  /// Refuses to act on members of the same rank or a higher one.
  private func checkRank(
    of actor: Membership, over user: UserRef, in channel: ChannelRef, besides self: UserRef? = nil
  ) throws(Refusal) {
    guard user != self else { throw Refusal(.forbidden, "nobody does this to themselves") }
    guard let role = channels[channel.index].members[user]?.role else { return }
    guard actor.role.outranks(role) else {
      throw Refusal(.forbidden, "`\(users[user.index].id)` is \(role.rawValue) of the channel")
    }
  }
}
