import HashTreeCollections
import HubProtocol

/// Coming and going of connections (protocol, "Session").
extension Hub {
  /// Milliseconds after the end of a user's last connection before they count as gone.
  static let presenceGrace = 10_000

  /// A `hello` has taken effect: the connection is the user's, and what waited behind it may go on.
  mutating func greet(_ user: UserRef, since: String?, _ origin: Origin, at moment: Moment) {
    let connection = origin.connection
    if case .greeting(let waiting) = sessions[connection]?.phase { released += waiting }
    sessions[connection]?.phase = .ready(user)
    connect(user, on: connection, at: moment)
    effects.append(.greeted(connection, user))
    let stream = registry.userStream(
      of: user, since: since, at: moment.wall, presentCount: { presentCount($0, for: user) })
    answer(
      origin,
      .hello(
        HelloReply(
          user: registry.shownUser(user), session: ids.next(), serverTs: moment.wall,
          heartbeatMilliseconds: configuration.heartbeatMilliseconds,
          requestsPerSecond: configuration.requestsPerSecond, userStream: stream)))
  }

  private mutating func connect(
    _ user: UserRef, on connection: ConnectionID, at moment: Moment
  ) {
    // Taken out while it changes, so that nothing of it is copied.
    let absence = absent.removeValue(forKey: user)
    let known = online.removeValue(forKey: user)
    let isArrival = known == nil
    var person =
      known ?? OnlineUser(status: absence?.status ?? .online, lastSeenTs: absence?.lastSeenTs)
    let isFirst = person.connections.isEmpty
    person.connect(connection)
    if isFirst { person.followNothing() }
    for channel in registry.users[user.index].channels {
      if isFirst {
        follow(channel, as: &person, user, at: moment)
      } else if unreadPacer.waiting.contains(channel) {
        // Its `hello` brings what the others have not been told yet.
        person.doubt(channel)
      }
      audiences[channel, default: Audience()].enter(user, on: [connection])
      if person.status == .invisible { audiences[channel]?.setInvisible(user, true) }
    }
    online[user] = person
    if isArrival { watchMutings(by: user, at: moment) }
    watchExpiry(of: user, at: moment)
    if isArrival, person.shownStatus != .offline { presenceChanged(of: user, at: moment) }
  }

  /// Begins to count in a channel, with what is unread in it now.
  func follow(
    _ channel: ChannelRef, as person: inout OnlineUser, _ user: UserRef, at moment: Moment
  ) {
    let (unread, mentions) = registry.unread(user, in: channel) ?? (0, 0)
    person.follow(
      channel, count: OnlineUser.Count(unread: unread, mentions: mentions),
      isInTotal: isInTotal(channel, of: user, at: moment))
  }

  /// Whether what is unread in a channel counts in a user's total.
  func isInTotal(_ channel: ChannelRef, of user: UserRef, at moment: Moment) -> Bool {
    registry.channels[channel.index].kind != .broadcast
      && !registry.isMuted(channel, by: user, at: moment.wall)
  }

  /// A connection is gone: its subscriptions, its typing and, some time after the last, its user's
  /// being there end.
  mutating func disconnect(_ connection: ConnectionID, at moment: Moment) {
    guard let session = sessions.removeValue(forKey: connection) else { return }
    guard let user = session.user else { return }
    online[user]?.noticesShown.forget(connection)
    for channel in typing.end(on: connection) { publishTyping(in: channel, because: [user]) }
    if online[user]?.disconnect(connection) == true {
      if online[user]?.status != .invisible { online[user]?.lastSeenTs = moment.wall }
      online[user]?.leftAt = moment.uptime
      leaving.insert(user, at: moment.uptime + Self.presenceGrace)
    }
    let joined = registry.users[user.index].channels
    for channel in session.subscriptions.union(joined) {
      guard var audience = audiences.removeValue(forKey: channel) else { continue }
      audience.disconnect(connection)
      if session.subscriptions.contains(channel) { forgetSpecial(user, in: &audience) }
      if !audience.isEmpty { audiences[channel] = audience }
    }
  }

  /// A user whose last connection ended some time ago is gone, unless they have come back.
  mutating func depart(_ user: UserRef, at moment: Moment) {
    guard let person = online[user], person.connections.isEmpty else { return }
    // They may have come back and gone again since: then another deadline is theirs.
    guard person.leftAt.map({ moment.uptime >= $0 + Self.presenceGrace }) ?? true else { return }
    online[user] = nil
    for channel in registry.users[user.index].channels {
      audiences[channel]?.exit(user, on: [])
      forgetIfEmpty(channel)
    }
    absent[user] = Absence(
      status: person.status == .away ? .online : person.status, lastSeenTs: person.lastSeenTs)
    if person.shownStatus != .offline { presenceChanged(of: user, at: moment) }
  }

  /// A user's new token: it must be theirs.
  mutating func refresh(
    _ identity: Result<Identity, Refusal>, _ origin: Origin, by user: UserRef
  ) {
    switch identity {
    case .failure(let refusal):
      refuse(origin, refusal)
    case .success(let identity):
      let state = registry.users[user.index]
      guard identity.user == state.id, identity.privilege == state.privilege else {
        return refuse(origin, Refusal(.unauthenticated, "the token is another user's"))
      }
      answer(origin, .empty)
    }
  }

  /// Closes all connections of a user, for an operator.
  mutating func disconnect(
    _ id: UserID, _ origin: Origin, by admin: UserRef, at moment: Moment
  ) throws(Refusal) {
    guard registry.users[admin.index].privilege == .admin else {
      throw Refusal(.forbidden, "only admins disconnect users")
    }
    let user = try registry.existingUser(id)
    answer(origin, .empty)
    for connection in connections(of: user) { end(connection, .removedByOperator, at: moment) }
  }

  /// A user's connections; none when they are not there.
  func connections(of user: UserRef) -> [ConnectionID] {
    online[user]?.connections ?? []
  }
}
