internal import HubProtocol
internal import NIOCore

extension HubConnection {
  /// Subscribes to a channel. Returns when the hub has said yes.
  ///
  /// Members may subscribe to `direct` and `group` channels, anybody to `public` and `broadcast`. A
  /// connection has one subscription to a channel at a time.
  /// - Parameters:
  ///   - since: where the app stopped in an earlier run; the messages after it come first, or
  ///     ``HubUpdate/reset(_:)`` when the hub cannot bring them all.
  ///   - newest: without `since`, how many of the newest messages come first: 0 to 300.
  /// - Throws: `not_found` and what else the hub refuses with, ``HubError/alreadySubscribed``, or
  ///   ``HubError/closed``.
  public func subscribe(
    to channel: String, since: HubPosition? = nil, newest: Int = 0
  ) async throws(HubError) -> HubSubscription {
    let name = try ChannelName.checked(channel)
    guard 0...Limits.subscribeMessages ~= newest else {
      throw .badArgument("newest must be 0 to \(Limits.subscribeMessages)")
    }
    if let since, !(0...Limits.largestInteger ~= since.seq) {
      throw .badArgument("the position's seq must be 0 to 2^53-1")
    }
    guard !isSubscribed(to: name) else {
      throw HubError(HubError.alreadySubscribed, "\(channel) has a subscription already")
    }
    let feed = Feed<HubUpdate>(limit: configuration.maxWaitingUpdates, overflow: .count)
    try await withCheckedContinuation { continuation in
      feeds[name] = feed
      beginnings[name] = continuation
      step { $0.subscribe(to: name, since: since, newest: newest, .now()) }
    }.get()
    return HubSubscription(channel: channel, name: name, feed: feed, connection: self)
  }

  func unsubscribe(_ subscription: HubSubscription) async throws(HubError) {
    // One that is over may have a successor.
    guard feeds[subscription.name] === subscription.feed else { return }
    step { $0.forget(subscription.name) }
    guard case .connected = state else { return }
    _ = try await call(.unsubscribe(subscription.name))
  }
}

extension ChannelName {
  static func checked(_ text: String) throws(HubError) -> ChannelName {
    guard let name = ChannelName(text) else {
      throw .badArgument(
        "\"\(text)\" is no channel name: 1 to \(Limits.channelNameBytes) of"
          + " A-Z a-z 0-9 _ - . : @ #, not beginning with @")
    }
    return name
  }
}

extension UserID {
  static func checked(_ text: String) throws(HubError) -> UserID {
    guard let user = UserID(text) else {
      throw .badArgument(
        "\"\(text)\" is no user id: 1 to \(Limits.userIDBytes) of"
          + " A-Z a-z 0-9 _ - . : @ #, not beginning with @")
    }
    return user
  }

  static func checked(_ texts: [String]) throws(HubError) -> [UserID] {
    var users: [UserID] = []
    for text in texts { users.append(try checked(text)) }
    return users
  }
}
