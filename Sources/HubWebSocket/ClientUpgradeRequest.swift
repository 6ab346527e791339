package import NIOHTTP1

/// The request with which a client opens a WebSocket, and the check of what answers it
/// (RFC 6455 §4.1).
package struct ClientUpgradeRequest: Sendable {
  /// The value of `Host`: with the port unless it is the scheme's own.
  package let host: String
  /// Path and query, beginning with `/`.
  package let path: String
  /// Fields beside those of the handshake, for instance `Authorization` or `Origin`.
  package let headers: HTTPHeaders
  /// The subprotocols offered, the preferred one first.
  package let subprotocols: [String]
  package let key: HandshakeKey

  /// - Parameter nonce: 16 bytes nobody can predict.
  package init(
    host: String, path: String, headers: HTTPHeaders = [:], subprotocols: [String] = [],
    nonce: (UInt64, UInt64)
  ) {
    self.host = host
    self.path = path
    self.headers = headers
    self.subprotocols = subprotocols
    self.key = HandshakeKey(nonce: nonce)
  }

  package var head: HTTPRequestHead {
    var fields: HTTPHeaders = [
      "host": self.host, "upgrade": "websocket", "connection": "upgrade",
      "sec-websocket-key": self.key.value, "sec-websocket-version": "13",
    ]
    if !self.subprotocols.isEmpty {
      fields.add(
        name: "sec-websocket-protocol", value: self.subprotocols.joined(separator: ", "))
    }
    fields.add(contentsOf: self.headers)
    return HTTPRequestHead(version: .http1_1, method: .GET, uri: self.path, headers: fields)
  }

  /// Checks a 101.
  /// - Returns: the subprotocol the server chose, if any.
  package func check(
    _ response: HTTPResponseHead
  ) throws(ClientUpgradeError.Flaw) -> String? {
    let fields = response.headers
    let upgrades = fields.elements(of: "upgrade")
    guard upgrades.count == 1, upgrades.allSatisfy({ $0.isEqualIgnoringCase(to: "websocket") })
    else { throw .upgrade }
    guard fields.contains(token: "upgrade", in: "connection") else { throw .connection }
    guard fields["sec-websocket-accept"] == [self.key.accept] else { throw .accept }
    guard fields.elements(of: "sec-websocket-extensions").isEmpty else { throw .extensions }
    let chosen = fields["sec-websocket-protocol"]
    guard let first = chosen.first else { return nil }
    guard chosen.count == 1, self.subprotocols.contains(first) else { throw .subprotocol }
    return first
  }
}

extension ClientUpgradeError.Flaw: Error {}
