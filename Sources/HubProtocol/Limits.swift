/// Every limit of the protocol, by name. Each is reported in the error that it causes.
package enum Limits {
  /// The largest integer that every JSON reader keeps exact: 2^53−1. Bounds ids, positions and
  /// times.
  package static let largestInteger = 9_007_199_254_740_991
  /// Bytes of one inbound message after unmasking; above it the connection closes 1009.
  package static let messageBytes = 256 * 1024
  /// Bytes that no outbound message exceeds.
  package static let outboundBytes = 512 * 1024
  /// Bytes of items after which a page ends early; one item always fits. With what stands around
  /// the items a page stays below `outboundBytes`.
  package static let pageBytes = 384 * 1024
  /// Characters (grapheme clusters) of a text.
  package static let textCharacters = 5_000
  /// UTF-8 bytes of a text.
  package static let textBytes = 32 * 1024
  /// Bytes of a user id.
  package static let userIDBytes = 120
  /// Bytes of a channel name.
  package static let channelNameBytes = 128
  /// Bytes of an idempotency key.
  package static let keyBytes = 64
  /// Bytes of a notification's `type`.
  package static let typeBytes = 64
  /// Bytes of a token, and of the opaque `user_stream.at`.
  package static let tokenBytes = 16 * 1024
  /// Bytes of a cursor.
  package static let cursorBytes = 4 * 1024
  /// Bytes of `name`, `title`, a target's `kind` and other short strings.
  package static let labelBytes = 1_024
  /// Bytes of a URL.
  package static let urlBytes = 4_096
  /// Bytes of `details`.
  package static let detailsBytes = 8 * 1024
  /// Bytes of a `custom` object.
  package static let customBytes = 64 * 1024
  /// Levels of arrays and objects in a message, `data` and `custom`.
  package static let jsonDepth = 32
  /// Entries of a list argument.
  package static let listEntries = 100
  /// Recipients of one `notify`.
  package static let notifyRecipients = 10_000
  /// Largest `limit` of a page.
  package static let pageItems = 100
  /// `limit` of a page when the request has none.
  package static let pageItemsDefault = 50
  /// Largest `limit` of `subscribe`.
  package static let subscribeMessages = 300
  /// Messages that one recovery brings at most.
  package static let recoverMessages = 1_000
  /// Bytes of messages that one recovery brings at most.
  package static let recoverBytes = 384 * 1024
  /// Channels in the reply to `hello`.
  package static let helloChannels = 200
  /// Hops a bot's message may have behind it.
  package static let hops = 8
  /// Messages of a channel that can count as unread; counts stop there.
  package static let unreadMessages = 1_000
  /// Members above which receipts and typing go out as numbers.
  package static let individualMembers = 100
  /// Items of one inbox.
  package static let inboxItems = 250
  /// Bytes of a notification's `data`.
  package static let notificationDataBytes = 64 * 1024
  /// Different types of notification that a hub has ever had.
  package static let notificationTypes = 10_000
  /// Members that a segment names.
  package static let segmentFields = 8
  /// Notifications of a collapsed item that can be taken back; older ones only count.
  package static let collapsedNotifications = 1_000
  /// Deleted notifications of one user whose keys stay quiet; the oldest go first.
  package static let deletedKeys = 1_000
  /// Notices that go to one user within a second.
  package static let noticesPerSecond = 10
  /// Notices of one user that can be taken back; the oldest go first.
  package static let noticesShown = 100
  /// Bytes of a message as JSON that an edit may leave; with what stands around it, it stays below
  /// `outboundBytes`.
  package static let editedBytes = 320 * 1024
  /// Bytes of a reaction.
  package static let reactionBytes = 32
  /// Different reactions to one message.
  package static let messageReactions = 100
  /// Bytes of a username.
  package static let usernameBytes = 64
  /// Bytes of the name of a time zone.
  package static let zoneBytes = 64
  /// Bytes of a signal's `name`.
  package static let signalNameBytes = 64
  /// Bytes of what is searched for.
  package static let queryBytes = 256
  /// Bytes of the reason of a flag or a ban.
  package static let reasonBytes = 1_024
  /// Flags kept for one channel; the oldest go first.
  package static let channelFlags = 100
  /// Bytes of a path on the hub's machine.
  package static let pathBytes = 4_096
  /// People that one user may block.
  package static let blockedUsers = 1_000
}
