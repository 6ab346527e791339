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
    indirect case user(UserChange, by: UserRef)
    indirect case channel(ChannelChange, by: UserRef)
    indirect case members(ChannelName, MembersChange, by: UserRef)
    case messageSent(MessageSend, by: UserRef)
    indirect case message(ChannelName, seq: Int, MessageAction, by: UserRef)
    /// `read` nil when only delivery is reported.
    case pointerMoved(ChannelName, UserRef, read: Int?, delivered: Int)
    /// The message is to be unread again.
    case readMovedBack(ChannelName, UserRef, seq: Int)
    indirect case notified(Notify, by: UserRef)
  }

  /// What is to change of users.
  package enum UserChange: Sendable {
    case profile(ProfileUpdate)
    case put([UserPut])
    case block(UserID, isOn: Bool)
    case settings(SettingsUpdate)
  }

  /// What is to change of a channel, or of the caller's membership.
  package enum ChannelChange: Sendable {
    case create(ChannelCreate, epoch: String)
    case update(ChannelUpdate)
    case delete(ChannelName)
    case join(ChannelName)
    case leave(ChannelName)
    /// `until` nil when it is no longer muted.
    case mute(ChannelName, until: Timestamp?)
    case openDirect(ChannelName, with: UserID, epoch: String)
  }

  /// What is to change of a channel's members.
  package enum MembersChange: Sendable {
    case add([UserID])
    case remove([UserID])
    case setRole(UserID, Role)
    /// The caller's own.
    case setCustom(Update<RawJSON>)
    case ban(MemberBan)
    case unban(UserID)
    case silence(UserID, until: Timestamp)
  }

  /// What is done to a message that is there.
  package enum MessageAction: Sendable {
    case edit(MessageEdit)
    case delete
    case react(String, isOn: Bool)
    case flag(reason: String?)
  }

  package init(ts: Timestamp, change: Change) {
    self.ts = ts
    self.change = change
  }
}
