/// What users say of their own presence (`presence.set`).
package enum PresenceStatus: String, Sendable, CaseIterable {
  case online
  case away
  case dnd
  /// Shown as `offline`.
  case invisible
}

/// What others see of it.
package enum ShownStatus: String, Sendable, CaseIterable {
  case online
  case away
  case dnd
  case offline
}

/// One user's presence as others see it (protocol, "Ephemeral").
package struct UserPresence: Equatable, Sendable {
  package let user: UserID
  package let status: ShownStatus
  /// When the user was last seen to be there; nil when nobody knows.
  package let lastSeenTs: Timestamp?

  package init(user: UserID, status: ShownStatus, lastSeenTs: Timestamp?) {
    self.user = user
    self.status = status
    self.lastSeenTs = lastSeenTs
  }
}

/// Who of a channel's members is there.
package struct ChannelPresence: Equatable, Sendable {
  package let channel: ChannelName
  package let count: Int
  /// By id; nil above `Limits.individualMembers`.
  package let users: [UserID]?

  package init(channel: ChannelName, count: Int, users: [UserID]?) {
    self.channel = channel
    self.count = count
    self.users = users
  }
}

/// What a person looks at on one connection (`focus`).
package enum Focus: Equatable, Sendable {
  case channel(ChannelName)
  /// The list of conversations.
  case list
  case away
}
