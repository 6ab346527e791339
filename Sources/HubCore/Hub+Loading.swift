import HashTreeCollections
import HubProtocol

/// Requests that need something that is not in memory before they can be admitted: it is asked of
/// history, and what comes behind them on their connection waits.
extension Hub {
  /// What has to be loaded for an operation, and for what; nil when all it needs is in memory.
  func load(
    for operation: Operation, by user: UserRef, at moment: Moment
  ) -> (HistoryQuery, PendingRead.Purpose)? {
    if case .subscribe(let subscribe) = operation {
      guard let channel = registry.channelRefs[subscribe.channel],
        let query = registry.missing(for: subscribe, in: channel)
      else { return nil }
      return (query, .subscription(subscribe, LoadedMissed.Moment(channel, in: registry)))
    }
    if let bodies = bodies(for: operation, by: user, at: moment) {
      return (.notifications(bodies), .inbox(operation, bodies: bodies))
    }
    guard writeRefusal == nil, let needed = operation.needed,
      let channel = registry.channelRefs[needed.channel]
    else { return nil }
    let state = registry.channels[channel.index]
    let seqs = needed.seqs.filter(state.lacks)
    let key = needed.key.flatMap { (key) -> (sender: UserRef, key: String)? in
      let known = registry.keys.find(
        sender: user, channel: channel, key: key, now: moment.wall)
      return known == nil ? (user, key) : nil
    }
    guard !seqs.isEmpty || key != nil else { return nil }
    return (
      .facts(channel, seqs: seqs, key: key),
      .admission(operation, channel, generation: state.window.generation, seqs: seqs)
    )
  }

  /// What an operation needs, is in memory and may leave it before the operation takes effect: it
  /// goes with it. Nil when nothing is in the way.
  func carried(by operation: Operation) -> Record.Facts? {
    let pending = pipeline.pendingRecords
    guard pending > 0, let needed = operation.needed,
      let channel = registry.channelRefs[needed.channel]
    else { return nil }
    let window = registry.channels[channel.index].window
    let messages = needed.seqs.compactMap { seq -> StoredMessage? in
      guard window.mayLeave(seq, behind: pending), let message = window[seq] else { return nil }
      return registry.stored(message, in: channel)
    }
    guard !messages.isEmpty else { return nil }
    return Record.Facts(
      channel: channel, generation: window.generation, asked: messages.map(\.message.seq),
      messages: messages, firstUse: nil)
  }

  /// What comes on a connection need no longer wait.
  mutating func letWaitingGoOn(on connection: ConnectionID) {
    guard case .loading(let user, let waiting) = sessions[connection]?.phase else { return }
    sessions[connection]?.phase = .ready(user)
    released += waiting
  }

  /// Admits what waited for something that was loaded.
  mutating func admit(
    _ read: PendingRead, with answer: HistoryAnswer, at moment: Moment
  ) {
    letWaitingGoOn(on: read.origin.connection)
    guard let session = sessions[read.origin.connection], case .ready(let user) = session.phase
    else { return }
    switch read.purpose {
    case .admission(let operation, let channel, let generation, let seqs):
      let facts = Record.Facts(
        channel: channel, generation: generation, asked: seqs, answer, hasKey: operation.hasRetryKey
      )
      guard let facts else {
        return append(.refusal(.historyUnreadable), read.origin, of: session)
      }
      append(step(operation, by: user, at: moment, facts), read.origin, of: session)
    case .subscription(let subscribe, let asked):
      var loaded: LoadedMissed?
      if case .missed(let messages, let changed) = answer {
        loaded = LoadedMissed(asked, messages, changed: changed)
      }
      append(.subscription(subscribe, loaded), read.origin, of: session)
    case .inbox(let operation, _):
      if case .failed = answer {
        return append(.refusal(.historyUnreadable), read.origin, of: session)
      }
      append(step(operation, by: user, at: moment), read.origin, of: session)
    case .history, .thread, .feed, .search, .inboxPage, .target, .inboxTelling:
      preconditionFailure("nothing waits for these")
    }
  }
}

extension Record.Facts {
  /// Nil when nothing can be said at the moment. What is damaged is no longer kept; whether a key
  /// stands in it nobody knows.
  fileprivate init?(
    channel: ChannelRef, generation: Int, asked: [Int], _ answer: HistoryAnswer, hasKey: Bool
  ) {
    var messages: [StoredMessage] = []
    var first: KeyTable.Sent?
    switch answer {
    case .facts(let kept, let sent): (messages, first) = (kept, sent)
    case .nothingExact: break
    case .damaged: guard !hasKey else { return nil }
    case .failed, .messages, .missed, .found, .notifications: return nil
    }
    self.init(
      channel: channel, generation: generation, asked: asked, messages: messages, firstUse: first)
  }
}

extension Operation {
  /// Whether a key is to be looked for through all of history.
  fileprivate var hasRetryKey: Bool { needed?.key != nil }

  /// The messages of a channel that are changed or answered, and the key that is to be looked for
  /// through all of history.
  fileprivate var needed: (channel: ChannelName, seqs: [Int], key: String?)? {
    if case .messageSend(let send) = self {
      guard send.replyTo != nil || (send.isRetry && send.key != nil) else { return nil }
      let key = send.isRetry ? send.key : nil
      return (send.channel, send.replyTo.map { [$0] } ?? [], key)
    }
    if case .messageEdit(let edit) = self { return (edit.channel, [edit.seq], nil) }
    if case .messageDelete(let channel, let seq) = self { return (channel, [seq], nil) }
    if case .reactionAdd(let channel, let seq, _) = self { return (channel, [seq], nil) }
    if case .reactionRemove(let channel, let seq, _) = self { return (channel, [seq], nil) }
    guard case .messageFlag(let channel, let seq, _) = self else { return nil }
    return (channel, [seq], nil)
  }
}
