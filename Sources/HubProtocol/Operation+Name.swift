extension Operation {
  /// The operation's name on the wire.
  package var name: String {
    switch self {
    case .hello: "hello"
    case .ping: "ping"
    case .tokenRefresh: "token.refresh"
    case .adminSnapshot: "admin.snapshot"
    case .adminBackup: "admin.backup"
    case .channelCreate: "channel.create"
    case .channelGet: "channel.get"
    case .channelUpdate: "channel.update"
    case .channelDelete: "channel.delete"
    case .channelList: "channel.list"
    case .channelJoin: "channel.join"
    case .channelLeave: "channel.leave"
    case .channelMute: "channel.mute"
    case .channelUnmute: "channel.unmute"
    case .memberAdd: "member.add"
    case .memberRemove: "member.remove"
    case .memberRole: "member.role"
    case .memberUpdate: "member.update"
    case .memberBan: "member.ban"
    case .memberUnban: "member.unban"
    case .memberSilence: "member.silence"
    case .memberList: "member.list"
    case .directOpen: "dm.open"
    case .subscribe: "subscribe"
    case .unsubscribe: "unsubscribe"
    case .notify: "notify"
    case .notifyRetract: "notify.retract"
    case .inboxList: "inbox.list"
    case .inboxCounts: "inbox.counts"
    case .inboxMark: "inbox.mark"
    case .inboxDelete: "inbox.delete"
    case .inboxAct: "inbox.act"
    case .inboxOpened: "inbox.opened"
    case .messageSend, .messageEdit, .messageDelete, .messageHistory, .messageThread,
      .messageSearch, .feedList, .reactionAdd, .reactionRemove, .messageFlag, .messageFlags,
      .typing, .signal, .presenceSet, .presenceOfUsers, .presenceOfChannels, .focus, .read,
      .delivered, .readUnread, .userGet, .userUpdate, .userPut, .userSearch, .userBlock,
      .userUnblock, .userSettings, .userDisconnect:
      nameInConversation
    }
  }

  /// The name of an operation about messages, presence or users; the others leave it to `name`,
  /// which is the other half of the table.
  private var nameInConversation: String {
    switch self {
    case .messageSend: "message.send"
    case .messageEdit: "message.edit"
    case .messageDelete: "message.delete"
    case .messageHistory: "message.history"
    case .messageThread: "message.thread"
    case .messageSearch: "message.search"
    case .feedList: "feed.list"
    case .reactionAdd: "reaction.add"
    case .reactionRemove: "reaction.remove"
    case .messageFlag: "message.flag"
    case .messageFlags: "message.flags"
    case .typing: "typing"
    case .signal: "signal"
    case .presenceSet: "presence.set"
    case .presenceOfUsers, .presenceOfChannels: "presence.get"
    case .focus: "focus"
    case .read: "read"
    case .delivered: "delivered"
    case .readUnread: "read.unread"
    case .userGet: "user.get"
    case .userUpdate: "user.update"
    case .userPut: "user.put"
    case .userSearch: "user.search"
    case .userBlock: "user.block"
    case .userUnblock: "user.unblock"
    case .userSettings: "user.settings"
    case .userDisconnect: "user.disconnect"
    case .hello, .ping, .tokenRefresh, .adminSnapshot, .adminBackup, .channelCreate, .channelGet,
      .channelUpdate, .channelDelete, .channelList, .channelJoin, .channelLeave, .channelMute,
      .channelUnmute, .memberAdd, .memberRemove, .memberRole, .memberUpdate, .memberBan,
      .memberUnban, .memberSilence, .memberList, .directOpen, .subscribe, .unsubscribe, .notify,
      .notifyRetract, .inboxList, .inboxCounts, .inboxMark, .inboxDelete, .inboxAct, .inboxOpened:
      name
    }
  }
}
