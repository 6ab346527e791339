package import HubProtocol

/// What the hub knows of one connection.
struct Session {
  /// How far the connection has come.
  enum Phase {
    /// Connected. Next: `greeting`, or `ended`.
    case fresh
    /// Its `hello` is on the way through the log; what came behind waits. Next: `ready`, or
    /// `ended`.
    case greeting(waiting: [Arrival])
    /// Signed in. Next: `loading`, or `ended`.
    case ready(UserRef)
    /// Signed in, and something is being loaded for its latest request; what came behind waits.
    /// Next: `ready`, or `ended`.
    case loading(UserRef, waiting: [Arrival])
    /// Being closed by the hub; what still comes is dropped.
    case ended
  }

  var phase = Phase.fresh
  /// Whether its violation is on the way: what still comes is dropped.
  var isViolator = false
  var limiter: RateLimiter?
  var subscriptions: Set<ChannelRef> = []
  /// What the person looks at on this connection; nil before they said.
  var focus: Focus?

  /// Whether the hub is closing the connection.
  var isEnded: Bool {
    switch phase {
    case .ended: true
    case .fresh, .greeting, .ready, .loading: false
    }
  }

  /// What waits for a `hello` that is on the way, or for something that is being loaded.
  var waiting: [Arrival]? {
    switch phase {
    case .greeting(let waiting), .loading(_, let waiting): waiting
    case .fresh, .ready, .ended: nil
    }
  }

  /// Puts an arrival behind those that wait; false when nothing has to wait.
  mutating func keepWaiting(_ arrival: Arrival) -> Bool {
    switch phase {
    case .greeting(let waiting):
      phase = .greeting(waiting: waiting + [arrival])
      return true
    case .loading(let user, let waiting):
      phase = .loading(user, waiting: waiting + [arrival])
      return true
    case .fresh, .ready, .ended:
      return false
    }
  }

  /// Whether the connection ended while something was waited for.
  var hasGone: Bool { waiting?.last?.isClosing == true }

  /// Who is signed in.
  var user: UserRef? {
    switch phase {
    case .ready(let user), .loading(let user, _): user
    case .fresh, .greeting, .ended: nil
    }
  }
}

/// Who a verified token says its holder is.
package struct Identity: Equatable, Sendable {
  package let user: UserID
  package let privilege: Privilege

  package init(user: UserID, privilege: Privilege) {
    self.user = user
    self.privilege = privilege
  }
}

/// What comes to the core from one connection. `bytes` is what the message takes of the
/// connection's inbound allowance.
package enum Arrival: Sendable {
  /// `hello`, with what its token says, and where the user stream was left.
  case hello(ConnectionID, RequestID?, Result<Identity, Refusal>, since: String?, bytes: Int)
  /// `token.refresh`, with what the new token says.
  case refresh(ConnectionID, RequestID?, Result<Identity, Refusal>, bytes: Int)
  case request(ConnectionID, Request, bytes: Int)
  /// A message that is not a request that could be done.
  case refused(ConnectionID, RequestID?, op: String?, Refusal, bytes: Int)
  /// The connection broke the protocol and is to be closed behind what it asked before.
  case violation(ConnectionID, CloseCode)
  /// The connection ended; nothing comes after it.
  case closed(ConnectionID)

  /// Whether it says that the connection ended.
  package var isClosing: Bool {
    switch self {
    case .closed: true
    case .hello, .refresh, .request, .refused, .violation: false
    }
  }

  var connection: ConnectionID {
    switch self {
    case .hello(let connection, _, _, _, _), .refresh(let connection, _, _, _),
      .request(let connection, _, _), .refused(let connection, _, _, _, _),
      .violation(let connection, _), .closed(let connection):
      connection
    }
  }
}
