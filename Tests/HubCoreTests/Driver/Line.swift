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
        + (reply.changed.map { " changed [\(list($0))]" } ?? "")
    case .sent(let seq, _, let isDuplicate): "sent \(seq)\(isDuplicate ? " again" : "")"
    case .stamped: "ok"
    case .messages(let messages, let cursor):
      "messages [\(list(messages))]" + (cursor == nil ? "" : " more")
    case .members(let members, let cursor):
      "members \(members.map { of($0) }.joined(separator: ","))" + (cursor == nil ? "" : " more")
    case .users(let users): "users \(users.map(\.id.text).joined(separator: ","))"
    case .settings(let settings, let blocked): "settings " + of(settings, blocked)
    case .presence(let presence): presence.map { of($0) }.joined(separator: " ")
    case .channelPresence(let presence):
      presence.map { "\($0.channel) \($0.count) [\(names($0.users ?? []))]" }
        .joined(separator: " ")
    case .flags(let flags):
      "flags" + flags.map { " \($0.seq) by \($0.user)" }.joined()
    case .history(let messages, let hasMore):
      "history \(seqs(messages))\(hasMore ? " more" : "")"
    case .notified(let made, let unknown):
      "notified \(made)" + unknown.map { " unknown \($0)" }.joined()
    case .retracted(let count, let unknown):
      "retracted \(count)" + unknown.map { " unknown \($0)" }.joined()
    case .inbox(let items, let stand, let cursor):
      "inbox \(items.map { of($0) }.joined(separator: " ")) \(of(stand))"
        + (cursor == nil ? "" : " more")
    case .inboxCounts(let stand): "counts \(of(stand))"
    case .inboxMarked(let stand): "marked \(of(stand))"
    case .inboxDeleted(let count, let stand): "deleted \(count) \(of(stand))"
    case .inboxActed(let target): "acted" + (target.map { " \($0.kind) \($0.id)" } ?? "")
    case .snapshot: "snapshot"
    case .backup: "backup"
    }
  }

  static func of(_ event: Event) -> String {
    switch event {
    case .message(let message, let toSender): of(message, toSender: toSender)
    case .hiddenMessage(let channel, let seq): "message \(channel) \(seq) hidden"
    case .messageChanged(let change): of(change)
    case .reaction(let change):
      "reaction \(change.channel) \(change.seq) \(change.user) \(change.reaction)"
        + " \(change.isOn ? "on" : "off") \(change.count) rev \(change.rev)"
    case .signal(let signal, let user): "signal \(signal.channel) \(user) \(signal.name)"
    case .presence(let presence): "presence " + of(presence)
    case .present(let channel, let count): "present \(channel) \(count)"
    case .channelUpdated(let summary): "updated " + of(summary)
    case .channelDeleted(let channel): "deleted \(channel)"
    case .user(let user): "user \(user.id) \(user.shownName)"
    case .ownSettings(let settings, let blocked): "self settings " + of(settings, blocked)
    case .ownMute(let channel, let isMuted): "self \(channel) \(isMuted ? "muted" : "unmuted")"
    case .gap(let gap): "gap \(gap.channel) \(gap.from)...\(gap.to) rev \(gap.rev)"
    case .userGap: "gap user"
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
    case .inbox(let event, let stand): of(event) + " " + of(stand)
    case .notice(let notice):
      "notice \(notice.surface.rawValue) \(notice.channel) \(notice.seq)"
        + " \(notice.title): \(notice.preview)"
    case .noticeRetract(let channel, let seq): "notice.retract \(channel) \(seq)"
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
  static func seqs(_ views: [MessageView]) -> String {
    let messages = views.map(\.message)
    guard let first = messages.first?.seq, let last = messages.last?.seq else { return "none" }
    guard messages.map(\.seq) == Array(first...max(first, last)) else { return "holes" }
    return first == last ? "\(first)" : "\(first)...\(last)"
  }

  /// Messages one by one, each in its present state.
  static func list(_ views: [MessageView]) -> String {
    views.map { of($0) }.joined(separator: "; ")
  }

  /// A message in its present state, as its reader sees it.
  static func of(_ view: MessageView) -> String {
    let message = view.message
    guard !view.isHidden else { return "\(message.seq) hidden" }
    var line = "\(message.seq) \(message.user) "
    line += message.isDeleted ? "deleted" : message.content.text ?? "-"
    if message.editedTs != nil { line += " edited" }
    if message.replyCount > 0 { line += " replies \(message.replyCount)" }
    for reaction in message.reactions {
      line += " \(reaction.reaction)\(reaction.count)"
      if view.mine.contains(reaction.reaction) { line += "!" }
    }
    return line
  }

  private static func of(_ change: MessageChange) -> String {
    let message = change.message
    let what = message.isDeleted ? "deleted" : "updated"
    let head = "message.\(what) \(message.channel) \(message.seq)"
    guard !change.isHidden else { return head + " hidden rev \(message.rev)" }
    let key = change.toSender ? message.key : nil
    return head + " \(message.content.text ?? "-")" + (key.map { " key \($0)" } ?? "")
      + " rev \(message.rev)"
  }

  private static func of(_ member: Member) -> String {
    let pointers = member.read.map { " \($0)/\(member.delivered ?? -1)" } ?? ""
    return "\(member.user.id) \(member.role.rawValue)" + (member.isPresent ? " present" : "")
      + pointers
  }

  private static func of(_ presence: UserPresence) -> String {
    "\(presence.user) \(presence.status.rawValue)"
  }

  private static func of(_ settings: UserSettings, _ blocked: [UserID]) -> String {
    "\(settings.directPolicy.rawValue) receipts \(settings.showsReceipts)"
      + " typing \(settings.showsTyping) blocked [\(names(blocked))]"
      + " muted [\(settings.mutedChannels.map(\.text).joined(separator: ","))]"
  }

  private static func names(_ users: [UserID]) -> String {
    users.map(\.text).joined(separator: ",")
  }

  private static func of(_ hello: HelloReply) -> String {
    let channels = hello.userStream.channels.map { " [\(of($0))]" }.joined()
    let left = hello.userStream.left.map { " left [\($0.map(\.text).joined(separator: ","))]" }
    return "hello \(hello.user.id)\(hello.userStream.isRecovered ? " recovered" : "")\(channels)"
      + (left ?? "") + (hello.userStream.hasMore ? " more" : "")
  }

  private static func of(_ message: Message, toSender: Bool) -> String {
    let key = toSender ? message.key : nil
    return "message \(message.channel) \(message.seq) \(message.user)"
      + " \(message.content.text ?? "-")" + (key.map { " key \($0)" } ?? "")
  }
}
