import HashTreeCollections
import HubProtocol

/// What the registry answers without changing.
extension Registry {
  /// The channel as lists and replies show it to `viewer`; with nobody in particular, what all
  /// members share.
  func summary(
    of channel: ChannelRef, for viewer: UserRef?, presentCount: Int
  ) -> ChannelSummary {
    let state = channels[channel.index]
    var profile = state.profile
    if profile.name == nil {
      let other = viewer.flatMap { counterpart(of: $0, in: channel) }
      profile.name = other.map { users[$0.index].id.text } ?? state.name.text
    }
    return ChannelSummary(
      channel: state.name, kind: state.kind, profile: profile, memberCount: state.members.count,
      presentCount: presentCount, epoch: state.epoch, seq: state.seq, rev: state.rev,
      updatedTs: state.updatedTs, lastMessage: state.window.last,
      standing: viewer.flatMap { standing(of: $0, in: channel) })
  }

  /// A member's own view of a channel.
  func standing(of user: UserRef, in channel: ChannelRef) -> Standing? {
    guard let membership = channels[channel.index].members[user] else { return nil }
    let counts = channels[channel.index].unread(user, membership)
    return Standing(
      unread: counts.unread, mentions: counts.mentions, read: membership.read,
      role: membership.role, isMuted: false)
  }

  /// The newest messages, at most `limit` and as many as a page takes, oldest first.
  func newest(_ limit: Int, in channel: ChannelRef) -> [Message] {
    let seq = channels[channel.index].seq
    guard limit > 0, seq > 0 else { return [] }
    return Self.newest(
      channels[channel.index].window.messages(in: max(1, seq - limit + 1)...seq))
  }

  /// All messages after a position, or nil when that cannot be told exactly (protocol, "Subscribing
  /// and recovery").
  func missed(since position: Position, in channel: ChannelRef) -> [Message]? {
    let state = channels[channel.index]
    guard position.epoch == state.epoch, position.seq <= state.seq, position.rev ?? 0 <= state.rev,
      state.seq - position.seq <= Limits.recoverMessages
    else { return nil }
    guard position.seq < state.seq else { return [] }
    guard let first = state.window.firstSeq, first <= position.seq + 1 else { return nil }
    let messages = state.window.messages(in: (position.seq + 1)...state.seq)
    let bytes = messages.reduce(0) { $0 + $1.byteCount }
    return bytes <= Limits.recoverBytes ? messages : nil
  }

  /// As many of the messages' end as a page takes.
  static func newest(_ messages: [Message]) -> [Message] {
    var budget = PageBudget()
    var start = messages.endIndex
    while start > messages.startIndex, budget.takes(messages[start - 1].weight) { start -= 1 }
    return Array(messages[start...])
  }

  /// As many of the messages' beginning as a page takes.
  static func oldest(_ messages: [Message]) -> [Message] {
    var budget = PageBudget()
    return Array(messages.prefix { budget.takes($0.weight) })
  }
}
