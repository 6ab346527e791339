import HubProtocol

/// Messages that were loaded to be changed, and what else was found out before admission.
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

  /// Refuses what would need a message that nobody has looked up: it left memory while the request
  /// was on its way. Asked again, it is looked up.
  func checkLoaded(
    _ seq: Int, in channel: ChannelRef, _ facts: Record.Facts?
  ) throws(Refusal) {
    let state = channels[channel.index]
    guard state.floor < seq, seq <= state.seq, state.window[seq] == nil else { return }
    // What was looked up and is not there is no longer kept: that is found out as ever.
    if let facts, facts.channel == channel, facts.asked.contains(seq),
      state.window.isCurrent(seq, since: facts.generation)
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
