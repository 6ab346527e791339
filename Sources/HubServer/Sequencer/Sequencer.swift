package import HubCore
import HubProtocol
package import HubStorage
package import NIOCore

/// The one place where things are decided, in one order: takes batches of arrivals from the shards,
/// logs, lets them take effect and hands each loop its part. An actor on an event loop, so that the
/// compiler checks who touches the hub.
package actor Sequencer {
  /// How the sequencer reaches a shard from anywhere.
  package struct Port: Sendable {
    let loop: any EventLoop
    let shard: NIOLoopBound<Shard>

    package init(loop: any EventLoop, shard: NIOLoopBound<Shard>) {
      self.loop = loop
      self.shard = shard
    }
  }

  private let loop: any EventLoop
  private let executor: any SerialExecutor
  private let clock: HubClock
  private let older: any OlderMessages
  private let snapshots: SnapshotTaker?
  private var hub: Hub
  private var log: any RecordLog
  /// LSN before the first record of this run.
  private let base: LSN
  /// Records of this run that are durable.
  private var durable = 0
  private var encoder: EffectEncoder
  private var effects: [Effect] = []
  private var ports: [Port] = []
  /// Uptime for which a wake-up is scheduled.
  private var wakeUp: Int?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init(
    loop: any EventLoop, executor: any SerialExecutor, hub: consuming Hub, log: any RecordLog,
    older: any OlderMessages, snapshots: SnapshotTaker? = nil, clock: HubClock, loopCount: Int
  ) {
    self.loop = loop
    self.executor = executor
    self.hub = hub
    self.log = log
    self.older = older
    self.snapshots = snapshots
    self.clock = clock
    base = log.last
    encoder = EffectEncoder(loopCount: loopCount)
  }

  /// Says where the shards are, by index, and begins to listen to the log.
  package func attach(_ ports: [Port]) {
    self.ports = ports
    let loop = loop
    log.notify { lsn in
      // SAFETY: the closure runs on the sequencer's executor.
      loop.execute { self.assumeIsolated { $0.logged(upTo: lsn) } }
    }
  }

  /// Takes a batch from a shard; on the sequencer's own loop at once, from another with one hop.
  nonisolated func mail(_ batch: [Arrival]) {
    if loop.inEventLoop {
      // SAFETY: the sequencer's executor is this loop; `assumeIsolated` checks it.
      assumeIsolated { $0.receive(batch) }
    } else {
      // SAFETY: as above, after the hop.
      loop.execute { self.assumeIsolated { $0.receive(batch) } }
    }
  }

  private func receive(_ batch: [Arrival]) {
    let moment = clock.moment()
    for arrival in batch { hub.receive(arrival, at: moment) }
    run(at: moment)
  }

  private func logged(upTo lsn: LSN) {
    durable = max(durable, lsn.number - base.number)
    run(at: clock.moment())
  }

  private func resume(_ read: PendingRead, with page: HistoryPage?) {
    let moment = clock.moment()
    hub.resume(read, with: page, at: moment)
    run(at: moment)
  }

  /// Logs what was admitted, lets take effect what is durable, and sends everybody their part.
  private func run(at moment: Moment) {
    advance(at: moment)
    while hub.hasReleased {
      hub.receiveReleased(at: moment)
      advance(at: moment)
    }
    hub.takeEffects(into: &effects)
    for effect in effects {
      switch effect {
      case .loadOlder(let query, let read): load(query, for: read)
      case .takeSnapshot(let pending): takeSnapshot(for: pending)
      case .answer, .tell, .tellEach, .publish, .greeted, .subscribed, .unsubscribed, .close:
        encoder.add(effect)
      }
    }
    effects.removeAll(keepingCapacity: true)
    post(encoder.takeBatches())
    scheduleWakeUp()
  }

  private func advance(at moment: Moment) {
    let records = hub.takeRecords()
    if !records.isEmpty, case .durable(let lsn) = log.append(records) {
      durable = lsn.number - base.number
    }
    hub.advance(durable: durable, at: moment)
  }

  private func post(_ batches: [ShardBatch]) {
    for (port, batch) in zip(ports, batches) where !batch.commands.isEmpty {
      if port.loop.inEventLoop {
        port.shard.value.carryOut(batch)
      } else {
        port.loop.execute { port.shard.value.carryOut(batch) }
      }
    }
  }

  private func load(_ query: OlderQuery, for read: PendingRead) {
    let loop = loop
    older.load(query) { page in
      // SAFETY: the closure runs on the sequencer's executor.
      loop.execute { self.assumeIsolated { $0.resume(read, with: page) } }
    }
  }

  /// A copy of the registry and the newest record in it. Blocks: called on the snapshot thread.
  nonisolated func capture() throws -> (image: RegistryImage, lsn: LSN) {
    // SAFETY: the closure runs on the sequencer's executor.
    try loop.submit { self.assumeIsolated { ($0.hub.image, $0.applied) } }.wait()
  }

  private var applied: LSN { LSN(base.number + durable) }

  private func takeSnapshot(for pending: PendingSnapshot) {
    let loop = loop
    guard let snapshots else {
      // SAFETY: the closure runs on the sequencer's executor.
      return loop.execute {
        let refusal = Refusal(.unavailable, "this hub keeps nothing on disk")
        self.assumeIsolated { $0.finish(pending, with: .failure(refusal)) }
      }
    }
    snapshots.take(of: self, because: "admin.snapshot") { result in
      // SAFETY: the closure runs on the sequencer's executor.
      loop.execute { self.assumeIsolated { $0.finish(pending, with: result) } }
    }
  }

  private func finish(
    _ pending: PendingSnapshot, with result: Result<SnapshotReply, Refusal>
  ) {
    hub.finish(pending, with: result)
    run(at: clock.moment())
  }

  private func scheduleWakeUp() {
    guard let deadline = hub.nextDeadline, deadline < wakeUp ?? .max else { return }
    wakeUp = deadline
    let time = NIODeadline.uptimeNanoseconds(UInt64(deadline) * 1_000_000)
    // SAFETY: scheduled on the sequencer's executor.
    loop.scheduleTask(deadline: time) { self.assumeIsolated { $0.wake(for: deadline) } }
  }

  private func wake(for deadline: Int) {
    if wakeUp == deadline { wakeUp = nil }
    let moment = clock.moment()
    hub.tick(at: moment)
    run(at: moment)
  }
}
