/// What the hub tells without being asked (protocol, "Events"). What is large and rare is indirect,
/// so that a message is cheap to hand on.
package enum Event: Sendable {
  /// A new message; `toSender` when it goes to the sender's own connections, which see the key.
  case message(Message, toSender: Bool)
  /// A new message whose sender the reader has blocked.
  case hiddenMessage(ChannelName, seq: Int)
  /// A message was edited or deleted.
  indirect case messageChanged(MessageChange)
  indirect case reaction(ReactionChange)
  indirect case signal(Signal, from: UserID)
  /// Everybody who types in the channel now.
  case typing(ChannelName, users: [UserID])
  /// The same above `Limits.individualMembers`.
  case typingCount(ChannelName, Int)
  /// A member's pointers moved.
  indirect case receipt(ChannelName, user: UserID, read: Int, delivered: Int)
  /// How many members have read each of these messages, in channels too large for `receipt`.
  case readBy(ChannelName, [ReadCount])
  indirect case member(ChannelName, user: UserID, MemberChange, Role?)
  indirect case channelCreated(ChannelSummary)
  indirect case channelUpdated(ChannelSummary)
  case channelDeleted(ChannelName)
  indirect case presence(UserPresence)
  /// How many members are there, in channels too large for `presence`.
  case present(ChannelName, count: Int)
  indirect case user(User)
  /// What the user set on another connection, or on this one.
  indirect case ownSettings(UserSettings, blocked: [UserID])
  case ownMute(ChannelName, isMuted: Bool)
  indirect case activity(Activity)
  indirect case unread(UnreadCounts)
  indirect case inbox(InboxEvent, InboxStand)
  indirect case notice(Notice)
  case noticeRetract(ChannelName, seq: Int)
  case unsubscribed(ChannelName, UnsubscribeReason)
  /// Events of a channel that this connection was too slow to take.
  indirect case gap(Gap)
  /// Events of the user stream that this connection was too slow to take: to be loaded again.
  case userGap
  /// A request without an id was refused; `op` is nil where it could not be made out.
  indirect case error(op: String?, Refusal)
}

/// How many members have read up to a message or beyond.
package struct ReadCount: Equatable, Sendable {
  package let seq: Int
  package let members: Int

  package init(seq: Int, members: Int) {
    self.seq = seq
    self.members = members
  }
}

/// A new message in a channel that its reader is a member of but not subscribed to.
package struct Activity: Equatable, Sendable {
  package let channel: ChannelName
  package let seq: Int
  package let user: UserID
  package let ts: Timestamp
  /// At most 50 characters of the text and `...`, or what stands for a message without one.
  package let preview: String

  package init(channel: ChannelName, seq: Int, user: UserID, ts: Timestamp, preview: String) {
    self.channel = channel
    self.seq = seq
    self.user = user
    self.ts = ts
    self.preview = preview
  }
}

/// Absolute numbers as of `at` (protocol, "Receipts and unread").
package struct UnreadCounts: Equatable, Sendable {
  package let channel: ChannelName
  /// 1,000 means that many or more.
  package let unread: Int
  package let mentions: Int
  /// Over all the user's channels that are not muted.
  package let total: Int
  /// The channel's seq that the numbers hold for.
  package let at: Int

  package init(channel: ChannelName, unread: Int, mentions: Int, total: Int, at: Int) {
    self.channel = channel
    self.unread = unread
    self.mentions = mentions
    self.total = total
    self.at = at
  }
}

/// A message in its state after an edit or its deletion.
package struct MessageChange: Sendable {
  package let message: Message
  /// It goes to the sender's own connections, which see the key.
  package let toSender: Bool
  /// It goes to somebody who has blocked the sender.
  package let isHidden: Bool

  package init(_ message: Message, toSender: Bool = false, isHidden: Bool = false) {
    self.message = message
    self.toSender = toSender
    self.isHidden = isHidden
  }
}

/// A reaction was made or taken back.
package struct ReactionChange: Equatable, Sendable {
  package let channel: ChannelName
  package let seq: Int
  package let user: UserID
  package let reaction: String
  package let isOn: Bool
  /// How many have made it now.
  package let count: Int
  /// The channel's number of this change.
  package let rev: Int

  package init(
    channel: ChannelName, seq: Int, user: UserID, reaction: String, isOn: Bool, count: Int, rev: Int
  ) {
    self.channel = channel
    self.seq = seq
    self.user = user
    self.reaction = reaction
    self.isOn = isOn
    self.count = count
    self.rev = rev
  }
}

/// What a connection missed of a channel: to be asked for by `subscribe` with `since` the seq
/// before `from`, and `rev`.
package struct Gap: Equatable, Sendable {
  package let channel: ChannelName
  /// Number of the first message missed, or that of the next one when only changes were missed.
  package let from: Int
  /// Number of the last message missed; below `from` when only changes were missed.
  package let to: Int
  /// Number of the last edit, deletion or reaction before those missed.
  package let rev: Int

  package init(channel: ChannelName, from: Int, to: Int, rev: Int) {
    self.channel = channel
    self.from = from
    self.to = to
    self.rev = rev
  }
}
