import HashTreeCollections
import HubProtocol

/// Who may see and do what (protocol, "Who may").
extension Registry {
  /// The channel, if the user may know that it exists: to somebody who is not a member a direct or
  /// group channel does not. Somebody who is kept out of an open one is told so.
  func visibleChannel(
    _ name: ChannelName, to user: UserRef, at now: Timestamp
  ) throws(Refusal) -> (ref: ChannelRef, membership: Membership?) {
    guard let ref = channelRefs[name] else { throw .noChannel(name) }
    let membership = channels[ref.index].members[user]
    guard membership != nil || channels[ref.index].kind.isOpen else { throw .noChannel(name) }
    guard membership != nil || !channels[ref.index].isBanned(user, at: now) else {
      throw Refusal(.banned, "you are banned from `\(name)`")
    }
    return (ref, membership)
  }

  /// The channel and the user's membership of it.
  func joinedChannel(
    _ name: ChannelName, by user: UserRef, at now: Timestamp
  ) throws(Refusal) -> (ref: ChannelRef, membership: Membership) {
    let (ref, membership) = try visibleChannel(name, to: user, at: now)
    guard let membership else {
      throw Refusal(.notMember, "join `\(name)` first")
    }
    return (ref, membership)
  }

  /// A channel that is not a direct one, and that the user moderates or owns.
  func moderatedChannel(
    _ name: ChannelName, by user: UserRef, at now: Timestamp, to operation: String
  ) throws(Refusal) -> (ref: ChannelRef, membership: Membership) {
    let (ref, membership) = try joinedChannel(name, by: user, at: now)
    guard channels[ref.index].kind != .direct else { throw .direct(operation) }
    guard membership.role != .member else {
      throw Refusal(.forbidden, "\(operation) is for moderators")
    }
    return (ref, membership)
  }

  /// Refuses somebody who may not speak in the channel now.
  func checkSilence(
    of user: UserRef, in channel: ChannelRef, at now: Timestamp
  ) throws(Refusal) {
    guard let until = channels[channel.index].silence(of: user, at: now) else { return }
    throw Refusal(
      .muted, "you may not speak in `\(channels[channel.index].name)` for now",
      retryAfterMilliseconds: until.milliseconds - now.milliseconds)
  }

  /// The user of that id.
  func existingUser(_ id: UserID) throws(Refusal) -> UserRef {
    guard let ref = userRefs[id] else { throw Refusal(.notFound, "no such user: `\(id)`") }
    return ref
  }

  /// The users of those ids, or a refusal that names those who are not there.
  func existingUsers(_ ids: [UserID]) throws(Refusal) -> [UserRef] {
    var refs: [UserRef] = []
    var unknown: [String] = []
    for id in ids {
      if let ref = userRefs[id] { refs.append(ref) } else { unknown.append(id.text) }
    }
    guard unknown.isEmpty else {
      let names = unknown.prefix(5).joined(separator: "`, `")
      throw Refusal(.notFound, "no such user: `\(names)`\(unknown.count > 5 ? " and others" : "")")
    }
    return refs
  }

  /// The other person of a direct channel.
  func counterpart(of user: UserRef, in channel: ChannelRef) -> UserRef? {
    guard let (one, other) = channels[channel.index].pair else { return nil }
    return one == user ? other : one
  }
}

extension Role {
  /// Whether one may act on members of the other role.
  func outranks(_ other: Role) -> Bool { rank > other.rank }

  private var rank: Int {
    switch self {
    case .owner: 2
    case .moderator: 1
    case .member: 0
    }
  }
}

extension Refusal {
  static func noChannel(_ name: ChannelName) -> Refusal {
    Refusal(.notFound, "there is no channel `\(name)`")
  }
  static func wrongPrivilege(_ id: UserID) -> Refusal {
    Refusal(.unauthenticated, "`\(id)` is known under another kind of token")
  }
  static func direct(_ operation: String) -> Refusal {
    Refusal(.forbidden, "\(operation) is not possible in a direct channel")
  }
}
