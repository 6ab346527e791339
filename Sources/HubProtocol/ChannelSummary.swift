/// A channel as lists, events and replies show it (protocol, "Channels and membership").
package struct ChannelSummary: Sendable {
  package var channel: ChannelName
  package var kind: ChannelKind
  /// Name, details, avatar and custom, with the name and avatar that stand in for missing ones
  /// already in place.
  package var profile: ChannelProfile
  package var memberCount: Int
  /// Members with at least one connection.
  package var presentCount: Int
  package var epoch: String
  package var seq: Int
  package var rev: Int
  /// When the channel last changed or was written to.
  package var updatedTs: Timestamp
  package var lastMessage: MessageView?
  /// What concerns the caller alone; nil in events and for somebody who is not a member.
  package var standing: Standing?

  package init(
    channel: ChannelName, kind: ChannelKind, profile: ChannelProfile, memberCount: Int,
    presentCount: Int, epoch: String, seq: Int, rev: Int, updatedTs: Timestamp,
    lastMessage: MessageView?, standing: Standing?
  ) {
    self.channel = channel
    self.kind = kind
    self.profile = profile
    self.memberCount = memberCount
    self.presentCount = presentCount
    self.epoch = epoch
    self.seq = seq
    self.rev = rev
    self.updatedTs = updatedTs
    self.lastMessage = lastMessage
    self.standing = standing
  }
}

/// A member's own view of a channel.
package struct Standing: Equatable, Sendable {
  /// Messages after `read` that count, at most `Limits.unreadMessages`.
  package var unread: Int
  /// Those among them that mention the member.
  package var mentions: Int
  /// Number of the last message read.
  package var read: Int
  package var role: Role
  package var isMuted: Bool

  package init(unread: Int, mentions: Int, read: Int, role: Role, isMuted: Bool) {
    self.unread = unread
    self.mentions = mentions
    self.read = read
    self.role = role
    self.isMuted = isMuted
  }
}
