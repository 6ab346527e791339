/// `hello`: who is there (protocol, "Session").
package struct Hello: Equatable, Sendable {
  /// Nil when the upgrade request carried the token.
  package let token: String?
  /// `user_stream.at` of an earlier session.
  package let sinceUser: String?

  package init(token: String?, sinceUser: String? = nil) {
    self.token = token
    self.sinceUser = sinceUser
  }
}

/// `subscribe` (protocol, "Subscribing and recovery").
package struct Subscribe: Equatable, Sendable {
  package let channel: ChannelName
  /// Where the client stopped; nil asks for the newest `limit` messages.
  package let since: Position?
  /// 0…`Limits.subscribeMessages`.
  package let limit: Int

  package init(channel: ChannelName, since: Position?, limit: Int) {
    self.channel = channel
    self.since = since
    self.limit = limit
  }
}
