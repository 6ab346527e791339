import HubCore
import HubProtocol
import HubServer
import Testing

private func identity(_ user: String, _ privilege: Privilege) throws -> Identity {
  Identity(user: try #require(UserID(user)), privilege: privilege)
}

@Suite("protocol, Session: development tokens")
struct DevTokensTests {
  @Test(
    "the prefix says what the holder is",
    arguments: [
      ("dev:alice", "alice", Privilege.person),
      ("dev-bot:news", "news", .bot),
      ("dev-admin:root", "root", .admin),
      ("dev:a:b@c#d", "a:b@c#d", .person),
      ("dev:dev-bot:x", "dev-bot:x", .person),
      ("dev:" + String(repeating: "a", count: 120), String(repeating: "a", count: 120), .person),
    ])
  func good(token: String, user: String, privilege: Privilege) throws {
    #expect(try DevTokens().verify(token).get() == identity(user, privilege))
  }

  @Test(
    "anything else is unauthenticated",
    arguments: [
      "", "dev", "dev:", "dev-bot:", "dev-admin:", "Dev:alice", "DEV:alice", "alice", " dev:alice",
      "dev:alice ", "dev:@channel", "dev:a b", "dev:é", "dev:a\u{0}", "dev:\u{301}a",
      "dev-root:x", "dev_bot:x", "Bearer dev:alice", "dev:" + String(repeating: "a", count: 121),
    ])
  func bad(token: String) {
    #expect(throws: Refusal.self) { try DevTokens().verify(token).get() }
    guard case .failure(let refusal) = DevTokens().verify(token) else { return }
    #expect(refusal.code == .unauthenticated)
  }
}

@Suite("protocol, Session: the token in the upgrade request")
struct UpgradeTokenTests {
  private func token(_ authorization: String?, query: String? = nil) -> UpgradeToken {
    UpgradeToken(authorization: authorization, query: query, by: DevTokens())
  }

  private func code(_ result: Result<Identity, Refusal>) -> ErrorCode? {
    guard case .failure(let refusal) = result else { return nil }
    return refusal.code
  }

  @Test(
    "a bearer token does hello's job, however the scheme is written",
    arguments: [
      "Bearer dev:alice", "bearer dev:alice", "BEARER dev:alice", "Bearer   dev:alice",
    ])
  func bearer(authorization: String) throws {
    let token = token(authorization)
    #expect(!token.isBad)
    let holder = try token.identity(of: Hello(token: nil), by: DevTokens()).get()
    #expect(try holder == identity("alice", .person))
  }

  @Test(
    "what is not a good bearer token is bad",
    arguments: [
      "", "Bearer", "Bearer ", "dev:alice", "Basic ZGV2OmFsaWNl", "Bearer nonsense",
      "Bearer dev:a b", "Bearerdev:alice",
    ])
  func bad(authorization: String) {
    let token = token(authorization)
    #expect(token.isBad)
    #expect(code(token.identity(of: Hello(token: nil), by: DevTokens())) == .unauthenticated)
  }

  @Test("no token of this hub may stand in a URL", arguments: ["dev:alice", "", "nonsense"])
  func query(text: String) {
    let token = token(nil, query: text)
    #expect(token.isBad)
    #expect(code(token.identity(of: Hello(token: nil), by: DevTokens())) == .unauthenticated)
  }

  @Test("the header goes before the query")
  func headerFirst() throws {
    let token = token("Bearer dev-bot:news", query: "dev:alice")
    let holder = try token.identity(of: Hello(token: nil), by: DevTokens()).get()
    #expect(try holder == identity("news", .bot))
  }

  @Test(
    "the token in hello goes before that of the upgrade",
    arguments: [
      nil, "Bearer dev:bob", "Bearer nonsense",
    ])
  func helloFirst(authorization: String?) throws {
    let hello = Hello(token: "dev:alice")
    let holder = try token(authorization).identity(of: hello, by: DevTokens()).get()
    #expect(try holder == identity("alice", .person))
  }

  @Test("a bad token in hello is not made good by the upgrade's")
  func badHello() {
    let hello = Hello(token: "nonsense")
    let result = token("Bearer dev:bob").identity(of: hello, by: DevTokens())
    #expect(code(result) == .unauthenticated)
  }

  @Test("with no token anywhere the upgrade is not bad, and hello is unauthenticated")
  func none() {
    let token = token(nil)
    #expect(!token.isBad)
    #expect(code(token.identity(of: Hello(token: nil), by: DevTokens())) == .unauthenticated)
  }
}
