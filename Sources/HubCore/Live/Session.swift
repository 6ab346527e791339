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
    /// Signed in. Next: `ended`.
    case ready(UserRef)
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
    case .fresh, .greeting, .ready: false
    }
  }

  /// Whether the connection ended while its `hello` was on the way.
  var hasGone: Bool {
    guard case .greeting(let waiting) = phase, case .closed = waiting.last else { return false }
    return true
  }

  /// Who is signed in.
  var user: UserRef? {
    switch phase {
    case .ready(let user): user
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
