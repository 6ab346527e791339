internal import ArgumentParser
package import HubClient

/// An error as a sentence that says what to do, and as an exit code.
package struct Explanation: Equatable {
  /// What the command was about.
  package struct Subject: Equatable, Sendable {
    /// The channel that it names; nil when it names none or several.
    package var channel: String?
    /// Whether the command can join by itself when told to.
    package var canJoin = false

    package init(channel: String? = nil, canJoin: Bool = false) {
      self.channel = channel
      self.canJoin = canJoin
    }
  }

  package let code: String
  package let sentence: String
  package let exitCode: Int32

  package init(of error: HubError, url: String, about subject: Subject) {
    code = error.code
    sentence = TerminalText.escape(Self.sentence(error, url, subject))
    exitCode = Self.exitCode(error)
  }

  /// `{"error":{"code":…,"message":…}}`.
  package var json: String {
    let members =
      JSONLiteral.member("code", code) + [UInt8(ascii: ",")]
      + JSONLiteral.member("message", sentence)
    return "{\"error\":{" + String(decoding: members, as: UTF8.self) + "}}"
  }

  private static func exitCode(_ error: HubError) -> Int32 {
    switch (error.origin, error.code) {
    case (.hub, "unauthenticated"): 77
    case (.hub, _), (.client, HubError.ended): 1
    case (.client, HubError.badURL), (.client, "bad_request"), (.client, "too_large"): 64
    case (.client, _): 69
    }
  }

  private static func sentence(_ error: HubError, _ url: String, _ subject: Subject) -> String {
    switch error.origin {
    case .hub: refusal(error, subject)
    case .client: failure(error, url)
    }
  }

  private static func failure(_ error: HubError, _ url: String) -> String {
    switch error.code {
    case HubError.unreachable:
      "no hub answers at \(url) (\(error.message)). Start one with `hub serve --dev`,"
        + " or say where it is with --url."
    case HubError.timedOut: "the hub at \(url) did not answer in time (\(error.message))."
    case HubError.connectionLost: "the connection to \(url) was lost: \(error.message)."
    default: "\(error.message)."
    }
  }

  private static func refusal(_ error: HubError, _ subject: Subject) -> String {
    let channel = subject.channel.map { "`\($0)`" }
    let told = "\(error.message) (\(error.code))"
    switch (error.code, channel) {
    case ("unauthenticated", _):
      return "the hub does not accept the token: \(told). Give one with --token;"
        + " a hub that runs with --dev takes dev:<your-name>."
    case ("not_found", let channel?):
      return "\(channel) does not exist, or is not for you to see (not_found);"
        + " `hubctl channels --scope all` lists those that you may join."
    case ("not_member", let channel?) where subject.canJoin:
      return "you are not a member of \(channel) (not_member); add --join to become one."
    case ("forbidden", _):
      return "that is not for you to do: \(told)."
    case ("rate_limited", _), ("unavailable", _):
      guard let delay = error.retryAfter else { return "\(told)." }
      return "\(told); try again in \(delay)."
    default: return "the hub refused: \(told)."
    }
  }
}
