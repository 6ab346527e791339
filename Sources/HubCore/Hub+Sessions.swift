import HashTreeCollections
import HubProtocol

/// Coming and going of connections (protocol, "Session").
extension Hub {
  /// A `hello` has taken effect: the connection is the user's, and what waited behind it may go on.
  mutating func greet(_ user: UserRef, _ origin: Origin, at moment: Moment) {
    let connection = origin.connection
    if case .greeting(let waiting) = sessions[connection]?.phase { released += waiting }
    sessions[connection]?.phase = .ready(user)
    connect(user, on: connection)
    effects.append(.greeted(connection, user))

    let (channels, hasMore) = registry.mostActive(for: user, presentCount: presentCount)
    let stream = UserStream(
      at: "\(moment.wall.milliseconds).\(registry.recordCount)", isRecovered: false,
      channels: channels, left: nil, hasMore: hasMore)
    answer(
      origin,
      .hello(
        HelloReply(
          user: registry.users[user.index].profile, session: ids.next(), serverTs: moment.wall,
          heartbeatMilliseconds: configuration.heartbeatMilliseconds,
          requestsPerSecond: configuration.requestsPerSecond, userStream: stream)))
  }

  private mutating func connect(_ user: UserRef, on connection: ConnectionID) {
    // Taken out while it changes, so that nothing of it is copied.
    var person = online.removeValue(forKey: user) ?? OnlineUser()
    let isFirst = person.connections.isEmpty
    person.connect(connection)
    for channel in registry.users[user.index].channels {
      if isFirst {
        person.follow(channel, in: registry, user)
      } else if unreadPacer.waiting.contains(channel) {
        // Its `hello` brings what the others have not been told yet.
        person.doubt(channel)
      }
      audiences[channel, default: Audience()].enter(user, on: [connection])
    }
    online[user] = person
  }

  /// A connection is gone: its subscriptions, its typing and, if it was the last, its user's being
  /// there end.
  mutating func disconnect(_ connection: ConnectionID) {
    guard let session = sessions.removeValue(forKey: connection) else { return }
    for channel in typing.end(on: connection) { publishTyping(in: channel) }
    guard let user = session.user else { return }
    let isLast = online[user]?.disconnect(connection) ?? true
    if isLast { online[user] = nil }
    let joined = registry.users[user.index].channels
    for channel in session.subscriptions.union(joined) {
      guard var audience = audiences.removeValue(forKey: channel) else { continue }
      audience.disconnect(connection)
      if isLast { audience.exit(user, on: []) }
      if !audience.isEmpty { audiences[channel] = audience }
    }
  }

  /// How many of a channel's members are there.
  func presentCount(_ channel: ChannelRef) -> Int {
    audiences[channel]?.online.count ?? 0
  }

  /// The channel as `viewer` is shown it, or as all members are.
  func summary(of channel: ChannelRef, for viewer: UserRef?) -> ChannelSummary {
    registry.summary(of: channel, for: viewer, presentCount: presentCount(channel))
  }

  /// A user's connections; none when they are not there.
  func connections(of user: UserRef) -> [ConnectionID] {
    online[user]?.connections ?? []
  }
}

extension OnlineUser {
  /// Begins to follow a channel with what counts as unread in it now.
  mutating func follow(_ channel: ChannelRef, in registry: Registry, _ user: UserRef) {
    let standing = registry.standing(of: user, in: channel)
    follow(
      channel,
      count: Count(unread: standing?.unread ?? 0, mentions: standing?.mentions ?? 0),
      isInTotal: registry.channels[channel.index].kind != .broadcast)
  }
}
