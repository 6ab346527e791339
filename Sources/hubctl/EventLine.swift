package import HubClient

/// An event as one line for people: `12:03:04 #42 alice: text`.
package struct EventLine {
  private let showsChannel: Bool
  private let clock: @Sendable (Int?) -> String

  /// - Parameters:
  ///   - showsChannel: puts the channel behind the time, for readers of several.
  ///   - clock: the time of day of a moment in milliseconds since the Unix epoch; now, of nil.
  package init(showsChannel: Bool, clock: @escaping @Sendable (Int?) -> String) {
    self.showsChannel = showsChannel
    self.clock = clock
  }

  package func text(_ event: HubEvent) -> String {
    let channel = showsChannel ? event.channel.map { " \($0)" } ?? "" : ""
    return TerminalText.escape("\(clock(Self.ts(event)))\(channel) \(Self.sentence(event))")
  }

  private static func ts(_ event: HubEvent) -> Int? {
    if case .message(let message) = event.body { message.ts } else { nil }
  }

  private static func sentence(_ event: HubEvent) -> String {
    switch event.body {
    case .message(let message): Self.message(message)
    case .messageUpdated(let message, _): "\(Self.message(message)) (edited)"
    case .messageDeleted(let message, _): "#\(message.seq) deleted"
    case .reaction(let reaction):
      "#\(reaction.seq) \(reaction.user) \(reaction.isOn ? "reacted" : "took back")"
        + " \(reaction.reaction) (\(reaction.count))"
    case .typing(let users, let count): typing(users, count)
    case .signal(let user, let name, let data): "\(user) signals \(name) \(data?.text ?? "")"
    case .receipt(let user, let read, let delivered):
      "\(user) read #\(read), received #\(delivered)"
    case .member(let user, let change, let role):
      "\(user) \(change)\(role.map { " as \($0)" } ?? "")"
    case .present(let count): "\(count) present"
    case .unread(let unread, let mentions, _, _): "\(unread) unread, \(mentions) mentions"
    case .unsubscribed(let reason): "the hub ended the subscription: \(reason)"
    case .readBy, .presence, .channelCreated, .channelUpdated, .channelDeleted, .user, .own,
      .activity, .inboxAdded, .inboxUpdated, .inboxRemoved, .inboxCleared, .notice,
      .noticeRetracted, .gap, .userGap, .drain, .error, .other:
      "\(event.name) \(event.json.text)"
    }
  }

  private static func message(_ message: HubMessage) -> String {
    guard !message.isHidden else { return "#\(message.seq) (hidden)" }
    var parts = [message.text, message.data?.text].compactMap(\.self)
    if let attachments = message.attachments { parts.append(attachments.text) }
    return "#\(message.seq) \(message.user ?? "?"): \(parts.joined(separator: " "))"
  }

  private static func typing(_ users: [String], _ count: Int) -> String {
    switch (users.count, count) {
    case (_, 0): "nobody types"
    case (0, _): "\(count) people type"
    case (1, _): "\(users[0]) types"
    default: "\(users.joined(separator: ", ")) type"
    }
  }
}
