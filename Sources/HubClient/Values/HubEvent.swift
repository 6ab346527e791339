internal import HubProtocol

/// What the hub told without being asked (protocol, "Events").
public struct HubEvent: Hashable, Sendable {
  /// What stands under `ev`.
  public let name: String
  /// The channel that it is about; nil when it is about none.
  public let channel: String?
  /// What happened.
  public let body: Body
  /// The whole event as it came, byte for byte. A message that a subscription brought in its reply
  /// has `"ev":"message"` put in front.
  public let json: HubJSON

  /// What happened.
  public enum Body: Hashable, Sendable {
    /// A new message.
    case message(HubMessage)
    /// A message was edited; `rev` is nil in what a recovery brings, which may also be a message
    /// whose reactions alone have changed.
    case messageUpdated(HubMessage, rev: Int?)
    /// A message was deleted and has no content any more.
    case messageDeleted(HubMessage, rev: Int?)
    /// A reaction was added or removed.
    case reaction(HubReaction)
    /// Everybody who types now; above 100 people their number only.
    case typing(users: [String], count: Int)
    /// A custom event of another member's.
    case signal(user: String, name: String, data: HubJSON?)
    /// A member's pointers moved.
    case receipt(user: String, read: Int, delivered: Int)
    /// How many members have read each of these messages, by seq, in channels above 100 members.
    case readBy([Int: Int])
    /// Somebody's status changed; `lastSeenTs` is in milliseconds since the Unix epoch.
    case presence(user: String, status: String, lastSeenTs: Int?)
    /// How many members of a large channel have a connection.
    case present(count: Int)
    /// A membership changed: `joined`, `left`, `removed`, `banned` or `updated`.
    case member(user: String, change: String, role: String?)
    /// A channel of the user's came to be.
    case channelCreated(HubChannel)
    /// A channel of the user's changed.
    case channelUpdated(HubChannel)
    /// A channel of the user's is gone.
    case channelDeleted
    /// Somebody's profile changed, or the user's own did elsewhere.
    case user(HubUser)
    /// The user's own settings changed.
    case ownSettings(HubSettings)
    /// The user muted the channel, or mutes it no longer.
    case ownMute(isMuted: Bool)
    /// A message in a channel that this connection is not subscribed to; `ts` in milliseconds.
    case activity(seq: Int, user: String, ts: Int, preview: String)
    /// The user's absolute counts as of the channel's seq `at`.
    case unread(unread: Int, mentions: Int, total: Int, at: Int)
    /// A notification came.
    case inboxAdded(HubInboxItem, HubInboxCounts)
    /// A notification grew, shrank, was marked or followed.
    case inboxUpdated(HubInboxItem, HubInboxCounts)
    /// Several were marked at once, and have this state now. On the wire it is `inbox.updated` too.
    case inboxMarked(ids: [String], HubInboxState, HubInboxCounts)
    /// Notifications were deleted, taken back or dropped, or have expired; with the item where it
    /// was one and the hub still knew it.
    case inboxRemoved(ids: [String], HubInboxItem?, HubInboxCounts)
    /// The inbox is empty.
    case inboxCleared(HubInboxCounts)
    /// A new message is to be shown to the user, who looks at something else.
    case notice(HubNotice)
    /// That notice is to go away.
    case noticeRetracted(seq: Int)
    /// The hub ended the subscription: `left`, `removed`, `banned` or `deleted`.
    case unsubscribed(reason: String)
    /// The hub left out messages from `from` to `to`, none where `to` is below `from`, and the
    /// changes after `rev`. A subscription asks for them by itself: they come next, or
    /// ``HubUpdate/reset(_:)``. `member` events may be missing for good.
    case gap(from: Int, to: Int, rev: Int?)
    /// The hub left out part of what concerns the user: reload channels and inbox.
    case userGap
    /// The hub is about to end this connection; the client comes back after the delay by itself.
    case drain(reconnectAfter: Duration)
    /// A request without id was refused.
    case error(operation: String?, HubError)
    /// An event that this version does not know, or one of an unknown shape.
    case other
  }
}

/// A reaction to a message (protocol, "Events").
public struct HubReaction: Hashable, Sendable {
  /// Number of the message.
  public let seq: Int
  /// Who reacted.
  public let user: String
  /// The emoji or word.
  public let reaction: String
  /// Whether it was added, not removed.
  public let isOn: Bool
  /// How many have reacted so, now.
  public let count: Int
  /// The channel's revision that this change made; nil when not told.
  public let rev: Int?
}
