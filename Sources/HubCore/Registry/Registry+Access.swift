import HashTreeCollections
import HubProtocol

/// Who may see and do what (protocol, "Who may").
extension Registry {
  /// The channel, if the user may know that it exists: to somebody who is not a member a direct or
  /// group channel does not.
  func visibleChannel(
    _ name: ChannelName, to user: UserRef
  ) throws(Refusal) -> (ref: ChannelRef, membership: Membership?) {
    guard let ref = channelRefs[name] else { throw .noChannel(name) }
    let membership = channels[ref.index].members[user]
    guard membership != nil || channels[ref.index].kind.isOpen else { throw .noChannel(name) }
    return (ref, membership)
  }

  /// The channel and the user's membership of it.
  func joinedChannel(
    _ name: ChannelName, by user: UserRef
  ) throws(Refusal) -> (ref: ChannelRef, membership: Membership) {
    let (ref, membership) = try visibleChannel(name, to: user)
    guard let membership else {
      throw Refusal(.notMember, "join `\(name)` first")
    }
    return (ref, membership)
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
