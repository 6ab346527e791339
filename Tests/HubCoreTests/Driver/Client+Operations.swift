import HubProtocol

/// The operations by short names; each answers as `ask` does.
extension Client {
  @discardableResult
  func create(_ name: String, _ kind: ChannelKind, _ members: String...) -> String {
    create(name, kind, members: members)
  }

  @discardableResult
  func create(
    _ name: String, _ kind: ChannelKind, members: [String], profile: ChannelProfile = .init()
  ) -> String {
    ask(
      .channelCreate(
        ChannelCreate(
          channel: channel(name), kind: kind, profile: profile, members: members.map(user))))
  }

  @discardableResult
  func join(_ name: String) -> String { ask(.channelJoin(channel(name))) }

  @discardableResult
  func leave(_ name: String) -> String { ask(.channelLeave(channel(name))) }

  @discardableResult
  func get(_ name: String) -> String { ask(.channelGet(channel(name))) }

  @discardableResult
  func add(_ name: String, _ users: String...) -> String { add(name, users) }

  @discardableResult
  func add(_ name: String, _ users: [String]) -> String {
    ask(.memberAdd(channel(name), users: users.map(user)))
  }

  @discardableResult
  func openDirect(_ other: String) -> String { ask(.directOpen(user(other))) }

  @discardableResult
  func subscribe(_ name: String, limit: Int = 0) -> String {
    ask(.subscribe(Subscribe(channel: channel(name), since: nil, limit: limit)))
  }

  @discardableResult
  func subscribe(_ name: String, since position: Position) -> String {
    ask(.subscribe(Subscribe(channel: channel(name), since: position, limit: 0)))
  }

  @discardableResult
  func unsubscribe(_ name: String) -> String { ask(.unsubscribe(channel(name))) }

  @discardableResult
  func send(
    _ name: String, _ text: String, key: String? = nil, mentions: [String] = [],
    everybody: Bool = false, replyTo: Int? = nil, hops: Int = 0, isRetry: Bool = false
  ) -> String {
    ask(
      .messageSend(
        MessageSend(
          channel: channel(name),
          content: MessageContent(
            text: text, mentions: mentions.map(user), mentionsChannel: everybody),
          replyTo: replyTo, key: key, isRetry: isRetry, hops: hops)))
  }

  @discardableResult
  func history(
    _ name: String, _ anchor: MessageHistory.Anchor, limit: Int = 50
  ) -> String {
    ask(.messageHistory(MessageHistory(channel: channel(name), anchor: anchor, limit: limit)))
  }

  @discardableResult
  func type(_ name: String, on: Bool = true) -> String { ask(.typing(channel(name), on: on)) }

  @discardableResult
  func read(_ name: String, _ seq: Int) -> String { ask(.read(channel(name), seq: seq)) }

  @discardableResult
  func delivered(_ name: String, _ seq: Int) -> String {
    ask(.delivered(channel(name), seq: seq))
  }

  @discardableResult
  func list(
    _ scope: ChannelList.Scope, kind: ChannelKind? = nil, sort: ChannelList.Sort = .name,
    cursor: String? = nil, limit: Int = 50
  ) -> String {
    ask(
      .channelList(
        ChannelList(scope: scope, kind: kind, sort: sort, cursor: cursor, limit: limit)))
  }
}
