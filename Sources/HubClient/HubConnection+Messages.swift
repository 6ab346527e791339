internal import HubProtocol

extension HubConnection {
  /// Sends a message (`message.send`). At least one of text and data must be there.
  ///
  /// It is sent again when the connection ends before the answer; its key lets the hub notice.
  /// - Parameters:
  ///   - text: 1 to 5,000 characters, at most 32 KiB.
  ///   - data: any JSON value to depth 32.
  ///   - mentions: user ids, or `@channel`.
  ///   - key: at most 64 bytes; one is made up when there is none.
  ///   - hops: for bots: how many bots' answers lie behind this message. Above 8 it is `forbidden`.
  ///     Messages do not tell their hops to those who read them.
  @discardableResult
  public func send(
    _ text: String?, to channel: String, data: HubJSON? = nil, mentions: [String] = [],
    replyTo: Int? = nil, key: String? = nil, hops: Int = 0
  ) async throws(HubError) -> HubSent {
    let content = MessageContent(
      text: text, data: data?.raw,
      mentions: try UserID.checked(mentions.filter { $0 != "@channel" }),
      mentionsChannel: mentions.contains("@channel"))
    guard hops >= 0 else { throw .badArgument("hops must not be below 0") }
    let send = MessageSend(
      channel: try ChannelName.checked(channel), content: content, replyTo: replyTo,
      key: key ?? Self.makeKey(), hops: hops)
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
    let history = MessageHistory(
      channel: try ChannelName.checked(channel), anchor: anchor.wire, limit: limit)
    return try await call(.messageHistory(history)) { HubHistory(json: $0) }
  }

  /// The messages that directly answer one, oldest first, deleted ones as deleted
  /// (`message.thread`).
  /// - Parameters:
  ///   - after: only those above this seq.
  ///   - limit: 1 to 100.
  public func thread(
    of seq: Int, in channel: String, after: Int = 0, limit: Int = 50
  ) async throws(HubError) -> HubHistory {
    let thread = MessageThread(
      channel: try ChannelName.checked(channel), seq: seq, after: after, limit: limit)
    return try await call(.messageThread(thread)) { HubHistory(json: $0) }
  }

  /// Messages whose text holds all words of `text`, the last of them perhaps only begun; newest
  /// first (`message.search`).
  /// - Parameters:
  ///   - text: at most 256 bytes.
  ///   - channel: nil for all of one's channels.
  ///   - cursor: where the page before ended.
  ///   - limit: 1 to 100.
  public func search(
    _ text: String, in channel: String? = nil, cursor: String? = nil, limit: Int = 50
  ) async throws(HubError) -> HubMessagePage {
    let name = try channel.map { (name) throws(HubError) in try ChannelName.checked(name) }
    let search = MessageSearch(query: text, channel: name, cursor: cursor, limit: limit)
    return try await call(.messageSearch(search)) { HubMessagePage(json: $0) }
  }

  /// Changes a message of one's own (`message.edit`). Of the parameters nil keeps what is there and
  /// an empty value clears it; text, attachments or data must be left.
  /// - Parameters:
  ///   - attachments: an array of attachment objects.
  ///   - mentions: user ids, or `@channel`.
  /// - Returns: when the hub took it, in milliseconds since the Unix epoch.
  @discardableResult
  public func edit(
    _ seq: Int, in channel: String, text: String? = nil, attachments: HubJSON? = nil,
    data: HubJSON? = nil, mentions: [String]? = nil
  ) async throws(HubError) -> Int {
    let edit = MessageEdit(
      channel: try ChannelName.checked(channel), seq: seq, text: Update(text),
      attachments: Update(attachments), data: Update(data),
      mentions: try MessageEdit.Mentions.checked(mentions))
    return try await call(.messageEdit(edit)) { $0.object?.integer("ts") }
  }

  /// Takes the content out of a message; its sender and moderators may (`message.delete`).
  /// - Returns: when it was deleted, in milliseconds since the Unix epoch.
  @discardableResult
  public func delete(_ seq: Int, in channel: String) async throws(HubError) -> Int {
    try await call(.messageDelete(try ChannelName.checked(channel), seq: seq)) {
      $0.object?.integer("ts")
    }
  }

  /// Reacts to a message (`reaction.add`). A second time nothing happens.
  /// - Parameter reaction: an emoji or word of 1 to 32 bytes.
  public func react(
    _ reaction: String, to seq: Int, in channel: String
  ) async throws(HubError) {
    let name = try ChannelName.checked(channel)
    _ = try await call(.reactionAdd(name, seq: seq, reaction: reaction))
  }

  /// Takes a reaction back (`reaction.remove`). Where there is none nothing happens.
  public func unreact(
    _ reaction: String, to seq: Int, in channel: String
  ) async throws(HubError) {
    let name = try ChannelName.checked(channel)
    _ = try await call(.reactionRemove(name, seq: seq, reaction: reaction))
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

extension HubConnection.Anchor {
  fileprivate var wire: MessageHistory.Anchor {
    switch self {
    case .before(let seq): .before(seq)
    case .after(let seq): .after(seq)
    case .around(let seq): .around(seq)
    }
  }
}

extension MessageEdit.Mentions {
  /// Nil for nil, which keeps what is there.
  fileprivate static func checked(_ mentions: [String]?) throws(HubError) -> Self? {
    guard let mentions else { return nil }
    let users = try UserID.checked(mentions.filter { $0 != "@channel" })
    return Self(users: users, channel: mentions.contains("@channel"))
  }
}
