import HashTreeCollections
import HubProtocol

/// What the registry answers without changing.
extension Registry {
  /// The channel as lists and replies show it to `viewer`; with nobody in particular, what all
  /// members share.
  func summary(
    of channel: ChannelRef, for viewer: UserRef?, at now: Timestamp, presentCount: Int
  ) -> ChannelSummary {
    let state = channels[channel.index]
    var profile = state.profile
    if let other = viewer.flatMap({ counterpart(of: $0, in: channel) }) {
      profile.name = users[other.index].shownName
      profile.avatar = users[other.index].profile.avatar
    }
    profile.name = profile.name ?? state.name.text
    let last = state.window.last.map { last in
      viewer.map { view(last, in: channel, for: $0) } ?? MessageView(last)
    }
    return ChannelSummary(
      channel: state.name, kind: state.kind, profile: profile, memberCount: state.members.count,
      presentCount: presentCount, epoch: state.epoch, seq: state.seq, rev: state.rev,
      updatedTs: state.updatedTs, lastMessage: last,
      standing: viewer.flatMap { standing(of: $0, in: channel, at: now) })
  }

  /// What the channel is called in the user's eyes.
  func shownName(of channel: ChannelRef, to user: UserRef) -> String {
    if let other = counterpart(of: user, in: channel) { return users[other.index].shownName }
    return channels[channel.index].profile.name ?? channels[channel.index].name.text
  }

  /// A member's own view of a channel.
  func standing(of user: UserRef, in channel: ChannelRef, at now: Timestamp) -> Standing? {
    guard let membership = channels[channel.index].members[user] else { return nil }
    let counts = unread(user, membership, in: channel)
    return Standing(
      unread: counts.unread, mentions: counts.mentions, read: membership.read,
      role: membership.role, isMuted: isMuted(membership, channel, by: user, at: now))
  }

  /// What counts as unread for a member.
  func unread(_ user: UserRef, in channel: ChannelRef) -> (unread: Int, mentions: Int)? {
    channels[channel.index].members[user].map { unread(user, $0, in: channel) }
  }

  private func unread(
    _ user: UserRef, _ membership: Membership, in channel: ChannelRef
  ) -> (unread: Int, mentions: Int) {
    channels[channel.index].countable.unread(by: reader(user), after: membership.read)
  }

  /// The user with what makes their counts differ from others'.
  func reader(_ user: UserRef) -> CountableMessages.Reader {
    CountableMessages.Reader(
      user, blocked: users[user.index].blocked, blockers: users[user.index].blockers)
  }

  /// Whether a member is not to be bothered with the channel.
  func isMuted(_ channel: ChannelRef, by user: UserRef, at now: Timestamp) -> Bool {
    channels[channel.index].members[user].map { isMuted($0, channel, by: user, at: now) } ?? false
  }

  private func isMuted(
    _ membership: Membership, _ channel: ChannelRef, by user: UserRef, at now: Timestamp
  ) -> Bool {
    if let until = membership.mutedUntil, now < until { return true }
    let listed = users[user.index].settings.mutedChannels
    return !listed.isEmpty && listed.contains(channels[channel.index].name)
  }
}

/// Messages as one reader sees them, and recovery (protocol, "Subscribing and recovery").
extension Registry {
  /// The message as the viewer sees it.
  func view(
    _ message: Message, in channel: ChannelRef, for viewer: UserRef
  ) -> MessageView {
    let state = users[viewer.index]
    if !state.blocked.isEmpty, let author = userRefs[message.user], hides(author, from: viewer) {
      return MessageView(message, isHidden: true)
    }
    let mine =
      message.reactions.isEmpty
      ? [] : channels[channel.index].window.reactions(of: viewer, to: message)
    return MessageView(message, isOwn: message.user == state.id, mine: mine)
  }

  /// The messages as the viewer sees them.
  func views(
    _ messages: [Message], in channel: ChannelRef, for viewer: UserRef
  ) -> [MessageView] {
    messages.map { view($0, in: channel, for: viewer) }
  }

  /// The newest messages, at most `limit` and as many as a page takes, oldest first.
  func newest(_ limit: Int, in channel: ChannelRef) -> [Message] {
    let seq = channels[channel.index].seq
    guard limit > 0, seq > 0 else { return [] }
    let messages = channels[channel.index].window.messages(in: max(1, seq - limit + 1)...seq)
    var budget = PageBudget()
    var start = messages.endIndex
    while start > messages.startIndex, budget.takes(messages[start - 1].weight) { start -= 1 }
    return Array(messages[start...])
  }

  /// What somebody who stopped at a position has not seen.
  struct Missed {
    let messages: [Message]
    /// Nil when the position does not say which changes were seen.
    let changed: [Message]?
  }

  /// All messages after a position and all changes up to it, or nil when that cannot be told
  /// exactly.
  func missed(since position: Position, in channel: ChannelRef) -> Missed? {
    let state = channels[channel.index]
    guard position.epoch == state.epoch, position.seq <= state.seq, position.rev ?? 0 <= state.rev,
      state.seq - position.seq <= Limits.recoverMessages
    else { return nil }
    var messages: [Message] = []
    if position.seq < state.seq {
      guard let first = state.window.firstSeq, first <= position.seq + 1 else { return nil }
      messages = state.window.messages(in: (position.seq + 1)...state.seq)
    }
    var changed: [Message]?
    if let rev = position.rev {
      changed = rev == state.rev ? [] : state.window.changed(after: rev, upTo: position.seq)
      guard changed != nil else { return nil }
    }
    let all = messages + (changed ?? [])
    guard all.count <= Limits.recoverMessages else { return nil }
    let bytes = all.reduce(0) { $0 + $1.byteCount }
    return bytes <= Limits.recoverBytes ? Missed(messages: messages, changed: changed) : nil
  }

  /// Replies to a message, oldest first (protocol, "Messages": `message.thread`).
  func thread(
    _ request: MessageThread, in channel: ChannelRef
  ) throws(Refusal) -> (messages: [Message], hasMore: Bool) {
    let state = channels[channel.index]
    guard 1 <= request.seq, request.seq <= state.seq else {
      throw Refusal(.notFound, "there is no message \(request.seq)")
    }
    let lowest = max(request.seq, request.after) + 1
    guard lowest <= state.seq else { return ([], false) }
    guard let first = state.window.firstSeq, first <= lowest else {
      throw Refusal(.historyGone, "these messages are no longer kept")
    }
    var found: [Message] = []
    var budget = PageBudget()
    for message in state.window.messages(in: lowest...state.seq)
    where message.replyTo == request.seq {
      guard found.count < request.limit, budget.takes(message.weight) else { return (found, true) }
      found.append(message)
    }
    return (found, false)
  }
}
