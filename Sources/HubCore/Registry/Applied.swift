import HubProtocol

/// What a record that was not refused did to the registry.
enum Applied: Sendable {
  case user(UserRef)
  case channel(ChannelOutcome)
  case members(ChannelRef, MembersOutcome)
  /// Nothing that anybody is told of.
  case nothing
  case sent(ChannelRef, StoredMessage)
  case repeated(seq: Int, ts: Timestamp)
  case changed(ChannelRef, StoredMessage, ts: Timestamp)
  /// It was so already.
  case unchanged(ts: Timestamp)
  case reacted(ChannelRef, ReactionChange, StoredMessage)
  /// `from` is where the read pointer stood.
  case moved(ChannelRef, from: Int, read: Int, delivered: Int, isNew: Bool)
  case movedBack(ChannelRef, from: Int, read: Int, delivered: Int)
  /// Users whose profile was changed or who were made, and all that were named.
  case profiles(changed: [ProfileChange], named: [UserRef])
  case blocked(UserRef, isNew: Bool)
  case settings(before: UserSettings)
  /// Begun, or done already.
  case notified(NotifyRun, unknown: [UserID], isRetraction: Bool)
  /// A run went on: in how many inboxes it did something so far.
  case ran(id: Int, count: Int, isDone: Bool)
  case inboxMarked
  /// How many items went.
  case inboxDeleted(Int)
  /// The number of what the item says.
  case inboxActed(body: Int)
  case expired([Record.Expiry])

  /// What became of a channel, or of the caller's membership.
  enum ChannelOutcome: Sendable {
    case created(ChannelRef)
    /// The channel was there already, and as asked.
    case unchanged(ChannelRef)
    case updated(ChannelRef)
    /// With those who were members.
    case deleted(ChannelRef, [UserRef])
    case joined(ChannelRef, isNew: Bool)
    /// Nil when the caller was no member.
    case left(ChannelRef, Departure?)
    case muted(ChannelRef, isNew: Bool)
  }

  /// What became of a channel's members.
  enum MembersOutcome: Sendable {
    case added([UserRef])
    case removed([UserRef], UnsubscribeReason)
    /// Somebody who was no member is kept out from now on.
    case barred(UserRef)
    /// Roles or other things that all members see of these have changed.
    case updated([UserRef])
  }

  /// What somebody's leaving left behind.
  struct Departure: Sendable {
    /// Who owns the channel now, if that was the leaver.
    let successor: UserRef?
    /// It was the last member of a group.
    let isEnd: Bool
  }

  /// A user whose profile has changed, and what they were called before.
  struct ProfileChange: Sendable {
    let user: UserRef
    let nameBefore: String
  }
}
