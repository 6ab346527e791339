/// `notify` (protocol, "Inbox").
package struct Notify: Equatable, Sendable {
  /// For whom it is.
  package enum Audience: Equatable, Sendable {
    /// At most `Limits.notifyRecipients`.
    case users([UserID])
    /// The channel's members.
    case channel(ChannelName)
    /// All users whose `custom` is so.
    case segment(Segment)
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

/// `notify.retract`.
package struct NotifyRetract: Equatable, Sendable {
  package let audience: Notify.Audience
  /// What it was published with.
  package let key: String

  package init(audience: Notify.Audience, key: String) {
    self.audience = audience
    self.key = key
  }
}

/// Which items of an inbox are meant.
package enum InboxSelection: Equatable, Sendable {
  case ids([Int])
  /// Those that came or grew at that position or before it; of these types only, nil for all.
  case upTo(Int, types: [String]?)
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
