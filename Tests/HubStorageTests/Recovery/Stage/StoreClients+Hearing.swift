import HubCore
import HubProtocol
import HubStage

/// What clients are told.
extension StoreClients {
  func hear(_ effect: Effect) {
    switch effect {
    case .answer(_, .reply(let id, let reply), _):
      guard let (user, operation) = asked.removeValue(forKey: id) else { return }
      note(operation, by: user, reply)
      if operation.mayTakeBack { doubtInboxes { !present.contains($0) } }
      replies += 1
    case .answer(_, .refusal(let id, let refusal), _):
      refusals.append(refusal.code)
      // What could not be written may have been written.
      if refusal.code != .unavailable { asked[id] = nil }
    case .publish(_, _, let event, _), .tellEach(_, let event): note(event)
    case .tell(let connection, let event):
      note(event)
      if let name = names[connection.slot] { note(event, to: user(name)) }
    case .answer, .greeted, .subscribed, .unsubscribed, .close, .ask, .takeSnapshot, .backUp:
      break
    }
  }

  private func note(_ event: Event, to user: UserID) {
    if case .inbox(.added(let item), _) = event {
      inbox[user, default: [:]][item.id] = .some(item.notification.expiresTs)
    }
    if case .inbox(.removed(let ids, _), _) = event {
      for id in ids { inbox[user]?[id] = nil }
    }
    if case .inbox(.cleared, _) = event { inbox[user] = nil }
  }

  /// Who is not there does not hear what leaves their inboxes.
  private func doubtInboxes(of isMeant: (String) -> Bool) {
    for name in names.values where isMeant(name) { inbox[user(name)] = nil }
  }

  private func note(_ event: Event) {
    if case .message(let message, _) = event {
      let known = messages[message.channel]?[message.seq]
      if known.map({ $0.user != message.user }) ?? false {
        flaws.append("message \(message.seq) of \(message.channel.text) came twice")
      }
      messages[message.channel, default: [:]][message.seq] =
        known ?? Known(user: message.user, text: message.content.text, key: message.key)
    }
    if case .channelDeleted(let channel) = event { remove(channel) }
  }

  private func note(
    _ operation: HubProtocol.Operation, by user: UserID, _ reply: Reply
  ) {
    noteChange(operation, by: user)
    noteMembership(operation, by: user)
    if case .channel(let summary) = reply { note(summary, operation) }
    if case .messageSend(let send) = operation, case .sent(let seq, _, let isDuplicate) = reply {
      note(send, by: user, seq, isDuplicate: isDuplicate)
    }
  }

  private func noteChange(_ operation: HubProtocol.Operation, by user: UserID) {
    if case .messageEdit(let edit) = operation {
      let known = messages[edit.channel]?[edit.seq]?.text
      messages[edit.channel]?[edit.seq]?.text = edit.text.applied(to: known)
    }
    if case .messageDelete(let channel, let seq) = operation {
      messages[channel]?[seq]?.text = nil
      messages[channel]?[seq]?.reactions = []
    }
    if case .reactionAdd(let channel, let seq, let reaction) = operation {
      messages[channel]?[seq]?.reactions.insert("\(user.text) \(reaction)")
    }
    if case .reactionRemove(let channel, let seq, let reaction) = operation {
      messages[channel]?[seq]?.reactions.remove("\(user.text) \(reaction)")
    }
    if case .read(let channel, let seq) = operation {
      read[user, default: [:]][channel] = max(seq, read[user]?[channel] ?? 0)
    }
    if case .readUnread(let channel, _) = operation { read[user]?[channel] = nil }
  }

  private func noteMembership(_ operation: HubProtocol.Operation, by user: UserID) {
    if case .channelLeave(let channel) = operation {
      read[user]?[channel] = nil
      left.insert(channel)
    }
    if case .memberRemove(let channel, let users) = operation {
      for user in users { read[user]?[channel] = nil }
    }
    if case .memberBan(let ban) = operation { read[ban.user]?[ban.channel] = nil }
    if case .channelDelete(let channel) = operation { remove(channel) }
  }

  private func note(_ summary: ChannelSummary, _ operation: HubProtocol.Operation) {
    guard epochs[summary.channel] != summary.epoch else { return }
    let isCreation =
      if case .channelCreate = operation { true } else if case .directOpen = operation {
        true
      } else {
        false
      }
    if isCreation {
      remove(summary.channel)
    } else if epochs[summary.channel] != nil {
      flaws.append("\(operation.name): \(summary.channel.text) has another epoch")
    }
    epochs[summary.channel] = summary.epoch
  }

  private func note(_ send: MessageSend, by user: UserID, _ seq: Int, isDuplicate: Bool) {
    if let key = send.key {
      let use = Use(user: user, channel: send.channel, key: key)
      if let first = uses[use], first != seq || !isDuplicate {
        flaws.append("key \(key) stands for \(first) and \(seq) of \(send.channel.text)")
      }
      uses[use] = seq
    }
    guard !isDuplicate else { return }
    messages[send.channel, default: [:]][seq] = Known(
      user: user, text: send.content.text, key: send.key)
  }

  /// Nothing is known of a channel any more.
  func remove(_ channel: ChannelName) {
    (messages[channel], epochs[channel]) = (nil, nil)
    left.remove(channel)
    for user in read.keys { read[user]?[channel] = nil }
    uses = uses.filter { $0.key.channel != channel }
  }
}

extension HubProtocol.Operation {
  /// The channel of which less is known while nobody knows whether this was done.
  var touched: ChannelName? {
    if case .messageSend(let send) = self { return send.channel }
    if case .messageEdit(let edit) = self { return edit.channel }
    if case .messageDelete(let channel, _) = self { return channel }
    if case .reactionAdd(let channel, _, _) = self { return channel }
    if case .reactionRemove(let channel, _, _) = self { return channel }
    if case .readUnread(let channel, _) = self { return channel }
    if case .channelCreate(let create) = self { return create.channel }
    if case .channelDelete(let channel) = self { return channel }
    if case .channelLeave(let channel) = self { return channel }
    if case .memberRemove(let channel, _) = self { return channel }
    if case .memberBan(let ban) = self { return ban.channel }
    return nil
  }

  /// Whether something of an inbox may go by it.
  var mayTakeBack: Bool {
    if case .messageSend = self { return false }
    if case .notify = self { return true }
    if case .notifyRetract = self { return true }
    if case .inboxDelete = self { return true }
    return touched != nil
  }
}
