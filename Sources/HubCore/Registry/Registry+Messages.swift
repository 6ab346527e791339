import HashTreeCollections
import HubProtocol

/// Messages, pointers and notifications (protocol, "Messages", "Receipts and unread", "Inbox").
extension Registry {
  mutating func send(
    _ send: MessageSend, by sender: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try joinedChannel(send.channel, by: sender)
    if let key = send.key,
      let first = keys.find(sender: sender, channel: ref, key: key, now: ts)
    {
      return .repeated(seq: first.seq, ts: first.ts)
    }
    try checkRights(of: membership, to: send, in: ref)
    let mentioned = try existingUsers(send.content.mentions)
    let parent = try repliedMessage(send.replyTo, in: ref)

    let message = Message(
      channel: send.channel, seq: channels[ref.index].seq + 1, user: users[sender.index].id,
      ts: max(ts, channels[ref.index].updatedTs), content: send.content,
      replyTo: send.replyTo, isBot: users[sender.index].privilege == .bot, key: send.key)
    let weight = channels[ref.index].window.weight
    if let parent { _ = channels[ref.index].window.replace(parent.answered()) }
    channels[ref.index].append(message, author: sender, mentioned: mentioned)
    if let key = send.key {
      keys.insert(
        sender: sender, channel: ref, key: key,
        sent: KeyTable.Sent(seq: message.seq, ts: message.ts))
    }
    windowChanged(by: channels[ref.index].window.weight - weight, in: ref)
    return .sent(ref, message)
  }

  private func checkRights(
    of membership: Membership, to send: MessageSend, in channel: ChannelRef
  ) throws(Refusal) {
    guard membership.role == .member else { return }
    if channels[channel.index].kind == .broadcast, send.replyTo == nil {
      throw Refusal(.forbidden, "only the owner and moderators post here; followers may reply")
    }
    if send.content.mentionsChannel, channels[channel.index].kind != .direct {
      throw Refusal(.forbidden, "only moderators mention `@channel`")
    }
  }

  private func repliedMessage(
    _ seq: Int?, in channel: ChannelRef
  ) throws(Refusal) -> Message? {
    guard let seq else { return nil }
    guard (1...max(1, channels[channel.index].seq)).contains(seq), channels[channel.index].seq > 0
    else { throw Refusal(.notFound, "there is no message \(seq) to reply to") }
    guard let message = channels[channel.index].window[seq] else {
      throw Refusal(.historyGone, "message \(seq) is no longer kept")
    }
    return message
  }

  mutating func movePointers(
    _ name: ChannelName, _ user: UserRef, read: Int?, delivered: Int
  ) throws(Refusal) -> Applied {
    let (ref, before) = try joinedChannel(name, by: user)
    guard max(read ?? 0, delivered) <= channels[ref.index].seq else {
      throw Refusal(.badRequest, "`seq` is above the channel's \(channels[ref.index].seq)")
    }
    let isNew = channels[ref.index].advance(
      user, read: read ?? before.read, delivered: delivered)
    let after = channels[ref.index].members[user] ?? before
    return .moved(
      ref, from: before.read, read: after.read, delivered: after.delivered, isNew: isNew)
  }

  mutating func notify(
    _ notify: Notify, by publisher: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    guard users[publisher.index].privilege != .person else {
      throw Refusal(.forbidden, "only bots and admins notify")
    }
    let (recipients, unknown) = try audience(of: notify, by: publisher)
    var notified: [Applied.Notified] = []
    for user in recipients where users[user.index].id != notify.notification.actor {
      let change = users[user.index].inbox.add(
        notify, publisher: users[publisher.index].id, ts: ts)
      guard let change else { continue }
      let dropped = users[user.index].inbox.trim(now: ts)
      notified.append(Applied.Notified(user: user, change: change, dropped: dropped))
    }
    return .notified(notified, unknown: unknown)
  }

  private func audience(
    of notify: Notify, by publisher: UserRef
  ) throws(Refusal) -> (users: [UserRef], unknown: [UserID]) {
    switch notify.audience {
    case .users(let ids):
      var refs: [UserRef] = []
      var unknown: [UserID] = []
      for id in ids {
        if let ref = userRefs[id] { refs.append(ref) } else { unknown.append(id) }
      }
      return (refs, unknown)
    case .channel(let name):
      guard let ref = channelRefs[name] else { throw .noChannel(name) }
      if users[publisher.index].privilege != .admin { _ = try visibleChannel(name, to: publisher) }
      return (channels[ref.index].members.keys.sorted(), [])
    }
  }
}
