/// One notification to be published (protocol, "Inbox": `notify`).
///
///     var like = HubNotification(to: .users(["ann"]), type: "like", text: "Bob liked your video")
///     like.actor = "bob"
///     like.target = HubInboxTarget(kind: "video", id: "v1")
///     like.key = "like:v1:bob"
///     try await connection.notify(like)
public struct HubNotification: Hashable, Sendable {
  /// For whom a notification is.
  public enum Audience: Hashable, Sendable {
    /// 1 to 10,000 user ids.
    case users([String])
    /// The members of a channel that the publisher sees.
    case channel(String)
    /// All users whose `custom` is an object in which every member named here has that value, or is
    /// a list that holds it. 1 to 8 members.
    case segment([String: SegmentValue])
  }

  /// What a member of a user's `custom` must be; numbers are equal when their values are.
  public enum SegmentValue: Hashable, Sendable {
    /// A string, compared byte for byte.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A finite number.
    case decimal(Double)
    /// A truth value.
    case bool(Bool)
  }

  /// For whom it is.
  public var audience: Audience
  /// `like`, `comment`, … or a word of the app's own, at most 64 bytes.
  public var type: String
  /// What is said: 1 to 5,000 characters, at most 32 KiB.
  public var text: String
  /// A heading, at most 1,024 bytes.
  public var title: String?
  /// Who did it; a user id. They themselves are not notified, nor who muted or blocked them.
  public var actor: String?
  /// What it is about.
  public var target: HubInboxTarget?
  /// Makes it idempotent per publisher and recipient, and lets it be taken back; at most 64 bytes.
  public var key: String?
  /// Items of one publisher with the same word become one; at most 64 bytes.
  public var collapse: String?
  /// From when on it is gone, in milliseconds since the Unix epoch. It must lie ahead.
  public var expiresTs: Int?
  /// The app's own value, kept byte for byte; at most 64 KiB.
  public var data: HubJSON?

  /// A notification with nothing optional in it.
  public init(to audience: Audience, type: String, text: String) {
    self.audience = audience
    self.type = type
    self.text = text
  }
}

extension HubNotification.SegmentValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A finite number.
  public init(floatLiteral value: Double) { self = .decimal(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
