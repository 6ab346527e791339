import HashTreeCollections
import HubProtocol

/// Editing, deleting, reacting, flagging: what makes `rev` rise, and what does not.
extension Registry {
  mutating func edit(
    _ edit: MessageEdit, by user: UserRef, ts: Timestamp, facts: Record.Facts?
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try joinedChannel(edit.channel, by: user, at: ts)
    let (message, author) = try existingMessage(edit.seq, in: ref, facts)
    guard author == user else {
      throw Refusal(.forbidden, "only its sender edits a message")
    }
    guard !message.isDeleted else { throw Refusal(.conflict, "message \(edit.seq) was deleted") }
    try checkSilence(of: user, in: ref, at: ts)
    if let other = counterpart(of: user, in: ref) { try checkApproach(of: other, by: user) }
    if edit.mentions?.channel == true, membership.role == .member, !isDirect(ref) {
      throw .mentionsChannel
    }
    let content = edit.applied(to: message.content)
    guard !content.isEmpty else {
      throw Refusal(.badRequest, "one of `text`, `attachments` and `data` must be left")
    }
    let mentioned = try existingUsers(content.mentions)
    let after = message.edited(content, ts: ts, rev: channels[ref.index].rev + 1)
    guard after.weight <= Limits.editedBytes else {
      throw Refusal(.tooLarge, "the message must not exceed \(Limits.editedBytes) bytes")
    }
    let stored = replace(after, by: author, in: ref)
    channels[ref.index].countable.edit(
      seq: after.seq, mentioned: mentioned, mentionsChannel: content.mentionsChannel)
    noteEdit(after, from: message, by: user, in: ref)
    return .changed(ref, stored, ts: ts)
  }

  mutating func deleteMessage(
    _ name: ChannelName, _ seq: Int, by user: UserRef, ts: Timestamp, facts: Record.Facts?
  ) throws(Refusal) -> Applied {
    let (ref, membership) = try joinedChannel(name, by: user, at: ts)
    let (message, author) = try existingMessage(seq, in: ref, facts)
    guard author == user || (membership.role != .member && !isDirect(ref)) else {
      throw Refusal(.forbidden, "only its sender and moderators delete a message")
    }
    if let deletedTs = message.deletedTs { return .unchanged(ts: deletedTs) }
    noteDeletion(
      of: message, reactors: channels[ref.index].window.reactors(to: message), in: ref)
    let after = message.deleted(ts: ts, rev: channels[ref.index].rev + 1)
    let stored = replace(after, by: author, in: ref)
    channels[ref.index].countable.delete(seq: seq)
    channels[ref.index].flags.removeAll { $0.seq == seq }
    if let parent = message.replyTo { uncountReply(to: parent, in: ref) }
    return .changed(ref, stored, ts: ts)
  }

  private mutating func uncountReply(to parent: Int, in channel: ChannelRef) {
    if let message = channels[channel.index].window[parent] {
      _ = channels[channel.index].window.replace(message.answered(by: -1))
    } else {
      // Whoever has just loaded it counted one reply too many.
      channels[channel.index].window.doubt(parent, nil)
    }
  }

  private func isDirect(_ channel: ChannelRef) -> Bool { channels[channel.index].kind == .direct }

  private mutating func replace(
    _ message: Message, by author: UserRef, in channel: ChannelRef
  ) -> StoredMessage {
    let weight = channels[channel.index].window.weight
    _ = channels[channel.index].window.replace(message)
    return finishChange(of: message, by: author, in: channel, weightBefore: weight)
  }

  /// The message as history is to have it, taken before it may leave a window that it is too much
  /// for.
  private mutating func finishChange(
    of message: Message, by author: UserRef, in channel: ChannelRef, weightBefore: Int
  ) -> StoredMessage {
    let stored = channels[channel.index].window.stored(message, in: channel, author: author)
    channels[channel.index].rev = message.rev
    channels[channel.index].changedAt = recordCount
    channels[channel.index].window.trim()
    windowChanged(by: channels[channel.index].window.weight - weightBefore)
    return stored
  }

  mutating func react(
    _ name: ChannelName, _ seq: Int, _ reaction: String, isOn: Bool, by user: UserRef,
    ts: Timestamp, facts: Record.Facts?
  ) throws(Refusal) -> Applied {
    let (ref, _) = try joinedChannel(name, by: user, at: ts)
    let (message, author) = try changeableMessage(seq, in: ref, facts)
    if isOn, let other = counterpart(of: user, in: ref) { try checkApproach(of: other, by: user) }
    guard channels[ref.index].window.hasReacted(user, to: message, with: reaction) != isOn else {
      return .nothing
    }
    let isFirst = !message.reactions.contains { $0.isOf(reaction) }
    guard !isFirst || message.reactions.count < Limits.messageReactions else {
      throw Refusal(
        .tooLarge, "a message takes at most \(Limits.messageReactions) different reactions")
    }
    let all = channels[ref.index].window.reactions(of: user, to: message)
    if all.allSatisfy({ $0 == reaction }) {
      noteLike(isOn, reaction, of: message, by: user, in: ref, ts: ts)
    }
    let rev = channels[ref.index].rev + 1
    let weight = channels[ref.index].window.weight
    let after = channels[ref.index].window.react(
      user, to: message, with: reaction, isOn: isOn, rev: rev)
    let stored = finishChange(of: after, by: author, in: ref, weightBefore: weight)
    return .reacted(
      ref,
      ReactionChange(
        channel: name, seq: seq, user: users[user.index].id, reaction: reaction, isOn: isOn,
        count: after.reactions.first { $0.isOf(reaction) }?.count ?? 0, rev: rev),
      stored)
  }

  mutating func flag(
    _ name: ChannelName, _ seq: Int, reason: String?, by user: UserRef, ts: Timestamp,
    facts: Record.Facts?
  ) throws(Refusal) -> Applied {
    let (ref, _) = try joinedChannel(name, by: user, at: ts)
    _ = try changeableMessage(seq, in: ref, facts)
    // Somebody's second flag on a message takes the place of the first.
    channels[ref.index].flags.removeAll { $0.seq == seq && $0.user == user }
    channels[ref.index].flags.append(
      ChannelState.FlaggedMessage(seq: seq, user: user, ts: ts, reason: reason))
    let excess = channels[ref.index].flags.count - Limits.channelFlags
    if excess > 0 { channels[ref.index].flags.removeFirst(excess) }
    return .nothing
  }
}
