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
    defer { tellNotices(of: message, in: channel, by: sender, at: moment) }
    if !audience.subscribers.isEmpty {
      let variants = variants(
        of: message, by: sender, for: audience, toAuthor: .message(message, toSender: true),
        hidden: .hiddenMessage(message.channel, seq: message.seq))
      effects.append(
        .publish(
          channel, on: audience.loops, .message(message, toSender: false), variants: variants))
    }
    guard registry.channels[channel.index].kind != .broadcast else { return }
    tellActivity(message, to: audience, from: sender, on: origin.connection)
    countsChanged(in: channel, by: sender, for: audience, at: moment)
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

  /// What subscribers get in the place of an event about a message: its author, where there is a
  /// key that only the author sees, and those who have blocked the author.
  private func variants(
    of message: Message, by author: UserRef, for audience: Audience,
    toAuthor: @autoclosure () -> Event, hidden: @autoclosure () -> Event
  ) -> [Variant] {
    var variants: [Variant] = []
    if message.key != nil { variants.append(Variant(users: [author], event: toAuthor())) }
    let hiding = subscribers(of: audience, whoHide: author)
    if !hiding.isEmpty { variants.append(Variant(users: hiding, event: hidden())) }
    return variants
  }

  /// A message came or changed: whoever did it is told at once what is unread for them, the others
  /// at a bounded rate.
  private mutating func countsChanged(
    in channel: ChannelRef, by user: UserRef, for audience: Audience, at moment: Moment
  ) {
    tellUnreadNow(of: user, in: channel, at: moment)
    if !audience.online.isEmpty, unreadPacer.mayHappen(in: channel, uptime: moment.uptime) {
      tellUnread(in: channel, at: moment)
    }
  }

  /// A message was edited or deleted, by its sender or a moderator.
  mutating func messageChanged(
    _ stored: StoredMessage, in channel: ChannelRef, by user: UserRef, at moment: Moment
  ) {
    let message = stored.message
    if message.isDeleted { retractNotices(ofDeleted: message.seq, in: channel) }
    guard let audience = audiences[channel] else { return }
    if !audience.subscribers.isEmpty {
      let variants = variants(
        of: message, by: stored.author, for: audience,
        toAuthor: .messageChanged(MessageChange(message, toSender: true)),
        hidden: .messageChanged(MessageChange(message, isHidden: true)))
      effects.append(
        .publish(
          channel, on: audience.loops, .messageChanged(MessageChange(message)),
          variants: variants))
    }
    guard registry.channels[channel.index].kind != .broadcast else { return }
    countsChanged(in: channel, by: user, for: audience, at: moment)
  }

  /// A user's pointers have moved: the user's other connections learn of it and, unless it was
  /// back, the subscribed members who may know.
  mutating func tellReceipt(
    of user: UserRef, in channel: ChannelRef, read: Int, delivered: Int, isBack: Bool = false,
    from connection: ConnectionID
  ) {
    let state = registry.channels[channel.index]
    let person = registry.users[user.index]
    var receivers = Set(connections(of: user))
    receivers.remove(connection)
    if !isBack, !state.isLarge, person.settings.showsReceipts {
      receivers.formUnion(
        subscribedMembers(of: channel) {
          registry.users[$0.index].settings.showsReceipts && !registry.isBlocked($0, user)
        })
    }
    tell(Array(receivers), .receipt(state.name, user: person.id, read: read, delivered: delivered))
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
