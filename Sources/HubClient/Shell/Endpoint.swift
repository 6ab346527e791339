/// Where a hub is, as its URL says.
package struct Endpoint: Hashable, Sendable {
  /// A name or address, an IPv6 one without brackets.
  package let host: String
  package let port: Int
  /// Path and query, beginning with `/`.
  package let path: String
  /// The value of `Host`.
  package let hostHeader: String

  private static let defaultPath = "/v1/ws"

  /// - Parameter url: `ws://host:port`, with a path only when it is not `/v1/ws`. `http` is taken
  ///   for `ws`, so that what the hub prints can be pasted.
  package init(_ url: String) throws(HubError) {
    guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), let scheme = url.range(ofFirst: "://") else {
      throw Self.bad(url, "it must look like ws://127.0.0.1:8080")
    }
    switch url[..<scheme.lowerBound].lowercased() {
    case "ws", "http": break
    case "wss", "https":
      throw Self.bad(url, "this client cannot do TLS yet; use ws://, or a proxy that ends TLS")
    default: throw Self.bad(url, "its scheme must be ws")
    }
    let rest = url[scheme.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = String(rest[authority.endIndex...])
    guard !authority.contains("@") else {
      throw Self.bad(url, "it must not hold a user name; say who you are by the token")
    }
    (host, port) = try Self.hostAndPort(authority, url)
    self.path =
      switch path.first {
      case nil: Self.defaultPath
      case "?": Self.defaultPath + path
      default: path == "/" ? Self.defaultPath : path
      }
    hostHeader = String(authority)
  }

  private static func hostAndPort(
    _ authority: Substring, _ url: String
  ) throws(HubError) -> (String, Int) {
    var host = authority
    var port: Substring?
    if authority.first == "[", let end = authority.firstIndex(of: "]") {
      host = authority[authority.index(after: authority.startIndex)..<end]
      let behind = authority[authority.index(after: end)...]
      guard behind.isEmpty || behind.first == ":" else { throw bad(url, "its host is malformed") }
      port = behind.isEmpty ? nil : behind.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    guard !host.isEmpty else { throw bad(url, "it names no host") }
    guard let port else { return (String(host), 80) }
    guard let number = UInt16(port), number > 0 else {
      throw bad(url, "its port must be 1 to 65535")
    }
    return (String(host), Int(number))
  }

  private static func bad(_ url: String, _ rule: String) -> HubError {
    HubError(HubError.badURL, "\(url) cannot be used as the hub's URL: \(rule)")
  }
}

extension String {
  fileprivate func range(ofFirst other: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) {
        return start..<index(start, offsetBy: other.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
