/// The arguments of `channel.*`, `dm.open`, `subscribe` and `unsubscribe` (protocol, "Channels and
/// membership" and "Subscribing and recovery").
extension Arguments {
  @inline(__always)
  func operation(_ name: OperationName.Channel) throws(Refusal) -> Operation {
    switch name {
    case .create: try .channelCreate(channelCreate())
    case .get: try .channelGet(channel())
    case .update: try .channelUpdate(channelUpdate())
    case .delete: try .channelDelete(channel())
    case .list: try .channelList(channelList())
    case .join: try .channelJoin(channel())
    case .leave: try .channelLeave(channel())
    case .mute: try .channelMute(channel(), until: timestamp(.untilTs))
    case .unmute: try .channelUnmute(channel())
    case .directOpen: try .directOpen(requiredUser())
    case .subscribe: try .subscribe(subscribe())
    case .unsubscribe: try .unsubscribe(channel())
    }
  }

  /// Empty optional arguments are as good as absent.
  private func channelCreate() throws(Refusal) -> ChannelCreate {
    let channel = try channel()
    let kind = try requiredChoice(.kind, ChannelKind.self)
    let profile = ChannelProfile(
      name: try nonEmptyString(.name, atMost: Limits.labelBytes),
      details: try nonEmptyString(.details, atMost: Limits.detailsBytes),
      avatar: try url(.avatar), custom: try custom())
    return ChannelCreate(
      channel: channel, kind: kind, profile: profile,
      members: try users(.members, atMost: Limits.listEntries) ?? [])
  }

  private func channelUpdate() throws(Refusal) -> ChannelUpdate {
    let channel = try channel()
    try requireChange(.name, .details, .avatar, .custom)
    return ChannelUpdate(
      channel: channel, name: try stringUpdate(.name, atMost: Limits.labelBytes),
      details: try stringUpdate(.details, atMost: Limits.detailsBytes),
      avatar: try urlUpdate(.avatar), custom: try customUpdate())
  }

  private func channelList() throws(Refusal) -> ChannelList {
    ChannelList(
      scope: try choice(.scope) ?? .joined, kind: try choice(.kind),
      sort: try choice(.sort) ?? .activity, cursor: try cursor(), limit: try pageLimit())
  }

  private func subscribe() throws(Refusal) -> Subscribe {
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

  /// Why somebody is banned or a message flagged; empty is as good as absent.
  func reason() throws(Refusal) -> String? {
    try nonEmptyString(.reason, atMost: Limits.reasonBytes)
  }
}
