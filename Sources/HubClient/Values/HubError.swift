internal import HubProtocol

/// Why something was not done: the hub refused it, or it never came to that.
public struct HubError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Who says so.
  public enum Origin: Hashable, Sendable {
    /// The hub answered with an error object; nothing has changed there
    /// (protocol, "Errors and close codes").
    case hub
    /// This client could not ask, or did not hear the answer.
    case client
  }

  /// Stable, for programs: one of the protocol's codes such as `not_member`, or of the client's own
  /// constants below.
  public let code: String
  /// A sentence for people. It may change between releases.
  public let message: String
  /// The time after which trying again can help; nil where it cannot.
  public let retryAfter: Duration?
  /// Who says so.
  public let origin: Origin

  /// The hub's address cannot be used.
  public static let badURL = "bad_url"
  /// Nothing answers at the hub's address, or what answers is no hub.
  public static let unreachable = "unreachable"
  /// No answer came in time. The request may have been done.
  public static let timedOut = "timed_out"
  /// The connection ended before the answer came. The request may have been done.
  public static let connectionLost = "connection_lost"
  /// The connection is closed, or was never opened.
  public static let closed = "closed"
  /// The hub ended the connection for good.
  public static let ended = "ended"
  /// More requests are unanswered than the configuration allows.
  public static let tooManyRequests = "too_many_requests"
  /// The connection has a subscription to this channel already.
  public static let alreadySubscribed = "already_subscribed"
  /// The task that asked was cancelled. The request may have been done.
  public static let cancelled = "cancelled"
  /// An answer has not the shape that the protocol gives it.
  public static let badReply = "bad_reply"

  /// The code and the sentence.
  public var description: String { "\(code): \(message)" }

  /// An error of the client's own.
  package init(_ code: String, _ message: String) {
    self.init(code: code, message: message, retryAfter: nil, origin: .client)
  }

  package init(code: String, message: String, retryAfter: Duration?, origin: Origin) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
    self.origin = origin
  }

  init(_ refusal: Refusal) {
    self.init(
      code: refusal.codeText, message: refusal.message,
      retryAfter: refusal.retryAfterMilliseconds.map { .milliseconds($0) }, origin: .hub)
  }
}

extension HubError {
  /// An argument that the protocol's alphabet or limits rule out; told before anything is sent.
  static func badArgument(_ message: String) -> HubError {
    HubError(ErrorCode.badRequest.rawValue, message)
  }

  static func badReply(to operation: String) -> HubError {
    HubError(badReply, "the hub's answer to \(operation) has an unknown shape")
  }
}
