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
  /// Something that is not in memory: to be asked of history, as it is after everything applied so
  /// far, and brought back to `Hub.resume`.
  indirect case ask(HistoryQuery, PendingRead)
  /// An operator wants a snapshot: its outcome is to be brought back to `Hub.finish`.
  indirect case takeSnapshot(PendingOperation)
  /// An operator wants a copy of everything in a directory: as above.
  indirect case backUp(directory: String, PendingOperation)
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

/// What an operator waits for.
package struct PendingOperation: Sendable {
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

/// A request for which something is being loaded.
package struct PendingRead: Sendable {
  let origin: Origin
  let user: UserRef
  let purpose: Purpose

  /// What is to be done with what was loaded.
  enum Purpose: Sendable {
    /// A page, placed as the channel stood then.
    case history(ChannelRef, HistoryRange)
    case thread(ChannelRef, MessageThread)
    case feed(limit: Int)
    case search(MessageSearch, HistorySearch)
    /// Admission of an operation that needs facts about some of a channel's messages, true for as
    /// long as the window's generation is this.
    case admission(Operation, ChannelRef, generation: Int, seqs: [Int])
    /// Admission of a subscription.
    case subscription(Subscribe, LoadedMissed.Moment)
    /// An operation on the caller's inbox that needs these bodies.
    case inbox(Operation, bodies: [Int])
    /// A page of which it turned out late that these bodies are not known.
    case inboxPage(InboxList, bodies: [Int])
    /// What an item is about that was followed.
    case target(body: Int)
    /// Events of the user's inbox that wait.
    case inboxTelling(body: Int)

    /// The bodies that were asked for.
    var bodies: [Int] {
      switch self {
      case .inbox(_, let bodies), .inboxPage(_, let bodies): bodies
      case .target(let body), .inboxTelling(let body): [body]
      case .history, .thread, .feed, .search, .admission, .subscription: []
      }
    }
  }

  /// Whether what comes behind the request waits for it.
  var holdsUp: Bool {
    switch purpose {
    case .admission, .subscription, .inbox: true
    case .history, .thread, .feed, .search, .inboxPage, .target, .inboxTelling: false
    }
  }
}

/// Where a request came from, and so where its answer goes.
struct Origin: Sendable {
  let connection: ConnectionID
  let id: RequestID?
  let op: String?
  let bytes: Int
  /// Whether what comes behind it on its connection waits for its answer.
  var holdsUp = false
}
