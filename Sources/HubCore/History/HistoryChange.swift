/// What history must learn of one record that took effect. Each is idempotent: taken twice, or
/// again from the start of a longer replay, it leaves the same.
package enum HistoryChange: Sendable {
  /// A message came, or has this state from now on. It takes the place of what was there.
  case put(StoredMessage)
  /// The channel and everything in it is gone for ever.
  case removed(ChannelRef)
  /// What a notification says. It takes the place of what had that number.
  case notified(StoredNotification)
  /// The messages up to that seq are no longer kept.
  case expired(ChannelRef, upTo: Int)
}
