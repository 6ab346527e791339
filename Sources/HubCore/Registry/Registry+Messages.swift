import HashTreeCollections
import HubProtocol

/// Sending and reading (protocol, "Messages", "Receipts and unread").
extension Registry {
  mutating func send(
    _ send: MessageSend, by sender: UserRef, ts: Timestamp, facts: Record.Facts?
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try joinedChannel(send.channel, by: sender, at: ts)
    if let key = send.key,
      let first = firstUse(of: key, by: sender, in: ref, at: ts, facts)
    {
      return .repeated(seq: first.seq, ts: first.ts)
    }
    try checkRights(of: sender, membership, to: send, in: ref, at: ts)
    let mentioned = try existingUsers(send.content.mentions)
    let parent = try send.replyTo.map { (seq) throws(Refusal) in
      try changeableMessage(seq, in: ref, facts).message
    }

    let message = Message(
      channel: send.channel, seq: channels[ref.index].seq + 1, user: users[sender.index].id,
      ts: max(ts, channels[ref.index].updatedTs), content: send.content,
      replyTo: send.replyTo, isBot: users[sender.index].privilege == .bot, key: send.key)
    let weight = channels[ref.index].window.weight
    if let parent { _ = channels[ref.index].window.replace(parent.answered(by: 1)) }
    channels[ref.index].append(message, author: sender, mentioned: mentioned)
    channels[ref.index].changedAt = recordCount
    if let key = send.key {
      keys.insert(
        sender: sender, channel: ref, key: key,
        sent: KeyTable.Sent(seq: message.seq, ts: message.ts))
    }
    windowChanged(by: channels[ref.index].window.weight - weight)
    noteMessage(message, by: sender, mentioned: mentioned, parent: parent, in: ref)
    return .sent(ref, StoredMessage(channel: ref, author: sender, message: message, sets: []))
  }

  private func checkRights(
    of sender: UserRef, _ membership: Membership, to send: MessageSend, in channel: ChannelRef,
    at ts: Timestamp
  ) throws(Refusal) {
    if let other = counterpart(of: sender, in: channel) {
      return try checkApproach(of: other, by: sender)
    }
    try checkSilence(of: sender, in: channel, at: ts)
    guard membership.role == .member else { return }
    if channels[channel.index].kind == .broadcast, send.replyTo == nil {
      throw Refusal(.forbidden, "only the owner and moderators post here; followers may reply")
    }
    if send.content.mentionsChannel { throw .mentionsChannel }
  }

  mutating func movePointers(
    _ name: ChannelName, _ user: UserRef, read: Int?, delivered: Int, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, before) = try joinedChannel(name, by: user, at: ts)
    guard max(read ?? 0, delivered) <= channels[ref.index].seq else {
      throw Refusal(.badRequest, "`seq` is above the channel's \(channels[ref.index].seq)")
    }
    let isNew = channels[ref.index].advance(
      user, read: read ?? before.read, delivered: delivered)
    if isNew { channels[ref.index].change(user, record: recordCount) { _ in } }
    let after = channels[ref.index].members[user] ?? before
    return .moved(
      ref, from: before.read, read: after.read, delivered: after.delivered, isNew: isNew)
  }

  mutating func moveBack(
    _ name: ChannelName, _ user: UserRef, seq: Int, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, before) = try joinedChannel(name, by: user, at: ts)
    guard 1 <= seq, seq <= channels[ref.index].seq else {
      throw Refusal(.badRequest, "`seq` must be one of the channel's messages")
    }
    guard channels[ref.index].retreat(user, read: seq - 1) else { return .nothing }
    channels[ref.index].change(user, record: recordCount) { _ in }
    return .movedBack(ref, from: before.read, read: seq - 1, delivered: before.delivered)
  }
}

extension Refusal {
  static var mentionsChannel: Refusal {
    Refusal(.forbidden, "only moderators mention `@channel`")
  }
}
