import HubCore
import HubProtocol
import HubStorage
import NIOCore

/// Snapshots, backups and retention, as far as the sequencer has to do with them.
extension Sequencer {
  /// A copy of the registry and the newest record in it. Blocks: called on the snapshot thread.
  nonisolated func capture() throws -> (image: RegistryImage, lsn: LSN) {
    // SAFETY: the closure runs on the sequencer's executor.
    try loop.submit { self.assumeIsolated { ($0.hub.image, $0.applied) } }.wait()
  }

  private var applied: LSN { LSN(hub.appliedCount) }

  /// Begins to listen to what history tells of itself.
  nonisolated func listen(to relay: NoticeRelay<HistoryNotice>) {
    let loop = loop
    relay.listen { notice in
      // SAFETY: the closure runs on the sequencer's executor.
      loop.execute { self.assumeIsolated { $0.take(notice) } }
    }
  }

  func takeSnapshot(for pending: PendingOperation) {
    guard let snapshots else { return refuse(pending) }
    let loop = loop
    snapshots.take(of: self, because: "admin.snapshot") { result in
      // SAFETY: the closure runs on the sequencer's executor.
      loop.execute { self.assumeIsolated { $0.finish(pending, result.map(Reply.snapshot)) } }
    }
  }

  /// Called right behind what history was told: the copy is of this moment.
  func backUp(to directory: String, for pending: PendingOperation) {
    guard let snapshots else { return refuse(pending) }
    let loop = loop
    snapshots.backUp(hub.image, at: applied, to: directory) { result in
      // SAFETY: the closure runs on the sequencer's executor.
      loop.execute { self.assumeIsolated { $0.finish(pending, result.map(Reply.backup)) } }
    }
  }

  private func refuse(_ pending: PendingOperation) {
    let refusal = Refusal(.unavailable, "this hub keeps nothing on disk")
    // SAFETY: the closure runs on the sequencer's executor.
    loop.execute { self.assumeIsolated { $0.finish(pending, .failure(refusal)) } }
  }

  private func finish(_ pending: PendingOperation, _ result: Result<Reply, Refusal>) {
    hub.finish(pending, with: result)
    run(at: clock.moment())
  }

  /// A slice of the channels, from a place on; nil behind the last.
  func channels(
    from start: UInt32, _ limit: Int
  ) -> (channels: [(ref: ChannelRef, kind: ChannelKind)], next: UInt32)? {
    hub.channels(from: start, limit)
  }

  /// Lets messages go that are no longer to be kept.
  func expire(_ expiries: [Record.Expiry]) {
    hub.expire(expiries)
    run(at: clock.moment())
  }

  /// History may not know what the notifications up to that number say.
  func doubtNotifications(upTo number: Int) {
    hub.doubtNotifications(upTo: number)
  }

  /// Gives every channel a new epoch.
  func renewEpochs() {
    hub.renewEpochs()
    run(at: clock.moment())
  }
}

extension Refusal {
  static var storageFull: Refusal {
    Refusal(.storageFull, "the hub's disk is full", retryAfterMilliseconds: 1_000)
  }
}
