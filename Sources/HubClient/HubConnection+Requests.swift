internal import HubProtocol
internal import NIOCore

// MARK: - Anything

extension HubConnection {
  /// Asks for any operation by its name on the wire.
  ///
  /// It is not sent again when the connection ends before the answer: ``HubError/connectionLost``.
  /// - Parameter arguments: a JSON object, its members flat as the protocol has them.
  /// - Returns: what stands in `ok`.
  public func request(
    _ operation: String, arguments: HubJSON = .emptyObject
  ) async throws(HubError) -> HubJSON {
    guard let members = RequestText.members(of: arguments) else {
      throw .badArgument("arguments must be a JSON object without the members id and op")
    }
    let id = makeID()
    let bytes = RequestText.encode(id: id, operation: operation, members: members)
    return try await call(id, bytes, isRepeatable: false)
  }

  func call(
    _ operation: Operation, isRepeatable: Bool = true
  ) async throws(HubError) -> HubJSON {
    let id = makeID()
    let bytes = RequestEncoder.encode(Request(id: id, operation: operation))
    return try await call(id, bytes, isRepeatable: isRepeatable)
  }

  private func call(
    _ id: RequestID, _ bytes: [UInt8], isRepeatable: Bool
  ) async throws(HubError) -> HubJSON {
    try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        calls[id] = continuation
        step { $0.request(id, bytes: bytes, isRepeatable: isRepeatable, .now()) }
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      Task { await cancel(id) }
    }.get()
  }

  private func cancel(_ id: RequestID) {
    step { $0.cancel(id) }
  }

  private func call<Value>(
    _ operation: Operation, isRepeatable: Bool = true, as read: (HubJSON) -> Value?
  ) async throws(HubError) -> Value {
    let json = try await call(operation, isRepeatable: isRepeatable)
    guard let value = read(json) else { throw .badReply(to: operation.name) }
    return value
  }

  private func callForChannel(
    _ operation: Operation, isRepeatable: Bool = true
  ) async throws(HubError) -> HubChannel {
    try await call(operation, isRepeatable: isRepeatable) { json in
      json.object?.json("channel").flatMap { HubChannel(json: $0) }
    }
  }
}

// MARK: - Messages

extension HubConnection {
  /// Sends a message (`message.send`). At least one of text and data must be there.
  ///
  /// It is sent again when the connection ends before the answer; its key lets the hub notice.
  /// - Parameters:
  ///   - text: 1 to 5,000 characters, at most 32 KiB.
  ///   - data: any JSON value to depth 32.
  ///   - mentions: user ids, or `@channel`.
  ///   - key: at most 64 bytes; one is made up when there is none.
  public func send(
    _ text: String?, to channel: String, data: HubJSON? = nil, mentions: [String] = [],
    replyTo: Int? = nil, key: String? = nil
  ) async throws(HubError) -> HubSent {
    let content = MessageContent(
      text: text, data: data?.raw,
      mentions: try UserID.checked(mentions.filter { $0 != "@channel" }),
      mentionsChannel: mentions.contains("@channel"))
    let send = MessageSend(
      channel: try ChannelName.checked(channel), content: content, replyTo: replyTo,
      key: key ?? Self.makeKey())
    return try await call(.messageSend(send)) { HubSent(json: $0) }
  }

  /// A key that nobody else makes up: 128 random bits.
  static func makeKey() -> String {
    var random = SystemRandomNumberGenerator()
    return String(random.next(), radix: 36) + String(random.next(), radix: 36)
  }

  /// Which messages of a channel `history` brings; the seq may lie outside the channel.
  public enum Anchor: Hashable, Sendable {
    /// Those just below this seq.
    case before(Int)
    /// Those just above this seq.
    case after(Int)
    /// The one with this seq, and as many below as above it.
    case around(Int)
  }

  /// Messages of a channel, oldest first (`message.history`).
  /// - Parameter limit: 1 to 100.
  public func history(
    of channel: String, _ anchor: Anchor, limit: Int = 50
  ) async throws(HubError) -> HubHistory {
    let place: MessageHistory.Anchor =
      switch anchor {
      case .before(let seq): .before(seq)
      case .after(let seq): .after(seq)
      case .around(let seq): .around(seq)
      }
    let history = MessageHistory(
      channel: try ChannelName.checked(channel), anchor: place, limit: limit)
    return try await call(.messageHistory(history)) { HubHistory(json: $0) }
  }

  /// Says that the user types, or stopped (`typing`). Repeat it every 3 s while they type.
  public func typing(_ isOn: Bool = true, in channel: String) async throws(HubError) {
    _ = try await call(.typing(try ChannelName.checked(channel), on: isOn))
  }

  /// Moves the user's read pointer forward to `seq` (`read`).
  public func read(_ channel: String, upTo seq: Int) async throws(HubError) {
    _ = try await call(.read(try ChannelName.checked(channel), seq: seq))
  }

  /// Moves the user's delivered pointer forward to `seq` (`delivered`).
  public func delivered(_ channel: String, upTo seq: Int) async throws(HubError) {
    _ = try await call(.delivered(try ChannelName.checked(channel), seq: seq))
  }
}

