/// Every argument of every operation, and the members of objects among them, by the names of the
/// protocol. Those of the hot operations stand first: names are looked up in this order.
enum ArgumentName: UInt8, CaseIterable {
  case id, op, channel, text, key, seq, on
  case data, mentions, attachments, replyTo, retry, hops
  case since, epoch, rev, limit, before, after, around
  case user, users, members, kind, name, details, avatar, custom
  case token, client, sinceUser, scope, sort, cursor
  case to, type, actor, target, title, collapse, expiresTs, url, thumb
  case types, states

  /// The name on the wire.
  var text: String {
    switch self {
    case .replyTo: "reply_to"
    case .sinceUser: "since_user"
    case .expiresTs: "expires_ts"
    case .id, .op, .channel, .text, .key, .seq, .on, .data, .mentions, .attachments, .retry,
      .hops, .since, .epoch, .rev, .limit, .before, .after, .around, .user, .users, .members,
      .kind, .name, .details, .avatar, .custom, .token, .client, .scope, .sort, .cursor, .to,
      .type, .actor, .target, .title, .collapse, .url, .thumb, .types, .states:
      // The case is named as on the wire.
      "\(self)"
    }
  }

  /// The argument that `key`, a string in `source`, names; nil for one the hub does not know.
  init?(_ key: JSONSlice, in source: JSONSource) {
    let wanted: ShortName?
    if key.hasEscapes {
      wanted = (try? JSONString.decode(key, in: source)).flatMap { ShortName($0) }
    } else {
      wanted = ShortName(source, key.range)
    }
    guard let wanted, let index = Self.shortNames.firstIndex(of: wanted) else { return nil }
    self = Self.all[index]
  }

  /// How many names there are.
  static let count = all.count

  // `allCases` makes a new array at each use.
  private static let all = allCases
  private static let shortNames = all.compactMap { ShortName($0.text) }
}

/// Every `op` that the hub knows, the frequent ones first.
enum OperationName: String, CaseIterable {
  case messageSend = "message.send"
  case typing
  case read
  case delivered
  case ping
  case subscribe
  case unsubscribe
  case messageHistory = "message.history"
  case hello
  case channelCreate = "channel.create"
  case channelGet = "channel.get"
  case channelList = "channel.list"
  case channelJoin = "channel.join"
  case channelLeave = "channel.leave"
  case memberAdd = "member.add"
  case directOpen = "dm.open"
  case notify
  case inboxList = "inbox.list"
  case adminSnapshot = "admin.snapshot"

  /// The operation that `op`, a string in `source`, names; nil for one the hub does not know.
  init?(_ op: JSONSlice, in source: JSONSource) {
    let wanted: ShortName?
    if op.hasEscapes {
      wanted = (try? JSONString.decode(op, in: source)).flatMap { ShortName($0) }
    } else {
      wanted = ShortName(source, op.range)
    }
    guard let wanted, let index = Self.shortNames.firstIndex(of: wanted) else { return nil }
    self = Self.all[index]
  }

  private static let all = allCases
  private static let shortNames = all.compactMap { ShortName($0.rawValue) }
}
