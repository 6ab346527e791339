package import NIOCore

/// How a client opens one WebSocket.
package struct ClientUpgradeConfiguration: Sendable {
  package var request: ClientUpgradeRequest

  /// Given to the ``WebSocketHandler``; its role must be `.client`.
  package var webSocket: WebSocketConfiguration

  /// How long the answer may take, from the moment the handlers are installed. Defaults to 10 s.
  package var deadline: TimeAmount = .seconds(10)

  /// Appends the application's handlers behind the ``WebSocketHandler``, on the channel's loop.
  package var configure: @Sendable (any Channel, WebSocketHandler) throws -> Void

  package init(
    request: ClientUpgradeRequest, webSocket: WebSocketConfiguration,
    configure: @escaping @Sendable (any Channel, WebSocketHandler) throws -> Void
  ) {
    self.request = request
    self.webSocket = webSocket
    self.configure = configure
  }
}