// MARK: - Channels

extension HubConnection {
  /// Makes a channel whose owner is the user (`channel.create`). Not sent again when the connection
  /// ends before the answer.
  /// - Parameters:
  ///   - kind: any but `direct`; see ``openDirect(with:)``.
  ///   - custom: a JSON object of the app's own, at most 64 KiB.
  ///   - members: besides the user, at most 100.
  public func createChannel(
    _ channel: String, kind: HubChannel.Kind, name: String? = nil, details: String? = nil,
    custom: HubJSON? = nil, members: [String] = []
  ) async throws(HubError) -> HubChannel {
    let create = ChannelCreate(
      channel: try ChannelName.checked(channel), kind: kind.wire,
      profile: ChannelProfile(name: name, details: details, custom: custom?.raw),
      members: try UserID.checked(members))
    return try await callForChannel(.channelCreate(create), isRepeatable: false)
  }

  /// One channel (`channel.get`).
  public func channel(_ channel: String) async throws(HubError) -> HubChannel {
    try await callForChannel(.channelGet(try ChannelName.checked(channel)))
  }

  /// Which channels `channels` looks through.
  public enum Scope: String, Hashable, Sendable, CaseIterable {
    /// Those that the user is a member of.
    case joined
    /// Public and broadcast ones that the user is no member of.
    case joinable
    /// All public and broadcast ones.
    case all
  }

  /// A page of channels, the most active first (`channel.list`).
  /// - Parameters:
  ///   - cursor: from the page before.
  ///   - limit: 1 to 100.
  public func channels(
    _ scope: Scope = .joined, kind: HubChannel.Kind? = nil, cursor: String? = nil, limit: Int = 50
  ) async throws(HubError) -> HubChannelPage {
    let list = ChannelList(
      scope: scope.wire, kind: kind?.wire, sort: .activity, cursor: cursor, limit: limit)
    return try await call(.channelList(list)) { HubChannelPage(json: $0) }
  }

  /// Makes the user a member of a public or broadcast channel (`channel.join`).
  @discardableResult
  public func join(_ channel: String) async throws(HubError) -> HubChannel {
    try await callForChannel(.channelJoin(try ChannelName.checked(channel)))
  }

  /// Ends the user's membership (`channel.leave`).
  @discardableResult
  public func leave(_ channel: String) async throws(HubError) -> HubChannel {
    try await callForChannel(.channelLeave(try ChannelName.checked(channel)))
  }

  /// Makes others members; moderators may (`member.add`).
  /// - Parameter users: at most 100.
  public func add(_ users: [String], to channel: String) async throws(HubError) {
    let operation = Operation.memberAdd(
      try ChannelName.checked(channel), users: try UserID.checked(users))
    _ = try await call(operation)
  }

  /// The direct channel with another user; it is made if there is none yet (`dm.open`).
  public func openDirect(with user: String) async throws(HubError) -> HubChannel {
    try await callForChannel(.directOpen(try UserID.checked(user)))
  }
}

// MARK: - Inbox, and the hub itself

extension HubConnection {
  /// Publishes a notification; bots and admins may (`notify`). Sent again after a lost connection
  /// only when it has a key.
  public func notify(_ notification: HubNotification) async throws(HubError) -> HubNotified {
    let notify = try notification.wire()
    return try await call(.notify(notify), isRepeatable: notify.key != nil) {
      HubNotified(json: $0)
    }
  }

  /// The user's notifications, newest first (`inbox.list`).
  /// - Parameters:
  ///   - types: nil for all.
  ///   - limit: 1 to 100.
  public func inbox(
    types: [String]? = nil, cursor: String? = nil, limit: Int = 50
  ) async throws(HubError) -> HubInboxPage {
    let list = InboxList(types: types, states: nil, cursor: cursor, limit: limit)
    return try await call(.inboxList(list)) { HubInboxPage(json: $0) }
  }

  /// The hub's clock in milliseconds since the Unix epoch, by way of the whole connection (`ping`).
  @discardableResult
  public func ping() async throws(HubError) -> Int {
    try await call(.ping) { $0.object?.integer("server_ts") }
  }
}

// MARK: - The app's words in the protocol's types

extension HubChannel.Kind {
  fileprivate var wire: ChannelKind {
    switch self {
    case .direct: .direct
    case .group: .group
    case .public: .public
    case .broadcast: .broadcast
    }
  }
}

extension HubConnection.Scope {
  fileprivate var wire: ChannelList.Scope {
    switch self {
    case .joined: .joined
    case .joinable: .joinable
    case .all: .all
    }
  }
}

extension HubNotification {
  fileprivate func wire() throws(HubError) -> Notify {
    let recipients: Notify.Audience =
      switch audience {
      case .users(let users): .users(try UserID.checked(users))
      case .channel(let channel): .channel(try ChannelName.checked(channel))
      }
    let actor: UserID? = if let name = self.actor { try UserID.checked(name) } else { nil }
    return Notify(
      audience: recipients,
      notification: Notification(
        type: type, actor: actor, title: title, text: text, data: data?.raw),
      key: key, collapse: collapse)
  }
}
