package import HubWebSocket
import NIOCore
package import NIOHTTP1

/// What the port answers to requests that do not become WebSockets.
package struct PlainHTTP {
  /// Where WebSockets are.
  package static let webSocketPath = "/v1/ws"

  let policy: LoopbackPolicy?
  private let status: HubStatus

  package init(policy: LoopbackPolicy?, status: HubStatus = HubStatus()) {
    self.policy = policy
    self.status = status
  }

  /// Whether a request for a WebSocket is for the hub's.
  package func admit(_ head: HTTPRequestHead) -> Admission {
    if let refusal = policy?.refusal(of: head) { return .refuse(refusal) }
    return Self.path(of: head) == Self.webSocketPath ? .upgrade : .plain
  }

  /// The answer to any other request.
  package func answer(_ head: HTTPRequestHead) -> HTTPAnswer {
    if let refusal = policy?.refusal(of: head) { return refusal }
    switch Self.path(of: head) {
    case "/healthz": return Self.reading(head) { .text(.ok, "ok") }
    case "/readyz":
      return Self.reading(head) {
        status.trouble().map { .text(.serviceUnavailable, $0) } ?? .text(.ok, "ready")
      }
    case "/metrics": return Self.reading(head) { Self.prometheus(status.metrics()) }
    case Self.webSocketPath:
      return UpgradeRefusal.upgrade.answer
    default:
      return .text(.notFound, "there is nothing here; the WebSocket is at \(Self.webSocketPath)")
    }
  }

  /// The answer to GET and HEAD; other methods are refused.
  private static func reading(
    _ head: HTTPRequestHead, _ answer: () -> HTTPAnswer
  ) -> HTTPAnswer {
    guard head.method == .GET || head.method == .HEAD else {
      return .text(.methodNotAllowed, "only GET and HEAD", headers: ["Allow": "GET, HEAD"])
    }
    return answer()
  }

  private static func prometheus(_ text: String) -> HTTPAnswer {
    let type = "text/plain; version=0.0.4; charset=utf-8"
    return HTTPAnswer(
      status: .ok, headers: ["content-type": type], body: ByteBuffer(string: text))
  }

  /// The value of a query argument, as it stands in the URL.
  package static func argument(_ name: String, of head: HTTPRequestHead) -> String? {
    let parts = head.uri.split(separator: "?", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let match = parts[1].split(separator: "&").first { $0.hasPrefix(name + "=") }
    return match.map { String($0.dropFirst(name.count + 1)) }
  }

  private static func path(of head: HTTPRequestHead) -> Substring {
    head.uri.prefix { $0 != "?" }
  }
}
