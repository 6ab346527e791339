package import HubWebSocket
package import NIOHTTP1

/// Keeps web pages from elsewhere away from a hub that takes development tokens: any `Origin` or
/// `Host` that is not loopback is answered 403 (protocol, "Session"), also when a name that points
/// here was used (DNS rebinding).
package struct LoopbackPolicy {
  package init() {}

  /// The answer to a request that is not to be served; nil when it may pass.
  package func refusal(of head: HTTPRequestHead) -> HTTPAnswer? {
    for host in head.headers["host"] where !Self.isLoopback(authority: host) {
      return .text(.forbidden, "a development hub answers to loopback hosts only")
    }
    for origin in head.headers["origin"] where !Self.isLoopback(origin: origin) {
      return .text(.forbidden, "a development hub answers to loopback origins only")
    }
    return nil
  }

  package static func isLoopback(origin: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
      return isLoopback(authority: String(origin.dropFirst(scheme.count)))
    }
    return false
  }

  /// Whether `host` or `host:port` names this machine's own interface.
  package static func isLoopback(authority: String) -> Bool {
    let authority = authority.lowercased()
    let host: Substring
    let port: Substring
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      host = authority[authority.index(after: authority.startIndex)..<end]
      port = authority[authority.index(after: end)...]
    } else {
      host = authority.prefix { $0 != ":" }
      port = authority[host.endIndex...]
    }
    let isPort = port.isEmpty || (port.first == ":" && port.utf8.dropFirst().allSatisfy(isDigit))
    return isPort && isLoopback(host: host)
  }

  /// `localhost`, 127.0.0.0/8, or ::1.
  package static func isLoopback(host: Substring) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map {
      $0.utf8.allSatisfy(isDigit) ? UInt8($0) : nil
    }
    return bytes.count == 4 && bytes[0] == 127 && bytes.allSatisfy { $0 != nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
