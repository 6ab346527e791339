import HubCore
import HubProtocol
import HubStorage

/// What the journal's thread does, and what the sequencer makes of what it is told.
extension StoreHub {
  private static let full = Refusal(.storageFull, "full", retryAfterMilliseconds: 1_000)
  private static let failed = Refusal(.unavailable, "failed")

  /// Writes what waits, as one group.
  func write() {
    guard writer != nil else {
      durable += waiting.count
      waiting = []
      return
    }
    do throws(LogFailure) {
      while !(batch.isEmpty && waiting.isEmpty) { try writeGroup() }
    } catch {
      // The state says it.
    }
    noteState()
  }

  private func writeGroup() throws(LogFailure) {
    guard var writer else { return }
    defer { self.writer = writer }
    if batch.isEmpty {
      batch.begin(after: writer.last, synced: writer.synced)
      for record in waiting {
        batch.add { bytes in
          record.write(to: &bytes)
          return Record.version
        }
      }
      waiting = []
    }
    try writer.write(batch)
    batch.begin(after: writer.last, synced: writer.synced)
    if durability == .commit { try writer.sync() }
    durable = writer.last.number - base
    chronicle.keep(writer.synced.number)
    writer.prepareAhead()
  }

  private func noteState() {
    switch writer?.state {
    case .writable, nil: hub.refuseWriting(nil)
    case .full: hub.refuseWriting(Self.full)
    case .failed:
      waiting = []
      hub.giveUpWriting(durable: durable, Self.failed)
    }
  }

  /// Looks for room where there was none, and goes on with what waits.
  func retry() {
    writer?.prepareAhead()
    run()
  }

  /// What is done now and then: a sync of what was answered before, a seal of what is idle.
  func idle(seals: Bool) {
    try? writer?.sync()
    if seals { try? writer?.seal(isFinal: false) }
    writer?.prepareAhead()
    if let writer { chronicle.keep(writer.synced.number) }
    noteState()
  }
}
