package import HubProtocol

/// One entry of the log: what was asked by whom and when, with everything that `Registry.apply` may
/// not find out for itself (time, ids, random numbers). What a record means is frozen for its
/// version.
package struct Record: Sendable {
  /// When it was admitted. Never less than that of the record before it.
  package let ts: Timestamp
  package let change: Change

  /// What is to change.
  package enum Change: Sendable {
    case userAppeared(UserID, Privilege)
    case channelCreated(ChannelCreate, by: UserRef, epoch: String)
    case joined(ChannelName, UserRef)
    case left(ChannelName, UserRef)
    case membersAdded(ChannelName, [UserID], by: UserRef)
    case directOpened(ChannelName, with: UserID, by: UserRef, epoch: String)
    case messageSent(MessageSend, by: UserRef)
    /// `read` nil when only delivery is reported.
    case pointerMoved(ChannelName, UserRef, read: Int?, delivered: Int)
    case notified(Notify, by: UserRef)
  }

  package init(ts: Timestamp, change: Change) {
    self.ts = ts
    self.change = change
  }
}

/// What a record that was not refused did to the registry.
enum Applied: Sendable {
  case user(UserRef)
  case created(ChannelRef)
  /// The channel was there already.
  case opened(ChannelRef)
  case joined(ChannelRef, isNew: Bool)
  case left(ChannelRef, wasMember: Bool, successor: UserRef?)
  case added(ChannelRef, [UserRef])
  case sent(ChannelRef, Message)
  case repeated(seq: Int, ts: Timestamp)
  /// `from` is where the read pointer stood.
  case moved(ChannelRef, from: Int, read: Int, delivered: Int, isNew: Bool)
  case notified([Notified], unknown: [UserID])

  /// What became of a notification in one inbox.
  struct Notified: Sendable {
    let user: UserRef
    let change: Inbox.Change
    /// Items dropped to make room.
    let dropped: [Int]
  }
}
