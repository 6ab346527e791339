package import NIOHTTP1

/// Why a client's opening handshake failed (RFC 6455 §4.1). The connection is closed with it.
package enum ClientUpgradeError: Error, Sendable, Equatable {
  /// The server answered with another status than 101. The body is cut after 1 KiB.
  case refused(status: HTTPResponseStatus, headers: HTTPHeaders, body: String)
  /// The server's 101 is not one.
  case invalid(Flaw)
  /// The bytes are not HTTP, or pass the limits of a head.
  case notHTTP
  /// ``ClientUpgradeConfiguration/deadline`` passed.
  case timedOut
  /// TCP ended before the answer was complete.
  case connectionClosed

  /// What is wrong with a 101.
  package enum Flaw: Sendable, Equatable, CaseIterable {
    /// `Upgrade` is not `websocket`.
    case upgrade
    /// `Connection` does not name `upgrade`.
    case connection
    /// `Sec-WebSocket-Accept` does not answer our key.
    case accept
    /// A subprotocol we did not offer, or more than one.
    case subprotocol
    /// An extension, though we offer none.
    case extensions
  }
}
