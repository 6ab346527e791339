import HubProtocol

/// What was loaded of what somebody has missed.
struct LoadedMissed: Sendable {
  /// How a channel was when it was asked for.
  struct Moment: Equatable, Sendable {
    let channel: ChannelRef
    /// The channel's newest change.
    let rev: Int
    /// The window's generation.
    let generation: Int

    init(_ channel: ChannelRef, in registry: Registry) {
      let state = registry.channels[channel.index]
      self.channel = channel
      rev = state.rev
      generation = state.window.generation
    }
  }

  let asked: Moment
  /// By seq.
  let messages: [Int: StoredMessage]
  /// Whether all changes that were missed are among them.
  let hasChanges: Bool

  init(_ asked: Moment, _ messages: [StoredMessage], changed: [StoredMessage]?) {
    self.asked = asked
    hasChanges = changed != nil
    let all = messages + (changed ?? [])
    self.messages = Dictionary(all.map { ($0.message.seq, $0) }) { $1 }
  }
}

/// Recovery (protocol, "Subscribing and recovery").
extension Registry {
  /// What somebody who stopped at a position has not seen.
  struct Missed {
    let messages: [MessageView]
    /// Nil when the position does not say which changes were seen.
    let changed: [MessageView]?
  }

  /// All messages after a position and all changes up to it, from memory and what was loaded, or
  /// nil when that cannot be told exactly.
  func missed(
    since position: Position, in channel: ChannelRef, _ loaded: LoadedMissed?, for user: UserRef
  ) -> Missed? {
    let state = channels[channel.index]
    guard isRecoverable(position, in: state) else { return nil }
    if let loaded, !isCurrent(loaded, channel) { return nil }
    var messages: [MessageView] = []
    for seq in position.seq + 1..<state.seq + 1 {
      guard let message = view(seq, in: channel, loaded, for: user) else { return nil }
      messages.append(message)
    }
    var changed: [MessageView]?
    if let rev = position.rev {
      changed = self.changed(after: rev, upTo: position.seq, in: channel, loaded, for: user)
      guard changed != nil else { return nil }
    }
    let all = messages + (changed ?? [])
    guard all.count <= Limits.recoverMessages else { return nil }
    let bytes = all.reduce(0) { $0 + $1.message.byteCount }
    return bytes <= Limits.recoverBytes ? Missed(messages: messages, changed: changed) : nil
  }

  /// What has to be loaded first; nil when memory has it, or nothing can be told anyway.
  func missing(for request: Subscribe, in channel: ChannelRef) -> HistoryQuery? {
    if let since = request.since { return missing(since: since, in: channel) }
    let state = channels[channel.index]
    let lowest = max(state.floor, state.seq - request.limit) + 1
    guard lowest <= state.seq, state.window.firstSeq.map({ lowest < $0 }) ?? true else {
      return nil
    }
    return .missed(
      channel, range: lowest...state.seq, changedAfter: nil, upTo: 0,
      limit: Limits.subscribeMessages)
  }

  /// The newest messages, at most `limit` and as many as a page takes, oldest first: as far as they
  /// are in memory or were loaded.
  func newest(
    _ limit: Int, in channel: ChannelRef, _ loaded: LoadedMissed?, for user: UserRef
  ) -> [MessageView] {
    let loaded = loaded.flatMap { isCurrent($0, channel) ? $0 : nil }
    let state = channels[channel.index]
    var messages: [MessageView] = []
    var budget = PageBudget()
    var seq = state.seq
    while messages.count < limit, seq > state.floor,
      let message = view(seq, in: channel, loaded, for: user),
      budget.takes(message.message.weight)
    {
      messages.append(message)
      seq -= 1
    }
    return messages.reversed()
  }

  private func missing(since position: Position, in channel: ChannelRef) -> HistoryQuery? {
    let state = channels[channel.index]
    guard isRecoverable(position, in: state) else { return nil }
    let first = state.window.firstSeq ?? state.seq + 1
    // All of it: the window may let more go before the answer comes.
    let range = first > position.seq + 1 ? position.seq + 1...state.seq : nil
    // Those up to now: the window may let them go before the answer comes.
    let changedAfter = position.rev.flatMap { $0 < state.rev ? $0 : nil }
    let lacksChanges = changedAfter.map { $0 < state.window.forgottenRev } ?? false
    guard range != nil || lacksChanges else { return nil }
    return .missed(
      channel, range: range, changedAfter: changedAfter, upTo: position.seq,
      limit: Limits.recoverMessages)
  }

  /// Whether what was loaded, with what is in memory, is all there is: nothing has left memory
  /// meanwhile that was changed after it was loaded.
  private func isCurrent(_ loaded: LoadedMissed, _ channel: ChannelRef) -> Bool {
    let asked = loaded.asked
    guard asked.channel == channel,
      let doubts = channels[channel.index].window.doubts(since: asked.generation)
    else { return false }
    // A change has a rev of its own; how many answer a message has none.
    return doubts.allSatisfy { doubt in
      loaded.messages[doubt.seq] == nil && doubt.rev ?? 0 <= asked.rev
    }
  }

  private func isRecoverable(_ position: Position, in state: ChannelState) -> Bool {
    position.epoch == state.epoch && state.floor <= position.seq && position.seq <= state.seq
      && position.rev ?? 0 <= state.rev && state.seq - position.seq <= Limits.recoverMessages
  }

  private func changed(
    after rev: Int, upTo seq: Int, in channel: ChannelRef, _ loaded: LoadedMissed?,
    for user: UserRef
  ) -> [MessageView]? {
    let state = channels[channel.index]
    guard rev < state.rev else { return [] }
    guard loaded?.hasChanges == true || rev >= state.window.forgottenRev else { return nil }
    var found = state.window.changedInMemory(after: rev, upTo: seq).map {
      view($0, in: channel, for: user)
    }
    for (place, stored) in loaded?.messages ?? [:]
    where state.floor < place && place <= seq && stored.message.rev > rev {
      if state.window[place] == nil { found.append(view(stored, for: user)) }
    }
    return found.sorted { $0.message.seq < $1.message.seq }
  }

  /// A message as it is now: memory knows better than what was loaded.
  private func view(
    _ seq: Int, in channel: ChannelRef, _ loaded: LoadedMissed?, for user: UserRef
  ) -> MessageView? {
    if let message = channels[channel.index].window[seq] {
      return view(message, in: channel, for: user)
    }
    return loaded?.messages[seq].map { view($0, for: user) }
  }
}
