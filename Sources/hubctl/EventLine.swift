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
    if case .message(let message) = event.body { return message.ts }
    if case .inboxAdded(let item, _) = event.body { return item.ts }
    return nil
  }

  private static func sentence(_ event: HubEvent) -> String {
    switch event.body {
    case .message(let message): MessageText.line(message)
    case .messageUpdated(let message, _): updated(message)
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
    case .presence(let user, let status, _): "\(user) is \(status)"
    case .unread(let unread, let mentions, _, _): "\(unread) unread, \(mentions) mentions"
    case .channelUpdated(let channel): "the channel changed: \(channel.name ?? channel.channel)"
    case .channelDeleted: "the channel is deleted"
    case .ownMute(let isMuted): isMuted ? "muted" : "no longer muted"
    case .unsubscribed(let reason): "the hub ended the subscription: \(reason)"
    case .gap(let from, let to, _): gap(from, to)
    case .inboxAdded(let item, let counts): "\(InboxText.line(item))\(told(counts))"
    case .inboxUpdated(let item, let counts):
      "\(InboxText.line(item)) \(InboxText.notes(item))\(told(counts))"
    case .inboxMarked(let ids, let state, let counts):
      "\(ids.joined(separator: ", ")) (\(state.rawValue))\(told(counts))"
    case .inboxRemoved(let ids, _, let counts):
      "\(ids.joined(separator: ", ")) (gone)\(told(counts))"
    case .inboxCleared(let counts): "all (gone)\(told(counts))"
    case .notice(let notice):
      "\(notice.surface.rawValue) for #\(notice.seq): \(notice.title): \(notice.preview)"
    case .noticeRetracted(let seq): "no more notice for #\(seq)"
    case .readBy, .channelCreated, .user, .ownSettings, .activity, .userGap, .drain, .error,
      .other:
      "\(event.name) \(event.json.text)"
    }
  }

  private static func told(_ counts: HubInboxCounts) -> String {
    " [\(InboxText.counts(counts))]"
  }

  /// What a recovery brings has changed in whatever way; only an edit says so itself.
  private static func updated(_ message: HubMessage) -> String {
    let line = MessageText.line(message)
    return message.editedTs == nil ? "\(line) (changed)" : line
  }

  private static func gap(_ from: Int, _ to: Int) -> String {
    switch to {
    case ..<from: "gap: the hub left out changes; they come next"
    case from: "gap: the hub left out #\(from); it comes next"
    default: "gap: the hub left out #\(from) to #\(to); they come next"
    }
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
