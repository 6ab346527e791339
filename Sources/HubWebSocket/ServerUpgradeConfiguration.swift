package import NIOCore
package import NIOHTTP1

/// What to do with a request that wants a WebSocket, before its handshake is looked at.
package enum Admission: Sendable {
  /// Check the handshake and upgrade, or say what is wrong with it.
  case upgrade
  /// There is no WebSocket here: answer as to any other request.
  case plain
  /// Answer this and close.
  case refuse(HTTPAnswer)
}

/// How a server answers the requests of one connection until one of them becomes a WebSocket.
/// The closures are called on the connection's event loop and must not block.
package struct ServerUpgradeConfiguration: Sendable {
  /// Given to the ``WebSocketHandler``; its role must be `.server`.
  package var webSocket = WebSocketConfiguration(role: .server)

  /// The subprotocols supported. The client's first of them is chosen.
  package var subprotocols: [String] = []

  /// How long a request may take to arrive, from the connect or from the answer before it on the
  /// same connection. Then the connection is closed. Defaults to 10 s.
  package var requestDeadline: TimeAmount = .seconds(10)

  /// How long a client may take to accept an answer. Defaults to 60 s.
  package var answerDeadline: TimeAmount = .seconds(60)

  /// How long input is discarded behind the last answer, so that the client can still read it
  /// before TCP is reset. Defaults to 2 s.
  package var discardDeadline: TimeAmount = .seconds(2)

  /// The most bytes of a request's body. They are discarded; a longer one closes the connection
  /// behind the answer. Defaults to 64 KiB.
  package var maxBodyBytes: Int = 64 * 1024

  /// Decides about a request that wants a WebSocket (``UpgradeAcceptance/isWanted(by:)``).
  package var admit: @Sendable (HTTPRequestHead) -> Admission

  /// Answers every other request.
  package var plain: @Sendable (HTTPRequestHead) -> HTTPAnswer

  /// Appends the application's handlers behind the ``WebSocketHandler``, when the 101 is written.
  /// An error closes the WebSocket with 1011.
  package var configure: @Sendable (any Channel, HTTPRequestHead, WebSocketHandler) throws -> Void

  package init(
    admit: @escaping @Sendable (HTTPRequestHead) -> Admission,
    plain: @escaping @Sendable (HTTPRequestHead) -> HTTPAnswer,
    configure:
      @escaping @Sendable (any Channel, HTTPRequestHead, WebSocketHandler) throws -> Void
  ) {
    self.admit = admit
    self.plain = plain
    self.configure = configure
  }
}
