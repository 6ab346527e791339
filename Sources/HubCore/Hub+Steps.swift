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
    if case .userSettings(let update) = operation, let zone = unknownZone(in: update) {
      return .refusal(Refusal(.badRequest, "`tz`: there is no time zone `\(zone)`"))
    }
    guard let change = change(for: operation, by: user) else { return .operation(operation) }
    if let writeRefusal { return .refusal(writeRefusal) }
    return .record(Record(ts: stamp(moment), change: change, facts: facts))
  }

  private func unknownZone(in update: SettingsUpdate) -> String? {
    update.quietPeriods?.map(\.zone).first { configuration.zones.rules(of: $0) == nil }
  }

  /// Nil for what leaves no record.
  private mutating func change(for operation: Operation, by user: UserRef) -> Record.Change? {
    switch operation {
    case .channelCreate(let create): .channel(.create(create, epoch: ids.next()), by: user)
    case .channelUpdate(let update): .channel(.update(update), by: user)
    case .channelDelete(let channel): .channel(.delete(channel), by: user)
    case .channelJoin(let channel): .channel(.join(channel), by: user)
    case .channelLeave(let channel): .channel(.leave(channel), by: user)
    case .channelMute(let channel, let until):
      .channel(.mute(channel, until: until ?? Sanction.forever), by: user)
    case .channelUnmute(let channel): .channel(.mute(channel, until: nil), by: user)
    case .directOpen(let other): openDirect(with: other, by: user)
    case .memberAdd(let channel, let users): .members(channel, .add(users), by: user)
    case .memberRemove(let channel, let users): .members(channel, .remove(users), by: user)
    case .memberUpdate(let channel, let custom): .members(channel, .setCustom(custom), by: user)
    case .memberRole(let channel, let other, let role):
      .members(channel, .setRole(other, role), by: user)
    case .memberBan(let ban): .members(ban.channel, .ban(ban), by: user)
    case .memberUnban(let channel, let other): .members(channel, .unban(other), by: user)
    case .memberSilence(let channel, let other, let until):
      .members(channel, .silence(other, until: until), by: user)
    case .userUpdate(let update): .user(.profile(update), by: user)
    case .userPut(let puts): .user(.put(puts), by: user)
    case .userBlock(let other): .user(.block(other, isOn: true), by: user)
    case .userUnblock(let other): .user(.block(other, isOn: false), by: user)
    // Without anything to change it only asks.
    case .userSettings(let update):
      update == SettingsUpdate() ? nil : .user(.settings(update), by: user)
    case .messageSend(let send): .messageSent(send, by: user)
    case .messageEdit(let edit): .message(edit.channel, seq: edit.seq, .edit(edit), by: user)
    case .messageDelete(let channel, let seq): .message(channel, seq: seq, .delete, by: user)
    case .reactionAdd(let channel, let seq, let reaction):
      .message(channel, seq: seq, .react(reaction, isOn: true), by: user)
    case .reactionRemove(let channel, let seq, let reaction):
      .message(channel, seq: seq, .react(reaction, isOn: false), by: user)
    case .messageFlag(let channel, let seq, let reason):
      .message(channel, seq: seq, .flag(reason: reason), by: user)
    case .read(let channel, let seq): .pointerMoved(channel, user, read: seq, delivered: seq)
    case .delivered(let channel, let seq):
      .pointerMoved(channel, user, read: nil, delivered: seq)
    case .readUnread(let channel, let seq): .readMovedBack(channel, user, seq: seq)
    case .notify, .notifyRetract, .inboxMark, .inboxDelete, .inboxAct, .inboxOpened:
      inboxChange(for: operation, by: user)
    case .hello, .ping, .tokenRefresh, .channelGet, .channelList, .memberList, .subscribe,
      .unsubscribe, .messageHistory, .messageThread, .messageSearch, .messageFlags, .feedList,
      .typing, .signal, .presenceSet, .presenceOfUsers, .presenceOfChannels, .focus, .userGet,
      .userSearch, .userDisconnect, .inboxList, .inboxCounts, .adminSnapshot,
      .adminBackup:
      nil
    }
  }

  private func inboxChange(for operation: Operation, by user: UserRef) -> Record.Change? {
    if case .notify(let notify) = operation { return .notified(notify, by: user) }
    if case .notifyRetract(let retract) = operation { return .retracted(retract, by: user) }
    if case .inboxMark(let state, let selection) = operation {
      return .inbox(.mark(state, selection), user)
    }
    if case .inboxDelete(let selection) = operation { return .inbox(.delete(selection), user) }
    if case .inboxAct(let id) = operation { return .inbox(.act(id), user) }
    // Once is enough.
    let isOpened = registry.users[user.index].inbox.isOpened
    return isOpened ? nil : .inbox(.open, user)
  }

  private mutating func openDirect(with other: UserID, by user: UserRef) -> Record.Change {
    let name = DirectName.make(registry.users[user.index].id, other)
    return .channel(.openDirect(name, with: other, epoch: ids.next()), by: user)
  }
}
