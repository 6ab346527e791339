/// What stands in `ok` of a reply (protocol, each operation's last column).
///
/// What is large and rare is indirect: every message that is sent carries a reply, and a small one
/// is cheap to hand on.
package enum Reply: Sendable {
  case empty
  indirect case hello(HelloReply)
  case pong(serverTs: Timestamp)
  indirect case channel(ChannelSummary)
  case channels([ChannelSummary], cursor: String?)
  indirect case subscribed(SubscribeReply)
  case sent(seq: Int, ts: Timestamp, isDuplicate: Bool)
  /// When an edit or a deletion took effect.
  case stamped(Timestamp)
  /// Oldest first: a page of a channel or of a thread.
  case history([MessageView], hasMore: Bool)
  /// Newest first, over several channels.
  case messages([MessageView], cursor: String?)
  case members([Member], cursor: String?)
  case users([User])
  indirect case settings(UserSettings, blocked: [UserID])
  case presence([UserPresence])
  case channelPresence([ChannelPresence])
  case flags([Flag])
  case notified(made: Int, unknown: [UserID])
  case retracted(Int, unknown: [UserID])
  indirect case inbox(items: [InboxItem], InboxStand, cursor: String?)
  indirect case inboxCounts(InboxStand)
  indirect case inboxMarked(InboxStand)
  indirect case inboxDeleted(Int, InboxStand)
  /// What an item is about, which the reader follows.
  indirect case inboxActed(InboxTarget?)
  indirect case snapshot(CopyReply)
  indirect case backup(CopyReply)
}

/// The answer to `hello`.
package struct HelloReply: Sendable {
  package let user: User
  package let session: String
  package let serverTs: Timestamp
  package let heartbeatMilliseconds: Int
  /// Nil when the hub does not limit the rate.
  package let requestsPerSecond: Int?
  package let userStream: UserStream

  package init(
    user: User, session: String, serverTs: Timestamp, heartbeatMilliseconds: Int,
    requestsPerSecond: Int?, userStream: UserStream
  ) {
    self.user = user
    self.session = session
    self.serverTs = serverTs
    self.heartbeatMilliseconds = heartbeatMilliseconds
    self.requestsPerSecond = requestsPerSecond
    self.userStream = userStream
  }
}

/// What happens in a user's channels, in summary form (protocol, "Session").
package struct UserStream: Sendable {
  /// Opaque position, to be given back as `since_user`.
  package let at: String
  /// Whether `channels` and `left` bring a `since_user` up to date.
  package let isRecovered: Bool
  package let channels: [ChannelSummary]
  /// Channels left since; only when recovered.
  package let left: [ChannelName]?
  /// Whether there are channels besides those listed.
  package let hasMore: Bool

  package init(
    at: String, isRecovered: Bool, channels: [ChannelSummary], left: [ChannelName]?, hasMore: Bool
  ) {
    self.at = at
    self.isRecovered = isRecovered
    self.channels = channels
    self.left = left
    self.hasMore = hasMore
  }
}

/// The answer to `subscribe`.
package struct SubscribeReply: Sendable {
  package let epoch: String
  package let seq: Int
  package let rev: Int
  package let isRecovered: Bool
  /// Oldest first.
  package let messages: [MessageView]
  /// Messages up to the position given that were edited, deleted or reacted to since; nil unless
  /// the position had a `rev` and was recovered.
  package let changed: [MessageView]?

  package init(
    epoch: String, seq: Int, rev: Int, isRecovered: Bool, messages: [MessageView],
    changed: [MessageView]? = nil
  ) {
    self.epoch = epoch
    self.seq = seq
    self.rev = rev
    self.isRecovered = isRecovered
    self.messages = messages
    self.changed = changed
  }
}

/// The answer to `admin.snapshot` and `admin.backup`: a copy of everything as of one moment.
package struct CopyReply: Equatable, Sendable {
  /// The snapshot's file, or the backup's directory.
  package let path: String
  package let bytes: Int
  /// The newest record that it holds.
  package let lsn: Int
  /// How long it took.
  package let milliseconds: Int

  package init(path: String, bytes: Int, lsn: Int, milliseconds: Int) {
    self.path = path
    self.bytes = bytes
    self.lsn = lsn
    self.milliseconds = milliseconds
  }
}
