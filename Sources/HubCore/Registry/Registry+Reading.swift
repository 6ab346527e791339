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
    channels[channel.index].countable.unread(
      by: reader(user), after: max(membership.read, channels[channel.index].floor))
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

  /// A message of history as the viewer sees it.
  func view(_ stored: StoredMessage, for viewer: UserRef) -> MessageView {
    let message = stored.message
    if hides(stored.author, from: viewer) { return MessageView(message, isHidden: true) }
    let mine = zip(message.reactions, stored.sets).compactMap { counted, users in
      users.contains(viewer) ? counted.reaction : nil
    }
    return MessageView(message, isOwn: stored.author == viewer, mine: mine)
  }

  /// A message of history as it is now, as the viewer sees it: memory knows better. Nil when it is
  /// no longer kept.
  func present(_ stored: StoredMessage, for viewer: UserRef) -> MessageView? {
    let state = channels[stored.channel.index]
    guard !state.isDeleted, state.floor < stored.message.seq else { return nil }
    if let message = state.window[stored.message.seq] {
      return view(message, in: stored.channel, for: viewer)
    }
    return view(stored, for: viewer)
  }

  /// The messages as the viewer sees them.
  func views(
    _ messages: [Message], in channel: ChannelRef, for viewer: UserRef
  ) -> [MessageView] {
    messages.map { view($0, in: channel, for: viewer) }
  }
}
