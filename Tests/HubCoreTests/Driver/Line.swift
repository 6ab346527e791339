import HubProtocol

/// What the hub says, in one line of text that a test can be compared with.
enum Line {
  static func of(_ reply: Reply) -> String {
    switch reply {
    case .empty: "ok"
    case .hello(let hello): of(hello)
    case .pong: "pong"
    case .channel(let summary): of(summary)
    case .channels(let channels, let cursor):
      "channels \(channels.map(\.channel.text).joined(separator: ","))"
        + (cursor == nil ? "" : " more")
    case .subscribed(let reply):
      "subscribed at \(reply.seq)\(reply.isRecovered ? " recovered" : ""): \(seqs(reply.messages))"
    case .sent(let seq, _, let isDuplicate): "sent \(seq)\(isDuplicate ? " again" : "")"
    case .history(let messages, let hasMore, _):
      "history \(seqs(messages))\(hasMore ? " more" : "")"
    case .notified(let made, let unknown):
      "notified \(made)" + unknown.map { " unknown \($0)" }.joined()
    case .inbox(let items, let counts, let at, let cursor):
      "inbox \(items.map { of($0) }.joined(separator: " ")) \(of(counts)) at \(at)"
        + (cursor == nil ? "" : " more")
    case .snapshot: "snapshot"
    }
  }

  static func of(_ event: Event) -> String {
    switch event {
    case .message(let message, let toSender): of(message, toSender: toSender)
    case .typing(let channel, let users):
      "typing \(channel) [\(users.map(\.text).joined(separator: ","))]"
    case .typingCount(let channel, let count): "typing \(channel) \(count)"
    case .receipt(let channel, let user, let read, let delivered):
      "receipt \(channel) \(user) \(read) \(delivered)"
    case .readBy(let channel, let counts):
      "readBy \(channel)" + counts.map { " \($0.seq)=\($0.members)" }.joined()
    case .member(let channel, let user, let change, let role):
      "member \(channel) \(user) \(change.rawValue)" + (role.map { " \($0.rawValue)" } ?? "")
    case .channelCreated(let summary): "created " + of(summary)
    case .activity(let activity):
      "activity \(activity.channel) \(activity.seq) \(activity.user) \(activity.preview)"
    case .unread(let counts):
      "unread \(counts.channel) \(counts.unread)/\(counts.mentions) of \(counts.total)"
        + " at \(counts.at)"
    case .inboxAdded(let item, let counts, let at):
      "inbox.added \(of(item)) \(of(counts)) at \(at)"
    case .inboxUpdated(let item, let counts, let at):
      "inbox.updated \(of(item)) \(of(counts)) at \(at)"
    case .inboxRemoved(let ids, let counts, let at):
      "inbox.removed \(ids) \(of(counts)) at \(at)"
    case .unsubscribed(let channel, let reason): "unsubscribed \(channel) \(reason.rawValue)"
    case .error(let op, let refusal): "error \(op ?? "?") \(refusal.code.rawValue)"
    }
  }

  static func of(_ summary: ChannelSummary) -> String {
    var line = "\(summary.channel) \(summary.kind.rawValue) \(summary.memberCount) members"
    line += " \(summary.presentCount) present seq \(summary.seq)"
    guard let standing = summary.standing else { return line }
    line += " \(standing.role.rawValue) read \(standing.read)"
    return line + " unread \(standing.unread)/\(standing.mentions)"
  }

  /// The numbers of messages, which must follow each other.
  static func seqs(_ messages: [Message]) -> String {
    guard let first = messages.first?.seq, let last = messages.last?.seq else { return "none" }
    guard messages.map(\.seq) == Array(first...max(first, last)) else { return "holes" }
    return first == last ? "\(first)" : "\(first)...\(last)"
  }

  private static func of(_ hello: HelloReply) -> String {
    let channels = hello.userStream.channels.map { " [\(of($0))]" }.joined()
    return "hello \(hello.user.id)\(channels)\(hello.userStream.hasMore ? " more" : "")"
  }

  private static func of(_ message: Message, toSender: Bool) -> String {
    let key = toSender ? message.key : nil
    return "message \(message.channel) \(message.seq) \(message.user)"
      + " \(message.content.text ?? "-")" + (key.map { " key \($0)" } ?? "")
  }

  private static func of(_ item: InboxItem) -> String {
    "\(item.id):\(item.notification.text)"
      + (item.count > 1 ? "x\(item.count)" : "")
  }

  private static func of(_ counts: InboxCounts) -> String { "\(counts.unseen)/\(counts.unread)" }
}
