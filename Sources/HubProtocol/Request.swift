/// One request of a client: `{"id":7,"op":"message.send",…}` (protocol, "Envelope").
package struct Request: Equatable, Sendable {
  /// Echoed on the reply; without it success is silent and an error comes as an `error` event.
  package let id: RequestID?
  /// What is asked.
  package let operation: Operation

  package init(id: RequestID?, operation: Operation) {
    self.id = id
    self.operation = operation
  }
}

/// What one text message of a client turned out to be.
package enum Inbound: Equatable, Sendable {
  /// A request whose arguments have the right shape.
  case request(Request)
  /// Not a request that can be done; answered with the refusal under the id, if it had a good one.
  case refused(id: RequestID?, op: String?, Refusal)
  /// Not JSON, or not an object: the connection closes 4501.
  case notAnObject
}

/// What a request asks for, one case for each `op` that the hub knows. The large and rare ones are
/// indirect, so that the frequent ones are cheap to pass on.
package enum Operation: Equatable, Sendable {
  case hello(Hello)
  case ping
  indirect case channelCreate(ChannelCreate)
  case channelGet(ChannelName)
  case channelList(ChannelList)
  case channelJoin(ChannelName)
  case channelLeave(ChannelName)
  case memberAdd(ChannelName, users: [UserID])
  case directOpen(UserID)
  case subscribe(Subscribe)
  case unsubscribe(ChannelName)
  case messageSend(MessageSend)
  case messageHistory(MessageHistory)
  case typing(ChannelName, on: Bool)
  case read(ChannelName, seq: Int)
  case delivered(ChannelName, seq: Int)
  indirect case notify(Notify)
  case inboxList(InboxList)
  case adminSnapshot

  /// The operation's name on the wire.
  package var name: String {
    switch self {
    case .hello: "hello"
    case .ping: "ping"
    case .channelCreate: "channel.create"
    case .channelGet: "channel.get"
    case .channelList: "channel.list"
    case .channelJoin: "channel.join"
    case .channelLeave: "channel.leave"
    case .memberAdd: "member.add"
    case .directOpen: "dm.open"
    case .subscribe: "subscribe"
    case .unsubscribe: "unsubscribe"
    case .messageSend: "message.send"
    case .messageHistory: "message.history"
    case .typing: "typing"
    case .read: "read"
    case .delivered: "delivered"
    case .notify: "notify"
    case .inboxList: "inbox.list"
    case .adminSnapshot: "admin.snapshot"
    }
  }
}
