/// The arguments of `member.*` (protocol, "Channels and membership").
extension Arguments {
  @inline(__always)
  func operation(_ name: OperationName.Member) throws(Refusal) -> Operation {
    switch name {
    case .add: try .memberAdd(channel(), users: requiredUsers())
    case .remove: try .memberRemove(channel(), users: requiredUsers())
    case .role: try .memberRole(channel(), requiredUser(), requiredChoice(.role))
    case .update: try .memberUpdate(channel(), custom: requiredCustom())
    case .ban: try .memberBan(memberBan())
    case .unban: try .memberUnban(channel(), requiredUser())
    case .silence:
      try .memberSilence(channel(), requiredUser(), until: requiredTimestamp(.untilTs))
    case .list: try .memberList(memberList())
    }
  }

  private func requiredCustom() throws(Refusal) -> Update<RawJSON> {
    guard self[.custom] != nil else { throw .missing(.custom) }
    return try customUpdate()
  }

  private func memberBan() throws(Refusal) -> MemberBan {
    MemberBan(
      channel: try channel(), user: try requiredUser(), until: try timestamp(.untilTs),
      reason: try reason())
  }

  private func memberList() throws(Refusal) -> MemberList {
    MemberList(
      channel: try channel(), onlyPresent: try bool(.present) ?? false, cursor: try cursor(),
      limit: try pageLimit())
  }
}
