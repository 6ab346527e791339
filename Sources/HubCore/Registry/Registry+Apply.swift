import HashTreeCollections
import HubProtocol

/// The fold.
extension Registry {
  /// Decides a record against the state of this moment, and does it.
  mutating func apply(_ record: Record) throws(Refusal) -> Applied {
    recordCount += 1
    newestTs = max(newestTs, record.ts)
    guard let facts = record.facts else { return try decide(record) }
    let before = windowBeforeRecall(facts)
    do throws(Refusal) {
      return try decide(record)
    } catch {
      if let before { putBack(before, of: facts.channel) }
      throw error
    }
  }

  private mutating func decide(_ record: Record) throws(Refusal) -> Applied {
    let ts = record.ts
    switch record.change {
    case .founded(let stream, let hashKey): return found(stream, hashKey)
    case .epochsRenewed(let seed): return renewEpochs(seed)
    case .windowsCleared(let channels): return clearWindows(of: channels)
    case .expired(let expiries): return expire(expiries)
    case .userAppeared(let id, let privilege):
      return try appear(id, privilege)
    case .user(let change, let user):
      return try apply(change, by: user)
    case .channel(let change, let user):
      return .channel(try apply(change, by: user, ts: ts))
    case .members(let channel, let change, let user):
      return try apply(change, to: channel, by: user, ts: ts)
    case .messageSent(let send, let sender):
      return try self.send(send, by: sender, ts: ts, facts: record.facts)
    case .message(let channel, let seq, let action, let user):
      return try apply(action, to: channel, seq, by: user, ts: ts, facts: record.facts)
    case .pointerMoved(let channel, let user, let read, let delivered):
      return try movePointers(channel, user, read: read, delivered: delivered, ts: ts)
    case .readMovedBack(let channel, let user, let seq):
      return try moveBack(channel, user, seq: seq, ts: ts)
    case .notified(let notify, let publisher):
      return try self.notify(notify, by: publisher, ts: ts)
    case .retracted(let retract, let publisher):
      return try self.retract(retract, by: publisher, ts: ts)
    case .runContinued: return continueRun()
    case .inbox(let action, let user): return try apply(action, to: user, ts: ts)
    }
  }

  private mutating func apply(
    _ action: Record.InboxAction, to user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    switch action {
    case .mark(let state, let selection):
      try markInbox(state, selection, of: user, ts: ts)
    case .delete(let selection): try deleteFromInbox(selection, of: user, ts: ts)
    case .act(let id): try actOnItem(id, of: user, ts: ts)
    case .open: openInbox(of: user)
    case .trim: trimInbox(of: user, ts: ts)
    case .dropBodies(let bodies): dropBodies(bodies, of: user)
    }
  }

  private mutating func apply(
    _ change: Record.UserChange, by user: UserRef
  ) throws(Refusal) -> Applied {
    switch change {
    case .profile(let update): try updateProfile(update, user)
    case .put(let puts): try putUsers(puts, by: user)
    case .block(let other, let isOn): try setBlocked(other, isOn, by: user)
    case .settings(let update): updateSettings(update, user)
    }
  }

  private mutating func apply(
    _ change: Record.ChannelChange, by user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied.ChannelOutcome {
    switch change {
    case .create(let create, let epoch):
      try createChannel(create, by: user, epoch: epoch, ts: ts)
    case .update(let update): try updateChannel(update, by: user, ts: ts)
    case .delete(let channel): try deleteChannel(channel, by: user, ts: ts)
    case .join(let channel): try join(channel, user, ts: ts)
    case .leave(let channel): try leave(channel, user, ts: ts)
    case .mute(let channel, let until): try mute(channel, until: until, user, ts: ts)
    case .openDirect(let name, let other, let epoch):
      try openDirect(name, with: other, by: user, epoch: epoch, ts: ts)
    }
  }

  private mutating func apply(
    _ change: Record.MembersChange, to channel: ChannelName, by user: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    switch change {
    case .add(let users): try addMembers(channel, users, by: user, ts: ts)
    case .remove(let users): try removeMembers(channel, users, by: user, ts: ts)
    case .setRole(let other, let role): try setRole(channel, other, role, by: user, ts: ts)
    case .setCustom(let custom): try updateMembership(channel, custom, user, ts: ts)
    case .ban(let ban): try self.ban(ban, by: user, ts: ts)
    case .unban(let other): try unban(channel, other, by: user, ts: ts)
    case .silence(let other, let until):
      try silence(channel, other, until: until, by: user, ts: ts)
    }
  }

  private mutating func apply(
    _ action: Record.MessageAction, to channel: ChannelName, _ seq: Int, by user: UserRef,
    ts: Timestamp, facts: Record.Facts?
  ) throws(Refusal) -> Applied {
    switch action {
    case .edit(let edit): try self.edit(edit, by: user, ts: ts, facts: facts)
    case .delete: try deleteMessage(channel, seq, by: user, ts: ts, facts: facts)
    case .react(let reaction, let isOn):
      try react(channel, seq, reaction, isOn: isOn, by: user, ts: ts, facts: facts)
    case .flag(let reason): try flag(channel, seq, reason: reason, by: user, ts: ts, facts: facts)
    }
  }
}
