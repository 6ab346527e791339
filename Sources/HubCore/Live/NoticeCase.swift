package import HubProtocol

/// Where one connection of a message's reader looks, seen from the message's channel.
package enum FocusRelation: Sendable, CaseIterable {
  /// At that channel.
  case here
  /// At another one.
  case elsewhere
  /// At the list of conversations.
  case list
  /// Nobody said.
  case unset
  /// At nothing.
  case away

  /// `focus` as the connection last said it; nil before it did.
  package init(of focus: Focus?, to channel: ChannelName) {
    switch focus {
    case .channel(let other): self = other == channel ? .here : .elsewhere
    case .list: self = .list
    case .away: self = .away
    case nil: self = .unset
    }
  }
}

/// One message and one user whom it may concern: all that decides what the user is told of it.
package struct NoticeCase: Equatable, Sendable {
  /// What `mute.types` calls a message, for somebody whom it does not mention.
  package static let messageType = "message"
  /// What `mute.types` calls a message that mentions the user.
  package static let mentionType = "mention"

  /// The user wrote it.
  package var isOwn = false
  package var isDeleted = false
  /// The user has muted the channel, for a time or for good.
  package var isChannelMuted = false
  /// The user has muted who wrote it.
  package var isSenderMuted = false
  /// `mute.types` has `message`.
  package var areMessagesMuted = false
  /// `mute.types` has `mention`: to be mentioned is nothing special then.
  package var areMentionsMuted = false
  /// One of user and sender has blocked the other.
  package var isBlocked = false
  /// The user's pointer is at the message or after it.
  package var isRead = false
  /// It mentions the user, by name or as one of the channel.
  package var isMentioned = false
  /// The channel is so large that only mentions are told: see `isLarge(_:memberCount:)`.
  package var isLarge = false
  /// Do-not-disturb, by the settings or the presence `dnd`.
  package var isQuiet = false
  /// The user's connections, in any order; none for somebody who is not there.
  package var focus: [FocusRelation]

  package init(focus: [FocusRelation] = []) {
    self.focus = focus
  }

  /// Whether only mentions are told in such a channel.
  package static func isLarge(_ kind: ChannelKind, memberCount: Int) -> Bool {
    kind.isOpen || memberCount > Limits.individualMembers
  }

  /// Whether the user is to hear that they were mentioned, and not only of a message.
  var isForMention: Bool { isMentioned && !areMentionsMuted }

  /// Whether the user has muted what the message is for them.
  var isTypeMuted: Bool { !isForMention && areMessagesMuted }
}
