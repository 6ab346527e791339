package import HubProtocol

/// What the shell must do, in this order.
package enum Effect: Sendable {
  /// A request is answered; its `bytes` no longer count as waiting.
  case answer(ConnectionID, Answer, bytes: Int)
  case tell(ConnectionID, Event)
  case tellEach([ConnectionID], Event)
  /// To everybody subscribed, on the loops that have them, but for those who get a variant.
  case publish(ChannelRef, on: LoopSet, Event, variants: [Variant])
  /// `hello` was accepted: the connection is this user's.
  case greeted(ConnectionID, UserRef)
  case subscribed(ConnectionID, ChannelRef)
  case unsubscribed(ConnectionID, ChannelRef)
  /// The connection is to be closed behind what was sent before.
  case close(ConnectionID, CloseCode)
  /// A page that is not in memory: to be asked of history, and brought back to `Hub.resume`.
  indirect case loadOlder(OlderQuery, PendingRead)
  /// An operator wants a snapshot: its outcome is to be brought back to `Hub.finish`.
  indirect case takeSnapshot(PendingSnapshot)
}

/// What the connections of some users get in the place of a published event: another form of it, or
/// nothing. A user in two variants of one event gets the first.
package struct Variant: Sendable {
  package let users: [UserRef]
  package let event: Event?

  package init(users: [UserRef], event: Event?) {
    self.users = users
    self.event = event
  }
}

/// A snapshot that an operator waits for.
package struct PendingSnapshot: Sendable {
  let origin: Origin
}

/// What goes back for one request.
package enum Answer: Sendable {
  /// A success nobody asked to hear of.
  case silent
  case reply(RequestID, Reply)
  case refusal(RequestID, Refusal)
  /// A refusal of a request without an id.
  case refusalEvent(op: String?, Refusal)
}

/// A read whose messages are being loaded.
package struct PendingRead: Sendable {
  let origin: Origin
  let user: UserRef
  let channel: ChannelRef
  /// What was asked for, as the channel stood then.
  let place: HistoryRange
}

/// Where a request came from, and so where its answer goes.
struct Origin: Sendable {
  let connection: ConnectionID
  let id: RequestID?
  let op: String?
  let bytes: Int
}
