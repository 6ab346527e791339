/// Writes requests as a client sends them (protocol, "Envelope"). What is absent, or as it would be
/// anyway, is left out; the decoder makes the same request of it again.
package enum RequestEncoder {
  /// One text message: `{"id":…,"op":…,…}`.
  package static func encode(_ request: Request) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    writer.literal("{")
    if let id = request.id {
      writer.literal("\"id\":")
      writer.integer(id.number)
      writer.literal(",")
    }
    writer.literal("\"op\":")
    writer.name(request.operation.name)
    writer.arguments(request.operation)
    writer.literal("}")
    return writer.bytes
  }
}

/// The arguments of each operation, each with a comma in front.
extension JSONWriter {
  fileprivate mutating func arguments(_ operation: Operation) {
    switch operation {
    case .hello(let hello): self.hello(hello)
    case .ping, .adminSnapshot: break
    case .channelCreate(let create): channelCreate(create)
    case .channelList(let list): channelList(list)
    case .channelGet(let name), .channelJoin(let name), .channelLeave(let name),
      .unsubscribe(let name):
      channel(name)
    case .memberAdd(let name, let users):
      channel(name)
      member(",\"users\":[", users: users)
    case .directOpen(let user):
      literal(",\"user\":")
      name(user.text)
    case .subscribe(let subscribe): self.subscribe(subscribe)
    case .messageSend(let send): messageSend(send)
    case .messageHistory(let history): messageHistory(history)
    case .typing(let name, let on):
      channel(name)
      literal(",\"on\":")
      bool(on)
    case .read(let name, let seq), .delivered(let name, let seq):
      channel(name)
      member(",\"seq\":", seq)
    case .notify(let notify): self.notify(notify)
    case .inboxList(let list): inboxList(list)
    }
  }

  private mutating func channel(_ channel: ChannelName) {
    literal(",\"channel\":")
    name(channel.text)
  }

  private mutating func member(_ head: StaticString, _ value: String?) {
    guard let value else { return }
    literal(head)
    string(value)
  }

  private mutating func member(_ head: StaticString, _ value: Int?) {
    guard let value else { return }
    literal(head)
    integer(value)
  }

  private mutating func member(_ head: StaticString, users: [UserID]) {
    literal(head)
    self.users(users)
    literal("]")
  }

  private mutating func hello(_ hello: Hello) {
    member(",\"token\":", hello.token)
    member(",\"since_user\":", hello.sinceUser)
  }

  private mutating func channelCreate(_ create: ChannelCreate) {
    channel(create.channel)
    literal(",\"kind\":")
    name(create.kind.rawValue)
    profile(create.profile)
    if !create.members.isEmpty { member(",\"members\":[", users: create.members) }
  }

  private mutating func channelList(_ list: ChannelList) {
    if list.scope != .joined { member(",\"scope\":", list.scope.rawValue) }
    member(",\"kind\":", list.kind?.rawValue)
    if list.sort != .activity { member(",\"sort\":", list.sort.rawValue) }
    page(cursor: list.cursor, limit: list.limit)
  }

  private mutating func page(cursor: String?, limit: Int) {
    member(",\"cursor\":", cursor)
    if limit != Limits.pageItemsDefault { member(",\"limit\":", limit) }
  }

  private mutating func subscribe(_ subscribe: Subscribe) {
    channel(subscribe.channel)
    if let since = subscribe.since {
      literal(",\"since\":{\"epoch\":")
      string(since.epoch)
      member(",\"seq\":", since.seq)
      member(",\"rev\":", since.rev)
      literal("}")
    }
    if subscribe.limit != 0 { member(",\"limit\":", subscribe.limit) }
  }

  private mutating func messageSend(_ send: MessageSend) {
    channel(send.channel)
    content(send.content)
    member(",\"reply_to\":", send.replyTo)
    member(",\"key\":", send.key)
    if send.isRetry { literal(",\"retry\":true") }
    if send.hops != 0 { member(",\"hops\":", send.hops) }
  }

  private mutating func messageHistory(_ history: MessageHistory) {
    channel(history.channel)
    switch history.anchor {
    case .before(let seq): member(",\"before\":", seq)
    case .after(let seq): member(",\"after\":", seq)
    case .around(let seq): member(",\"around\":", seq)
    }
    page(cursor: nil, limit: history.limit)
  }

  private mutating func notify(_ notify: Notify) {
    switch notify.audience {
    case .users(let users): member(",\"to\":[", users: users)
    case .channel(let name): channel(name)
    }
    notificationHead(notify.notification)
    member(",\"key\":", notify.key)
    member(",\"collapse\":", notify.collapse)
    notificationTail(notify.notification)
  }

  private mutating func inboxList(_ list: InboxList) {
    if let types = list.types {
      literal(",\"types\":")
      array(types) { writer, type in writer.string(type) }
    }
    if let states = list.states {
      literal(",\"states\":")
      array(states) { writer, state in writer.name(state.rawValue) }
    }
    page(cursor: list.cursor, limit: list.limit)
  }
}
