/// `notify` (protocol, "Inbox").
package struct Notify: Equatable, Sendable {
  /// For whom it is.
  package enum Audience: Equatable, Sendable {
    /// At most `Limits.notifyRecipients`.
    case users([UserID])
    /// The channel's members.
    case channel(ChannelName)
  }

  package let audience: Audience
  package let notification: Notification
  /// Makes it idempotent per publisher and recipient.
  package let key: String?
  /// Items of one publisher with the same word become one.
  package let collapse: String?

  package init(
    audience: Audience, notification: Notification, key: String? = nil, collapse: String? = nil
  ) {
    self.audience = audience
    self.notification = notification
    self.key = key
    self.collapse = collapse
  }
}

/// `inbox.list`.
package struct InboxList: Equatable, Sendable {
  /// Nil for all types.
  package let types: [String]?
  /// Nil for all but the archived.
  package let states: [InboxState]?
  package let cursor: String?
  package let limit: Int

  package init(types: [String]?, states: [InboxState]?, cursor: String?, limit: Int) {
    self.types = types
    self.states = states
    self.cursor = cursor
    self.limit = limit
  }
}
