import HubCore

/// The steps of recovery that bring history to where the registry is.
extension Recovery {
  /// Gives a history that was lost what memory has; the journal's records follow.
  mutating func rebuild(
    _ history: any RecoveredHistory, from registry: Registry
  ) throws(RecoveryRefusal) {
    var count = 0
    let lsn = LSN(registry.appliedCount)
    do {
      try registry.seedHistory { changes in
        history.seed(changes)
        count += changes.count
        guard count > Self.seedMessages else { return }
        try history.makeDurable(history.applied)
        count = 0
      }
      history.append([], upTo: lsn)
      try history.makeDurable(lsn)
    } catch {
      throw .history("\(directory.path(of: OpenedHistory.fileName)): \(error)")
    }
    steps.append(.historyRebuilt(from: lsn))
  }

  /// Messages after which history is waited for.
  private static let seedMessages = 50_000

  /// Takes back what history has and the registry does not vouch for.
  mutating func bring(
    _ history: any RecoveredHistory, to registry: Registry
  ) throws(RecoveryRefusal) {
    let lsn = LSN(registry.appliedCount)
    guard history.applied > lsn else { return }
    do {
      let rewound = try history.rewind(to: lsn) { channel in registry.end(of: channel) }
      history.seed(rewound.ahead.compactMap { registry.put($0.seq, of: $0.channel) })
      // What was taken back must not come back when the machine crashes after the next records.
      try history.makeDurable(lsn)
      steps.append(.historyRewound(to: lsn, deleted: rewound.deleted))
    } catch {
      throw .history("\(directory.path(of: OpenedHistory.fileName)): \(error)")
    }
  }
}

extension Registry {
  fileprivate func end(of channel: ChannelRef) -> ChannelEnd? {
    newestPosition(of: channel).map { ChannelEnd(seq: $0.seq, rev: $0.rev) }
  }
}
