package import HubProtocol

/// Records of the hub's own, and the state of what it is written to.
extension Hub {
  /// The first record of all.
  mutating func found() {
    let (low, high) = configuration.registry.hashSeed
    append(.founded(stream: ids.next(), hashKey: SipHash.Key(low: low, high: high)))
  }

  /// Gives every channel a new epoch, because what was answered last may be lost.
  package mutating func renewEpochs() {
    let (low, high) = configuration.idSeed
    append(.epochsRenewed(seed: SipHash.Key(low: ~low, high: high)))
  }

  /// Lets messages go that are no longer to be kept.
  package mutating func expire(_ expiries: [Record.Expiry]) {
    guard !expiries.isEmpty, writeRefusal == nil else { return }
    append(.expired(expiries))
  }

  /// Admits a record of the hub's own; with a moment, one that asks what time it is.
  mutating func append(_ change: Record.Change, at moment: Moment? = nil) {
    let origin = Origin(connection: .none, id: nil, op: nil, bytes: 0)
    let record = Record(ts: moment.map { stamp($0) } ?? newestTs, change: change)
    pipeline.append(Pipeline.Entry(origin: origin, user: nil, step: .record(record)))
  }

  /// From now on everything durable is refused, or, with nil, no longer.
  package mutating func refuseWriting(_ refusal: Refusal?) {
    writeRefusal = refusal
  }

  /// Gives up what was admitted and is not durable: the log takes nothing more.
  package mutating func giveUpWriting(durable: Int, _ refusal: Refusal) {
    writeRefusal = refusal
    pipeline.giveUp(after: durable, refusal)
    giveUpRuns(refusal)
  }

  /// A record could not be logged: whoever asked for it is told.
  mutating func giveUp(_ record: Record, _ origin: Origin, _ refusal: Refusal) {
    refuse(origin, refusal)
    if case .windowsCleared = record.change { eviction.isUnderWay = false }
    if case .runContinued = record.change { isRunUnderWay = false }
    guard case .userAppeared = record.change else { return }
    released += sessions[origin.connection]?.waiting ?? []
    sessions[origin.connection]?.phase = .fresh
  }

  /// History has everything up to that record.
  package mutating func historyHas(_ count: Int) {
    if count > historyCount { eviction.lookAgain() }
    historyCount = count
  }

  /// Appends what history is to learn since the last call to `changes`; answers the newest record
  /// that is in it.
  package mutating func takeHistoryChanges(into changes: inout [HistoryChange]) -> Int {
    changes.append(contentsOf: historyChanges)
    historyChanges.removeAll(keepingCapacity: true)
    return registry.appliedCount
  }

  /// Lets the windows go that were not written to for longest, when all together take too much
  /// memory and history has what is in them.
  mutating func evictWindows(at moment: Moment) {
    guard hasToEvict else { return }
    let channels = eviction.choose(
      from: registry, historyHas: historyCount, uptime: moment.uptime)
    if !channels.isEmpty { append(.windowsCleared(channels)) }
  }

  /// Whether the windows take too much memory, and something can be done about it now.
  package var hasToEvict: Bool {
    registry.windowWeight > registry.windowMemory && writeRefusal == nil && !eviction.isUnderWay
  }

  /// Records that took effect, in all runs.
  package var appliedCount: Int { registry.appliedCount }

  /// Channels in which something may have to expire, a slice at a time: each with its kind, behind
  /// `start`. Nil behind the last.
  package func channels(
    from start: UInt32, _ limit: Int
  ) -> (channels: [(ref: ChannelRef, kind: ChannelKind)], next: UInt32)? {
    let end = UInt32(registry.channels.count)
    guard start < end else { return nil }
    let next = min(end, start + UInt32(limit))
    let slice = (start..<next).filter { !registry.channels[$0].isDeleted }
    return (slice.map { (ChannelRef(index: $0), registry.channels[$0].kind) }, next)
  }
}
