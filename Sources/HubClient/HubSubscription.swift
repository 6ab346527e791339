internal import HubProtocol

/// The events of one channel, over any number of connections.
///
///     let subscription = try await connection.subscribe(to: "room:swift", newest: 20)
///     for try await update in subscription {
///       if case .event(let event) = update, case .message(let message) = event.body { … }
///     }
///
/// Messages come in order, each exactly once: after a reconnect or a gap the hub is asked for all
/// since the last one, and where it cannot bring all of it, ``HubUpdate/reset(_:)`` says so
/// (protocol, "Subscribing and recovery"). Older messages that were changed meanwhile come before
/// them as updates, other events behind them. The sequence ends when the hub ends the subscription,
/// on ``unsubscribe()``, on ``HubConnection/close()`` and when the reading task is cancelled; it
/// throws when the hub refuses to take it up again, or ended the connection for good. It has one
/// reader: two iterators share the updates.
public struct HubSubscription: AsyncSequence, Sendable {
  /// Reads one subscription.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let feed: Feed<HubUpdate>
    /// Keeps the connection open while somebody reads.
    let connection: HubConnection

    /// The next update; nil at the end.
    public mutating func next() async throws -> HubUpdate? {
      try await next(isolation: nil)
    }

    /// The next update; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(HubError) -> HubUpdate? {
      switch await feed.next() {
      case .element(let update): return update
      case .missed(let count): return .missed(count)
      case .end(let error?): throw error
      case .end(nil): return nil
      }
    }
  }

  /// The channel's name.
  public let channel: String
  let name: ChannelName
  let feed: Feed<HubUpdate>
  let connection: HubConnection

  /// Where the subscription stands: the last message that arrived, read or not. Nil once
  /// it is over.
  public var position: HubPosition? {
    get async { await connection.position(in: name) }
  }

  /// Reads the updates that nobody has read yet.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: feed, connection: connection)
  }

  /// Ends the subscription here and, if there is a connection, at the hub.
  public func unsubscribe() async throws(HubError) {
    try await connection.unsubscribe(self)
  }
}

/// Every event that the hub sends to this connection, of all channels and of the user, as it comes.
/// Here nothing is recovered: a ``HubUpdate/reset(_:)`` stands where the connection was made anew.
public struct HubEvents: AsyncSequence, Sendable {
  /// Reads the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let feed: Feed<HubUpdate>
    let connection: HubConnection

    /// The next update; nil when the connection is closed.
    public mutating func next() async -> HubUpdate? {
      await next(isolation: nil)
    }

    /// The next update; nil when the connection is closed.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> HubUpdate? {
      switch await feed.next() {
      case .element(let update): update
      case .missed(let count): .missed(count)
      case .end: nil
      }
    }
  }

  let feed: Feed<HubUpdate>
  let connection: HubConnection

  /// Reads the events since the sequence was made.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: feed, connection: connection)
  }
}

/// How the connection stands: the present state, then every change. Who reads slowly sees the
/// newest 16.
public struct HubStates: AsyncSequence, Sendable {
  /// Reads the states.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let feed: Feed<HubState>

    /// The next state; nil once the connection is closed, behind ``HubState/closed(_:)``.
    public mutating func next() async -> HubState? {
      await next(isolation: nil)
    }

    /// The next state; nil once the connection is closed, behind ``HubState/closed(_:)``.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> HubState? {
      if case .element(let state) = await feed.next() { state } else { nil }
    }
  }

  let feed: Feed<HubState>

  /// Reads the states since the sequence was made.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: feed)
  }
}
