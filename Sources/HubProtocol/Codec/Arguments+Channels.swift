/// The arguments of `hello`, `channel.*`, `member.*`, `dm.open` and `subscribe`.
extension Arguments {
  /// Protocol, "Session". `client` says who built the client; the hub only checks that it is an
  /// object.
  func hello() throws(Refusal) -> Hello {
    if let client = self[.client], client.kind != .object {
      throw .badArgument(.client, "an object")
    }
    return Hello(
      token: try string(.token, atMost: Limits.tokenBytes),
      sinceUser: try string(.sinceUser, atMost: Limits.tokenBytes))
  }

  /// Protocol, "Channels and membership". Empty optional arguments are as good as absent.
  func channelCreate() throws(Refusal) -> ChannelCreate {
    let channel = try channel()
    guard let kind = try choice(.kind, ChannelKind.self) else { throw .missing(.kind) }
    let profile = ChannelProfile(
      name: try nonEmptyString(.name, atMost: Limits.labelBytes),
      details: try nonEmptyString(.details, atMost: Limits.detailsBytes),
      avatar: try url(.avatar), custom: try custom())
    return ChannelCreate(
      channel: channel, kind: kind, profile: profile,
      members: try users(.members, atMost: Limits.listEntries) ?? [])
  }

  func channelList() throws(Refusal) -> ChannelList {
    ChannelList(
      scope: try choice(.scope) ?? .joined, kind: try choice(.kind),
      sort: try choice(.sort) ?? .activity, cursor: try cursor(), limit: try pageLimit())
  }

  /// The users of `member.add`: at least one.
  func addedUsers() throws(Refusal) -> [UserID] {
    guard let users = try users(.users, atMost: Limits.listEntries) else { throw .missing(.users) }
    guard !users.isEmpty else {
      throw .badArgument(.users, "a list of 1 to \(Limits.listEntries) entries")
    }
    return users
  }

  /// The user of `dm.open`.
  func otherUser() throws(Refusal) -> UserID {
    guard let user = try user(.user) else { throw .missing(.user) }
    return user
  }

  /// Protocol, "Subscribing and recovery".
  func subscribe() throws(Refusal) -> Subscribe {
    let channel = try channel()
    let since = try object(.since) { (since) throws(Refusal) in
      guard let epoch = try since.string(.epoch, atMost: Limits.labelBytes) else {
        throw .missing(.epoch)
      }
      return Position(
        epoch: epoch, seq: try since.requiredInteger(.seq, from: 0),
        rev: try since.integer(.rev, in: 0...Limits.largestInteger))
    }
    return Subscribe(
      channel: channel, since: since,
      limit: try integer(.limit, in: 0...Limits.subscribeMessages) ?? 0)
  }

  /// Where a list goes on.
  func cursor() throws(Refusal) -> String? {
    try string(.cursor, atMost: Limits.cursorBytes)
  }

  /// How many items a page may have.
  func pageLimit() throws(Refusal) -> Int {
    try integer(.limit, in: 1...Limits.pageItems) ?? Limits.pageItemsDefault
  }
}
