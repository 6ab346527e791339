package import NIOHTTP1

/// Why a request does not become a WebSocket (RFC 6455 §4.2).
package enum UpgradeRefusal: Error, Sendable, Equatable, CaseIterable {
  /// The method is not GET.
  case method
  /// The request is HTTP/1.0.
  case httpVersion
  /// There is not exactly one `Host`.
  case host
  /// The request announces a body.
  case body
  /// `Upgrade` does not name `websocket`.
  case upgrade
  /// `Connection` does not name `upgrade`.
  case connection
  /// `Sec-WebSocket-Version` is not 13.
  case version
  /// There is not exactly one `Sec-WebSocket-Key`, or it is not the base64 of 16 bytes.
  case key

  package var status: HTTPResponseStatus {
    switch self {
    case .method: .methodNotAllowed
    case .upgrade, .version: .upgradeRequired
    case .httpVersion, .host, .body, .connection, .key: .badRequest
    }
  }

  /// One sentence for people.
  package var sentence: String {
    switch self {
    case .method: "A WebSocket is opened with GET."
    case .httpVersion: "A WebSocket is opened with HTTP/1.1."
    case .host: "The request must have exactly one Host field."
    case .body: "A request that opens a WebSocket must not have a body."
    case .upgrade: "This resource speaks WebSocket: the Upgrade field must name websocket."
    case .connection: "The Connection field must name upgrade."
    case .version: "This server speaks version 13 of the WebSocket protocol."
    case .key: "There must be one Sec-WebSocket-Key, the base64 form of 16 bytes."
    }
  }

  /// The response; a 426 names the protocol and the version to use (§4.4, RFC 9110 §15.5.22).
  package var answer: HTTPAnswer {
    let headers: HTTPHeaders =
      switch self {
      case .method: ["allow": "GET"]
      case .upgrade, .version:
        ["upgrade": "websocket", "connection": "upgrade", "sec-websocket-version": "13"]
      case .httpVersion, .host, .body, .connection, .key: [:]
      }
    return .text(self.status, self.sentence, headers: headers)
  }
}
