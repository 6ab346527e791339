import HashTreeCollections
import HubProtocol

/// What each operation is in the pipeline: a record where it changes what is durable, else itself.
extension Hub {
  mutating func step(
    _ operation: Operation, by user: UserRef, at moment: Moment, _ facts: Record.Facts? = nil
  ) -> Pipeline.Step {
    if case .messageSend(let send) = operation, send.hops > Limits.hops {
      return .refusal(
        Refusal(.forbidden, "a message may have at most \(Limits.hops) hops behind it"))
    }
    guard let change = change(for: operation, by: user) else { return .operation(operation) }
    if let writeRefusal { return .refusal(writeRefusal) }
    return .record(Record(ts: stamp(moment), change: change, facts: facts))
  }

  /// Nil for what leaves no record.
  private mutating func change(for operation: Operation, by user: UserRef) -> Record.Change? {
    switch operation {
    case .messageSend(let send): .messageSent(send, by: user)
    case .read(let channel, let seq): .pointerMoved(channel, user, read: seq, delivered: seq)
    case .delivered(let channel, let seq):
      .pointerMoved(channel, user, read: nil, delivered: seq)
    case .readUnread(let channel, let seq): .readMovedBack(channel, user, seq: seq)
    case .messageEdit(let edit): .message(edit.channel, seq: edit.seq, .edit(edit), by: user)
    case .messageDelete(let channel, let seq): .message(channel, seq: seq, .delete, by: user)
    case .reactionAdd(let channel, let seq, let reaction):
      .message(channel, seq: seq, .react(reaction, isOn: true), by: user)
    case .reactionRemove(let channel, let seq, let reaction):
      .message(channel, seq: seq, .react(reaction, isOn: false), by: user)
    case .messageFlag(let channel, let seq, let reason):
      .message(channel, seq: seq, .flag(reason: reason), by: user)
    case .notify(let notify): .notified(notify, by: user)
    case .channelCreate, .channelUpdate, .channelDelete, .channelJoin, .channelLeave, .channelMute,
      .channelUnmute, .directOpen, .memberAdd, .memberRemove, .memberRole, .memberUpdate,
      .memberBan, .memberUnban, .memberSilence, .userUpdate, .userPut, .userBlock, .userUnblock,
      .userSettings, .hello, .ping, .tokenRefresh, .channelGet, .channelList, .memberList,
      .subscribe, .unsubscribe, .messageHistory, .messageThread, .messageSearch, .messageFlags,
      .feedList, .typing, .signal, .presenceSet, .presenceOfUsers, .presenceOfChannels, .focus,
      .userGet, .userSearch, .userDisconnect, .inboxList, .adminSnapshot, .adminBackup:
      channelChange(for: operation, by: user).map { .channel($0, by: user) }
        ?? membersChange(for: operation).map { .members($0.channel, $0.change, by: user) }
        ?? userChange(for: operation).map { .user($0, by: user) }
    }
  }

  private mutating func channelChange(
    for operation: Operation, by user: UserRef
  ) -> Record.ChannelChange? {
    if case .channelCreate(let create) = operation { return .create(create, epoch: ids.next()) }
    if case .channelUpdate(let update) = operation { return .update(update) }
    if case .channelDelete(let channel) = operation { return .delete(channel) }
    if case .channelJoin(let channel) = operation { return .join(channel) }
    if case .channelLeave(let channel) = operation { return .leave(channel) }
    if case .channelUnmute(let channel) = operation { return .mute(channel, until: nil) }
    if case .channelMute(let channel, let until) = operation {
      return .mute(channel, until: until ?? Sanction.forever)
    }
    guard case .directOpen(let other) = operation else { return nil }
    let name = DirectName.make(registry.users[user.index].id, other)
    return .openDirect(name, with: other, epoch: ids.next())
  }

  private func membersChange(
    for operation: Operation
  ) -> (channel: ChannelName, change: Record.MembersChange)? {
    if case .memberAdd(let channel, let users) = operation { return (channel, .add(users)) }
    if case .memberRemove(let channel, let users) = operation { return (channel, .remove(users)) }
    if case .memberUpdate(let channel, let custom) = operation {
      return (channel, .setCustom(custom))
    }
    if case .memberRole(let channel, let user, let role) = operation {
      return (channel, .setRole(user, role))
    }
    if case .memberBan(let ban) = operation { return (ban.channel, .ban(ban)) }
    if case .memberUnban(let channel, let user) = operation { return (channel, .unban(user)) }
    guard case .memberSilence(let channel, let user, let until) = operation else { return nil }
    return (channel, .silence(user, until: until))
  }

  private func userChange(for operation: Operation) -> Record.UserChange? {
    if case .userUpdate(let update) = operation { return .profile(update) }
    if case .userPut(let puts) = operation { return .put(puts) }
    if case .userBlock(let user) = operation { return .block(user, isOn: true) }
    if case .userUnblock(let user) = operation { return .block(user, isOn: false) }
    // Without anything to change it only asks.
    guard case .userSettings(let update) = operation, update != SettingsUpdate() else {
      return nil
    }
    return .settings(update)
  }
}
