package import HubCore
package import HubProtocol

/// Finds out who a token says its holder is.
package protocol TokenVerifier: Sendable {
  /// The holder, or why the token is not good.
  func verify(_ token: String) -> Result<Identity, Refusal>
}

/// The tokens of `--dev`: `dev:<user>`, `dev-bot:<id>`, `dev-admin:<id>` (protocol, "Session").
/// They prove nothing, which is why a hub that takes them listens on loopback only.
package struct DevTokens: TokenVerifier {
  private static let prefixes: [(text: String, privilege: Privilege)] = [
    ("dev:", .person), ("dev-bot:", .bot), ("dev-admin:", .admin),
  ]

  package init() {}

  package func verify(_ token: String) -> Result<Identity, Refusal> {
    for prefix in Self.prefixes where token.hasPrefix(prefix.text) {
      guard let user = UserID(String(token.dropFirst(prefix.text.count))) else { break }
      return .success(Identity(user: user, privilege: prefix.privilege))
    }
    return .failure(Refusal(.unauthenticated, "the token is not valid"))
  }
}

/// What the upgrade request said of who comes.
package struct UpgradeToken {
  private let identity: Result<Identity, Refusal>?

  /// Looks at the `Authorization` header, and at `?token=` where there is none.
  package init(authorization: String?, query: String?, by tokens: any TokenVerifier) {
    if let authorization {
      identity = Self.verify(authorization, by: tokens)
    } else if query != nil {
      // No token of this hub expires within 60 s of its issue, and no other is taken from a URL.
      let sentence = "`?token=` takes only tokens that expire within 60 s of their issue"
      identity = .failure(Refusal(.unauthenticated, sentence))
    } else {
      identity = nil
    }
  }

  /// Whether there was a token, and it is not good.
  package var isBad: Bool {
    if case .failure = identity { true } else { false }
  }

  /// Who says `hello`: by the token in it, else by that of the upgrade.
  package func identity(of hello: Hello, by tokens: any TokenVerifier) -> Result<Identity, Refusal>
  {
    if let token = hello.token { return tokens.verify(token) }
    let sentence = "`token` is missing, and the upgrade request had no bearer token"
    return identity ?? .failure(Refusal(.unauthenticated, sentence))
  }

  private static func verify(
    _ authorization: String, by tokens: any TokenVerifier
  ) -> Result<Identity, Refusal> {
    let words = authorization.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      return .failure(Refusal(.unauthenticated, "the `Authorization` header is not `Bearer …`"))
    }
    return tokens.verify(words[1].trimmingPrefix { $0 == " " }.description)
  }
}
