package import HubProtocol

/// One entry of the log: what was asked by whom and when, with everything that `Registry.apply` may
/// not find out for itself (time, ids, random numbers). What a record means is frozen for its
/// version.
package struct Record: Sendable {
  /// When it was admitted. Never less than that of the record before it.
  package let ts: Timestamp
  package let change: Change
  /// What was loaded for it before it was admitted; nil when all it needs was in memory.
  package let facts: Facts?

  /// What is to change.
  package enum Change: Sendable {
    /// The first record of all: what every later one builds on.
    case founded(stream: String, hashKey: SipHash.Key)
    /// What was answered last may be lost: every channel's numbering gets another name, made of the
    /// seed.
    case epochsRenewed(seed: SipHash.Key)
    /// The messages of these channels leave memory, but for the newest: history has them.
    case windowsCleared([ChannelRef])
    /// Messages that are no longer to be kept.
    case expired([Expiry])
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
    indirect case retracted(NotifyRetract, by: UserRef)
    /// The next part of what is being done to many inboxes.
    case runContinued
    indirect case inbox(InboxAction, UserRef)
  }

  /// What is to change in one user's inbox.
  package enum InboxAction: Sendable {
    case mark(InboxState, InboxSelection)
    case delete(InboxSelection)
    /// The item of that id is followed.
    case act(Int)
    case open
    /// What has expired goes.
    case trim
    /// Items go whose bodies, by these numbers, are lost.
    case dropBodies([Int])
  }

  /// Up to where a channel's messages are no longer kept.
  package struct Expiry: Equatable, Sendable {
    package let channel: ChannelRef
    /// The newest message that goes.
    package let seq: Int

    package init(channel: ChannelRef, seq: Int) {
      self.channel = channel
      self.seq = seq
    }
  }

  /// What was loaded from history for a record about one channel.
  package struct Facts: Sendable {
    let channel: ChannelRef
    /// The window's `generation` before it was loaded.
    let generation: Int
    /// The messages that were asked for, by seq.
    let asked: [Int]
    /// Those of them that are kept.
    let messages: [StoredMessage]
    /// The send that first used the key of a `retry`.
    let firstUse: KeyTable.Sent?
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

  package init(ts: Timestamp, change: Change, facts: Facts? = nil) {
    self.ts = ts
    self.change = change
    self.facts = facts
  }
}
