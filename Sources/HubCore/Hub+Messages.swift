import HashTreeCollections
import HubProtocol

/// What follows from messages, typing, pointers and notifications.
extension Hub {
  mutating func sent(
    _ message: Message, to channel: ChannelRef, _ origin: Origin, by sender: UserRef,
    at moment: Moment
  ) {
    answer(origin, .sent(seq: message.seq, ts: message.ts, isDuplicate: false))
    if typing.end(of: sender, in: channel) { publishTyping(in: channel) }
    guard let audience = audiences[channel] else { return }
    if !audience.subscribers.isEmpty {
      let own = Variant(user: sender, event: .message(message, toSender: true))
      effects.append(
        .publish(
          channel, on: audience.loops, .message(message, toSender: false),
          variant: message.key == nil ? nil : own))
    }
    guard registry.channels[channel.index].kind != .broadcast else { return }
    // The connection that sent it knows from the reply.
    let bystanders = audience.bystanders.filter { $0 != origin.connection }
    if !bystanders.isEmpty { tell(Array(bystanders), .activity(Activity(of: message))) }
    tellUnreadNow(of: sender, in: channel)
    if !audience.online.isEmpty, unreadPacer.mayHappen(in: channel, uptime: moment.uptime) {
      tellUnread(in: channel)
    }
  }

  mutating func setTyping(
    _ isOn: Bool, in name: ChannelName, _ origin: Origin, by user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, _) = try registry.joinedChannel(name, by: user)
    answer(origin, .empty)
    let connection = origin.connection
    let isChange =
      isOn
      ? typing.begin(user, on: connection, in: channel, uptime: moment.uptime)
      : typing.end(on: connection, in: channel)
    if isChange { publishTyping(in: channel) }
  }

  mutating func publishTyping(in channel: ChannelRef) {
    let name = registry.channels[channel.index].name
    let users = typing.users(in: channel)
    let event: Event =
      users.count > Limits.individualMembers
      ? .typingCount(name, users.count)
      : .typing(name, users: users.map { registry.users[$0.index].id })
    publish(event, in: channel)
  }

  mutating func pointersMoved(
    _ user: UserRef, in channel: ChannelRef, read: Int, delivered: Int,
    from connection: ConnectionID
  ) {
    let state = registry.channels[channel.index]
    let event = Event.receipt(
      state.name, user: registry.users[user.index].id, read: read, delivered: delivered)
    var receivers = Set(connections(of: user))
    receivers.remove(connection)
    if state.readCounts == nil {
      receivers.formUnion(subscribedMembers(of: channel))
    }
    tell(Array(receivers), event)
  }

  /// A page of the caller's notifications.
  mutating func listInbox(
    _ list: InboxList, _ origin: Origin, for user: UserRef, at moment: Moment
  ) throws(Refusal) {
    let below = list.cursor.map { Int($0) }
    if let below, below == nil {
      throw Refusal(.badRequest, "`cursor` is not one that this list gave")
    }
    let inbox = registry.users[user.index].inbox
    let (items, next) = inbox.page(list, below: below ?? nil, now: moment.wall)
    answer(
      origin,
      .inbox(
        items: items, counts: inbox.counts(now: moment.wall), at: inbox.at,
        cursor: next.map(String.init)))
  }

  mutating func tellInbox(_ notified: Applied.Notified, at moment: Moment) {
    let connections = connections(of: notified.user)
    guard !connections.isEmpty else { return }
    let inbox = registry.users[notified.user.index].inbox
    let counts = inbox.counts(now: moment.wall)
    switch notified.change {
    case .added(let item):
      tell(connections, .inboxAdded(item, counts: counts, at: inbox.at))
    case .updated(let item):
      tell(connections, .inboxUpdated(item, counts: counts, at: inbox.at))
    }
    guard !notified.dropped.isEmpty else { return }
    tell(connections, .inboxRemoved(ids: notified.dropped, counts: counts, at: inbox.at))
  }

  /// To everybody subscribed to the channel.
  mutating func publish(_ event: Event, in channel: ChannelRef) {
    guard let audience = audiences[channel], !audience.subscribers.isEmpty else { return }
    effects.append(.publish(channel, on: audience.loops, event, variant: nil))
  }

  /// To each of these connections.
  mutating func tell(_ connections: [ConnectionID], _ event: Event) {
    guard let first = connections.first else { return }
    effects.append(connections.count == 1 ? .tell(first, event) : .tellEach(connections, event))
  }
}
