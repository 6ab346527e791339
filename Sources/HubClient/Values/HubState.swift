/// How a connection stands.
public enum HubState: Hashable, Sendable {
  /// Not opened yet.
  case idle
  /// Reaching the hub, or waiting for its answer to `hello`.
  case connecting
  /// Signed in; requests are answered and events come.
  case connected(HubSession)
  /// Cut off; the next attempt comes after this time. Requests wait, subscriptions are kept.
  case waiting(for: Duration)
  /// Over, until ``HubConnection/connect()`` is called again. Nil when it was closed from here.
  case closed(HubError?)
}

/// What a subscription or the stream of all events tells its reader.
public enum HubUpdate: Hashable, Sendable {
  /// Something happened. The messages of a subscription come in order, each once, whatever the
  /// connection goes through.
  case event(HubEvent)
  /// The hub could not bring everything since the last message. What the app knows of the channel
  /// is out of date; it stands at the position given now, and what follows begins there. In the
  /// stream of all events the position is nil and it means: the connection was made anew.
  case reset(HubPosition?)
  /// This reader, or the hub's answer after a gap, was slow, and so many updates were dropped here.
  case missed(Int)
}
