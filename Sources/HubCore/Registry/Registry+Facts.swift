import HashTreeCollections
import HubProtocol

/// Messages that are to be changed or answered, and what else was found out before admission.
extension Registry {
  /// Takes the messages of `facts` into the window of their channel, where they are changed like
  /// any other; answers the window as it was, to be put back when the record is refused. Nil when
  /// there was nothing to take.
  mutating func windowBeforeRecall(_ facts: Record.Facts) -> MessageWindow? {
    guard !facts.messages.isEmpty, facts.channel.index < UInt32(channels.count),
      !channels[facts.channel.index].isDeleted
    else { return nil }
    let before = channels[facts.channel.index].window
    let floor = channels[facts.channel.index].floor
    for stored in facts.messages where stored.message.seq > floor {
      guard before.isCurrent(stored.message.seq, since: facts.generation) else { continue }
      // History may know changes that were taken back with the end of an earlier run.
      let message = stored.message.changed(noLaterThan: channels[facts.channel.index].rev)
      channels[facts.channel.index].window.recall(message, stored.sets)
    }
    windowChanged(by: channels[facts.channel.index].window.weight - before.weight)
    return before
  }

  mutating func putBack(_ window: MessageWindow, of channel: ChannelRef) {
    windowChanged(by: window.weight - channels[channel.index].window.weight)
    channels[channel.index].window = window
  }

  /// A message that is there, in memory, and not deleted; with who wrote it.
  func changeableMessage(
    _ seq: Int, in channel: ChannelRef, _ facts: Record.Facts?
  ) throws(Refusal) -> (message: Message, author: UserRef) {
    let (message, author) = try existingMessage(seq, in: channel, facts)
    guard !message.isDeleted else { throw Refusal(.conflict, "message \(seq) was deleted") }
    return (message, author)
  }

  /// A message that is there and in memory; with who wrote it.
  func existingMessage(
    _ seq: Int, in channel: ChannelRef, _ facts: Record.Facts?
  ) throws(Refusal) -> (message: Message, author: UserRef) {
    guard 1 <= seq, seq <= channels[channel.index].seq else {
      throw Refusal(.notFound, "there is no message \(seq)")
    }
    try checkLoaded(seq, in: channel, facts)
    guard seq > channels[channel.index].floor, let message = channels[channel.index].window[seq],
      let author = userRefs[message.user]
    else { throw Refusal(.historyGone, "message \(seq) is no longer kept") }
    return (message, author)
  }

  /// Refuses what would need a message that nobody has looked up: it left memory while the request
  /// was on its way. Asked again, it is looked up.
  private func checkLoaded(
    _ seq: Int, in channel: ChannelRef, _ facts: Record.Facts?
  ) throws(Refusal) {
    guard channels[channel.index].lacks(seq) else { return }
    // What was looked up and is not there is no longer kept: that is found out as ever.
    if let facts, facts.channel == channel, facts.asked.contains(seq),
      channels[channel.index].window.isCurrent(seq, since: facts.generation)
    {
      return
    }
    throw Refusal(
      .unavailable, "message \(seq) was changed or left memory just now; ask again",
      retryAfterMilliseconds: 0)
  }

  /// The send that used a key first, as far as it is remembered or was looked up.
  func firstUse(
    of key: String, by sender: UserRef, in channel: ChannelRef, at ts: Timestamp,
    _ facts: Record.Facts?
  ) -> KeyTable.Sent? {
    if let first = keys.find(sender: sender, channel: channel, key: key, now: ts) { return first }
    guard let facts, facts.channel == channel else { return nil }
    return facts.firstUse
  }
}
