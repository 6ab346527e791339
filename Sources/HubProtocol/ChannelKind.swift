/// The four kinds of channel (protocol, "Channels and membership").
package enum ChannelKind: String, Sendable, CaseIterable {
  /// Two users.
  case direct
  /// Members only.
  case group
  /// Anyone may join.
  case `public`
  /// Owner and moderators post; followers read, react and reply in threads.
  case broadcast

  /// Whether anybody signed in sees the channel and may join it.
  package var isOpen: Bool {
    switch self {
    case .public, .broadcast: true
    case .direct, .group: false
    }
  }
}

/// What a member may do (protocol, "Who may").
package enum Role: String, Sendable, CaseIterable {
  case owner
  case moderator
  case member
}

/// What happened to a membership (`member` event).
package enum MemberChange: String, Sendable, CaseIterable {
  case joined
  case left
  case removed
  case banned
  case updated
}

/// Why the hub ended a subscription (`unsubscribed` event).
package enum UnsubscribeReason: String, Sendable, CaseIterable {
  case left
  case removed
  case banned
  case deleted
}
