package import NIOHTTP1

/// A server's consent to a request that opens a WebSocket (RFC 6455 §4.2.2).
package struct UpgradeAcceptance: Sendable, Equatable {
  /// The client's first subprotocol that we support; `nil` when it offers none of ours.
  package let subprotocol: String?
  private let accept: String

  /// Whether the request wants a WebSocket at all, rightly or not: `Upgrade` names `websocket`, or
  /// there is a `Sec-WebSocket-Key`.
  package static func isWanted(by head: HTTPRequestHead) -> Bool {
    head.headers.contains(token: "websocket", in: "upgrade")
      || head.headers.contains(name: "sec-websocket-key")
  }

  /// Checks the request. Extensions are ignored: none is ever negotiated.
  /// - Parameter subprotocols: those the server supports; the order does not matter.
  package init(
    to head: HTTPRequestHead, subprotocols: [String] = []
  ) throws(UpgradeRefusal) {
    let headers = head.headers
    guard head.method == .GET else { throw .method }
    guard head.version == .http1_1 else { throw .httpVersion }
    guard headers["host"].count == 1 else { throw .host }
    let hasLength = headers["content-length"].contains { $0 != "0" }
    guard !hasLength, !headers.contains(name: "transfer-encoding") else { throw .body }
    guard headers.contains(token: "websocket", in: "upgrade") else { throw .upgrade }
    guard headers.contains(token: "upgrade", in: "connection") else { throw .connection }
    guard headers["sec-websocket-version"] == ["13"] else { throw .version }
    let keys = headers["sec-websocket-key"]
    guard keys.count == 1, let value = keys.first, let key = HandshakeKey(received: value) else {
      throw .key
    }
    let offered = headers.elements(of: "sec-websocket-protocol").lazy.map(String.init)
    self.subprotocol = offered.first { subprotocols.contains($0) }
    self.accept = key.accept
  }

  /// The 101 that makes the connection a WebSocket.
  package var response: HTTPResponseHead {
    var headers: HTTPHeaders = [
      "upgrade": "websocket", "connection": "upgrade", "sec-websocket-accept": self.accept,
    ]
    if let subprotocol = self.subprotocol {
      headers.add(name: "sec-websocket-protocol", value: subprotocol)
    }
    return HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
  }
}
