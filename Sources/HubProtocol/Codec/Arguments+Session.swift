/// The arguments of the operations about the connection (protocol, "Session").
extension Arguments {
  @inline(__always)
  func operation(_ name: OperationName.Session) throws(Refusal) -> Operation {
    switch name {
    case .hello: try .hello(hello())
    case .ping: .ping
    case .tokenRefresh: try .tokenRefresh(requiredToken())
    case .adminSnapshot: .adminSnapshot
    case .adminBackup: try .adminBackup(directory: directory())
    }
  }

  /// `client` says who built the client; the hub only checks that it is an object.
  private func hello() throws(Refusal) -> Hello {
    if let client = self[.client], client.kind != .object {
      throw .badArgument(.client, "an object")
    }
    return Hello(
      token: try token(), sinceUser: try string(.sinceUser, atMost: Limits.tokenBytes))
  }

  /// Where the hub runs, so that it must say where from the root on.
  private func directory() throws(Refusal) -> String {
    let path = try requiredWord(.dir, atMost: Limits.pathBytes)
    guard path.utf8.first == UInt8(ascii: "/") else { throw .badArgument(.dir, "an absolute path") }
    return path
  }

  private func requiredToken() throws(Refusal) -> String {
    guard let token = try token() else { throw .missing(.token) }
    return token
  }

  private func token() throws(Refusal) -> String? {
    try string(.token, atMost: Limits.tokenBytes)
  }
}
