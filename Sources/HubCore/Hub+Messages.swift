import HashTreeCollections
import HubProtocol

/// What follows from messages, their changes and pointers.
extension Hub {
  mutating func sent(
    _ message: Message, to channel: ChannelRef, _ origin: Origin, by sender: UserRef,
    at moment: Moment
  ) {
    answer(origin, .sent(seq: message.seq, ts: message.ts, isDuplicate: false))
    if typing.end(of: sender, in: channel) { publishTyping(in: channel, because: [sender]) }
    guard let audience = audiences[channel] else { return }
    if !audience.subscribers.isEmpty {
      var variants: [Variant] = []
      if message.key != nil {
        variants.append(Variant(users: [sender], event: .message(message, toSender: true)))
      }
      let hiding = subscribers(of: audience, whoHide: sender)
      if !hiding.isEmpty {
        let stub = Event.hiddenMessage(message.channel, seq: message.seq)
        variants.append(Variant(users: hiding, event: stub))
      }
      effects.append(
        .publish(
          channel, on: audience.loops, .message(message, toSender: false), variants: variants))
    }
    guard registry.channels[channel.index].kind != .broadcast else { return }
    tellActivity(message, to: audience, from: sender, on: origin.connection)
    tellUnreadNow(of: sender, in: channel, at: moment)
    if !audience.online.isEmpty, unreadPacer.mayHappen(in: channel, uptime: moment.uptime) {
      tellUnread(in: channel, at: moment)
    }
  }

  /// Tells members' connections that are not subscribed, but not the one that sent it, which knows
  /// from the reply.
  private mutating func tellActivity(
    _ message: Message, to audience: Audience, from sender: UserRef, on connection: ConnectionID
  ) {
    var bystanders = audience.bystanders.filter { $0 != connection }
    if !registry.users[sender.index].blockers.isEmpty {
      bystanders = bystanders.filter { bystander in
        sessions[bystander]?.user.map { !registry.hides(sender, from: $0) } ?? false
      }
    }
    if !bystanders.isEmpty { tell(Array(bystanders), .activity(Activity(of: message))) }
  }

  /// Those of a channel's subscribers who have blocked somebody.
  private func subscribers(of audience: Audience, whoHide user: UserRef) -> [UserRef] {
    let blockers = registry.users[user.index].blockers
    guard !blockers.isEmpty, !audience.special.isEmpty else { return [] }
    return blockers.count < audience.special.count
      ? blockers.filter { audience.special.contains($0) }
      : audience.special.filter { blockers.contains($0) }
  }

  /// A message was edited or deleted, by its sender or a moderator.
  mutating func messageChanged(
    _ message: Message, in channel: ChannelRef, by user: UserRef, at moment: Moment
  ) {
    guard let audience = audiences[channel], let author = registry.userRefs[message.user] else {
      return
    }
    if !audience.subscribers.isEmpty {
      var variants: [Variant] = []
      if message.key != nil {
        let change = MessageChange(message, toSender: true)
        variants.append(Variant(users: [author], event: .messageChanged(change)))
      }
      let hiding = subscribers(of: audience, whoHide: author)
      if !hiding.isEmpty {
        let change = MessageChange(message, isHidden: true)
        variants.append(Variant(users: hiding, event: .messageChanged(change)))
      }
      effects.append(
        .publish(
          channel, on: audience.loops, .messageChanged(MessageChange(message)),
          variants: variants))
    }
    guard registry.channels[channel.index].kind != .broadcast else { return }
    tellUnreadNow(of: user, in: channel, at: moment)
    if !audience.online.isEmpty, unreadPacer.mayHappen(in: channel, uptime: moment.uptime) {
      tellUnread(in: channel, at: moment)
    }
  }

  mutating func pointersMoved(
    _ user: UserRef, in channel: ChannelRef, read: Int, delivered: Int,
    from connection: ConnectionID
  ) {
    let state = registry.channels[channel.index]
    let person = registry.users[user.index]
    let event = Event.receipt(state.name, user: person.id, read: read, delivered: delivered)
    var receivers = Set(connections(of: user))
    receivers.remove(connection)
    if !state.isLarge, person.settings.showsReceipts {
      receivers.formUnion(
        subscribedMembers(of: channel) {
          registry.users[$0.index].settings.showsReceipts && !registry.isBlocked($0, user)
        })
    }
    tell(Array(receivers), event)
  }

  /// Only the user's own other connections learn that something is to be unread again.
  mutating func pointersMovedBack(
    _ user: UserRef, in channel: ChannelRef, read: Int, delivered: Int,
    _ connection: ConnectionID
  ) {
    let event = Event.receipt(
      registry.channels[channel.index].name, user: registry.users[user.index].id, read: read,
      delivered: delivered)
    tell(connections(of: user).filter { $0 != connection }, event)
  }

  /// To everybody subscribed to the channel.
  mutating func publish(_ event: Event, in channel: ChannelRef, variants: [Variant] = []) {
    guard let audience = audiences[channel], !audience.subscribers.isEmpty else { return }
    effects.append(.publish(channel, on: audience.loops, event, variants: variants))
  }

  /// To each of these connections.
  mutating func tell(_ connections: [ConnectionID], _ event: Event) {
    guard let first = connections.first else { return }
    effects.append(connections.count == 1 ? .tell(first, event) : .tellEach(connections, event))
  }
}
