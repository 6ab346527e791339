internal import HubWebSocket
internal import NIOCore

/// The last handler of a client's WebSocket: hands to the connection what arrives. It lives on the
/// connection's loop, and is cut loose when the connection turned to another attempt.
final class LinkHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage

  private let attempt: Int
  /// Weak, so that a connection that nobody holds any more is closed.
  private weak var connection: HubConnection?

  init(attempt: Int, connection: HubConnection?) {
    self.attempt = attempt
    self.connection = connection
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = [UInt8](buffer: unwrapInboundIn(data).payload)
    let attempt = attempt
    // SAFETY: the channel lives on the loop that is the connection's executor (`Link.open`).
    connection?.assumeIsolated { $0.received(bytes, attempt: attempt) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let closed = event as? WebSocketClosed {
      ended(Self.end(closed))
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    ended(.abrupt("the connection broke off"))
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// The connection listens to the first of these only.
  private func ended(_ end: LinkEnd) {
    let attempt = attempt
    // SAFETY: as in `channelRead`.
    connection?.assumeIsolated { $0.ended(end, attempt: attempt) }
  }

  private static func end(_ closed: WebSocketClosed) -> LinkEnd {
    switch closed.initiator {
    case .peer: .closedByHub(code: closed.code, reason: closed.reason)
    case .us where closed.code == CloseCode.normal.rawValue: .closedByUs
    case .us: .abrupt("the hub broke the WebSocket protocol")
    case .abrupt: .abrupt("the connection broke off")
    }
  }
}
