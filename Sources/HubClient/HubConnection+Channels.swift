internal import HubProtocol

extension HubConnection {
  /// Makes a channel whose owner is the user (`channel.create`). Not sent again when the connection
  /// ends before the answer.
  /// - Parameters:
  ///   - kind: any but `direct`; see ``openDirect(with:)``.
  ///   - custom: a JSON object of the app's own, at most 64 KiB.
  ///   - members: besides the user, at most 100.
  public func createChannel(
    _ channel: String, kind: HubChannel.Kind, name: String? = nil, details: String? = nil,
    custom: HubJSON? = nil, members: [String] = []
  ) async throws(HubError) -> HubChannel {
    let create = ChannelCreate(
      channel: try ChannelName.checked(channel), kind: kind.wire,
      profile: ChannelProfile(name: name, details: details, custom: custom?.raw),
      members: try UserID.checked(members))
    return try await callForChannel(.channelCreate(create), isRepeatable: false)
  }

  /// One channel (`channel.get`).
  public func channel(_ channel: String) async throws(HubError) -> HubChannel {
    try await callForChannel(.channelGet(try ChannelName.checked(channel)))
  }

  /// Which channels `channels` looks through.
  public enum Scope: String, Hashable, Sendable, CaseIterable {
    /// Those that the user is a member of.
    case joined
    /// Public and broadcast ones that the user is no member of.
    case joinable
    /// All public and broadcast ones.
    case all
  }

  /// A page of channels, the most active first (`channel.list`).
  /// - Parameters:
  ///   - cursor: from the page before.
  ///   - limit: 1 to 100.
  public func channels(
    _ scope: Scope = .joined, kind: HubChannel.Kind? = nil, cursor: String? = nil, limit: Int = 50
  ) async throws(HubError) -> HubChannelPage {
    let list = ChannelList(
      scope: scope.wire, kind: kind?.wire, sort: .activity, cursor: cursor, limit: limit)
    return try await call(.channelList(list)) { HubChannelPage(json: $0) }
  }

  /// Makes the user a member of a public or broadcast channel (`channel.join`).
  @discardableResult
  public func join(_ channel: String) async throws(HubError) -> HubChannel {
    try await callForChannel(.channelJoin(try ChannelName.checked(channel)))
  }

  /// Ends the user's membership (`channel.leave`).
  @discardableResult
  public func leave(_ channel: String) async throws(HubError) -> HubChannel {
    try await callForChannel(.channelLeave(try ChannelName.checked(channel)))
  }

  /// Makes others members; moderators may (`member.add`).
  /// - Parameter users: at most 100.
  public func add(_ users: [String], to channel: String) async throws(HubError) {
    let operation = Operation.memberAdd(
      try ChannelName.checked(channel), users: try UserID.checked(users))
    _ = try await call(operation)
  }

  /// A page of a channel's members: those who are there first, then by name (`member.list`).
  /// - Parameters:
  ///   - onlyPresent: leaves out the others.
  ///   - cursor: from the page before.
  ///   - limit: 1 to 100.
  public func members(
    of channel: String, onlyPresent: Bool = false, cursor: String? = nil, limit: Int = 50
  ) async throws(HubError) -> HubMemberPage {
    let list = MemberList(
      channel: try ChannelName.checked(channel), onlyPresent: onlyPresent, cursor: cursor,
      limit: limit)
    return try await call(.memberList(list)) { HubMemberPage(json: $0) }
  }

  /// The direct channel with another user; it is made if there is none yet (`dm.open`).
  public func openDirect(with user: String) async throws(HubError) -> HubChannel {
    try await callForChannel(.directOpen(try UserID.checked(user)))
  }
}

extension HubChannel.Kind {
  fileprivate var wire: ChannelKind {
    switch self {
    case .direct: .direct
    case .group: .group
    case .public: .public
    case .broadcast: .broadcast
    }
  }
}

extension HubConnection.Scope {
  fileprivate var wire: ChannelList.Scope {
    switch self {
    case .joined: .joined
    case .joinable: .joinable
    case .all: .all
    }
  }
}
