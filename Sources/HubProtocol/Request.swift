/// One request of a client: `{"id":7,"op":"message.send",…}` (protocol, "Envelope").
package struct Request: Equatable, Sendable {
  /// Echoed on the reply; without it success is silent and an error comes as an `error` event.
  package let id: RequestID?
  /// What is asked.
  package let operation: Operation

  package init(id: RequestID?, operation: Operation) {
    self.id = id
    self.operation = operation
  }
}

/// What one text message of a client turned out to be.
package enum Inbound: Equatable, Sendable {
  /// A request whose arguments have the right shape.
  case request(Request)
  /// Not a request that can be done; answered with the refusal under the id, if it had a good one.
  case refused(id: RequestID?, op: String?, Refusal)
  /// Not JSON, or not an object: the connection closes 4501.
  case notAnObject
}

/// What a request asks for, one case for each `op` that the hub knows. The large and rare ones are
/// indirect, so that the frequent ones are cheap to pass on.
package enum Operation: Equatable, Sendable {
  case hello(Hello)
  case ping
  case tokenRefresh(String)
  indirect case channelCreate(ChannelCreate)
  case channelGet(ChannelName)
  case channelList(ChannelList)
  case channelJoin(ChannelName)
  case channelLeave(ChannelName)
  indirect case channelUpdate(ChannelUpdate)
  case channelDelete(ChannelName)
  case channelMute(ChannelName, until: Timestamp?)
  case channelUnmute(ChannelName)
  case memberAdd(ChannelName, users: [UserID])
  case memberRemove(ChannelName, users: [UserID])
  indirect case memberRole(ChannelName, UserID, Role)
  case memberUpdate(ChannelName, custom: Update<RawJSON>)
  indirect case memberBan(MemberBan)
  indirect case memberUnban(ChannelName, UserID)
  indirect case memberSilence(ChannelName, UserID, until: Timestamp)
  indirect case memberList(MemberList)
  case directOpen(UserID)
  case subscribe(Subscribe)
  case unsubscribe(ChannelName)
  case messageSend(MessageSend)
  indirect case messageEdit(MessageEdit)
  case messageDelete(ChannelName, seq: Int)
  case messageHistory(MessageHistory)
  indirect case messageThread(MessageThread)
  indirect case messageSearch(MessageSearch)
  case feedList(cursor: String?, limit: Int)
  indirect case reactionAdd(ChannelName, seq: Int, reaction: String)
  indirect case reactionRemove(ChannelName, seq: Int, reaction: String)
  indirect case messageFlag(ChannelName, seq: Int, reason: String?)
  case messageFlags(ChannelName)
  indirect case signal(Signal)
  case presenceSet(PresenceStatus)
  case presenceOfUsers([UserID])
  case presenceOfChannels([ChannelName])
  case focus(Focus)
  case typing(ChannelName, on: Bool)
  case read(ChannelName, seq: Int)
  case delivered(ChannelName, seq: Int)
  case readUnread(ChannelName, seq: Int)
  case userGet([UserID])
  indirect case userUpdate(ProfileUpdate)
  case userPut([UserPut])
  case userSearch(String, limit: Int)
  case userBlock(UserID)
  case userUnblock(UserID)
  indirect case userSettings(SettingsUpdate)
  case userDisconnect(UserID)
  indirect case notify(Notify)
  indirect case notifyRetract(NotifyRetract)
  case inboxList(InboxList)
  case inboxCounts(types: [String]?)
  case inboxMark(InboxState, InboxSelection)
  case inboxDelete(InboxSelection)
  case inboxAct(id: Int)
  case inboxOpened
  case adminSnapshot
  /// An absolute path on the hub's machine.
  indirect case adminBackup(directory: String)
}
