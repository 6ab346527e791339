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

  let loop: any EventLoop
  private let executor: any SerialExecutor
  let clock: HubClock
  let history: any History
  let snapshots: SnapshotTaker?
  private let health: StorageHealth?
  private let figures: HubFigures?
  var hub: Hub
  private let log: any RecordLog
  /// LSN before the first record of this run.
  private let base: LSN
  /// Records of this run that are durable.
  private var durable = 0
  /// Why nothing durable is admitted: for the log's sake, and for history's.
  private var refusals: (log: Refusal?, history: Refusal?) = (nil, nil)
  /// What arrived while history is too far behind; nil while it is not.
  private var held: [Arrival]?
  private var changes: [HistoryChange] = []
  /// Records that history was told of.
  private var toldHistory = 0
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
    history: any History, snapshots: SnapshotTaker? = nil, health: StorageHealth? = nil,
    figures: HubFigures? = nil, clock: HubClock, loopCount: Int
  ) {
    self.loop = loop
    self.executor = executor
    self.hub = hub
    self.log = log
    self.history = history
    self.snapshots = snapshots
    self.health = health
    self.figures = figures
    self.clock = clock
    base = log.last
    encoder = EffectEncoder(loopCount: loopCount)
    toldHistory = base.number
  }

  /// Says where the shards are, by index, begins to listen to the log, and does what the hub has to
  /// do of its own.
  package func attach(_ ports: [Port]) {
    self.ports = ports
    let loop = loop
    log.notify { notice in
      // SAFETY: the closure runs on the sequencer's executor.
      loop.execute { self.assumeIsolated { $0.take(notice) } }
    }
    run(at: clock.moment())
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
    guard held == nil else {
      held?.append(contentsOf: batch)
      return
    }
    let moment = clock.moment()
    for arrival in batch { hub.receive(arrival, at: moment) }
    run(at: moment)
  }

  private func take(_ notice: LogNotice) {
    health?.note(notice)
    switch notice {
    case .durable(let lsn):
      durable = max(durable, lsn.number - base.number)
    case .full:
      refusals.log = .storageFull
      refuseWriting()
    case .writable:
      refusals.log = nil
      refuseWriting()
    case .failed:
      let refusal = Refusal(.unavailable, "the hub can no longer write; it must be started again")
      refusals.log = refusal
      hub.giveUpWriting(durable: durable, refusal)
    }
    run(at: clock.moment())
  }

  /// History says how it is.
  func take(_ notice: HistoryNotice) {
    health?.note(notice)
    switch notice {
    case .behind(true): held = held ?? []
    case .behind(false): releaseHeld()
    case .full:
      refusals.history = .storageFull
      refuseWriting()
      releaseHeld()
    case .writable:
      refusals.history = nil
      refuseWriting()
    case .durable: break
    // What was acknowledged is in the log; what leaves memory cannot be read until the next start.
    case .failed: releaseHeld()
    case .damaged, .swept: break
    }
    run(at: clock.moment())
  }

  private func refuseWriting() {
    hub.refuseWriting(refusals.log ?? refusals.history)
  }

  private func releaseHeld() {
    guard let arrivals = held else { return }
    held = nil
    receive(arrivals)
  }

  private func resume(_ read: PendingRead, with answer: HistoryAnswer) {
    let moment = clock.moment()
    hub.resume(read, with: answer, at: moment)
    run(at: moment)
  }

  /// Logs what was admitted, lets take effect what is durable, and sends everybody their part.
  func run(at moment: Moment) {
    advance(at: moment)
    while hub.hasReleased {
      hub.receiveReleased(at: moment)
      advance(at: moment)
    }
    tellHistory()
    hub.takeEffects(into: &effects)
    for effect in effects {
      switch effect {
      case .ask(let query, let read): ask(query, for: read)
      case .takeSnapshot(let pending): takeSnapshot(for: pending)
      case .backUp(let directory, let pending): backUp(to: directory, for: pending)
      case .answer, .tell, .tellEach, .publish, .greeted, .subscribed, .unsubscribed, .close:
        encoder.add(effect)
      }
    }
    effects.removeAll(keepingCapacity: true)
    post(encoder.takeBatches())
    figures?.note(inbox: hub.inboxUsage, notices: hub.noticeTally)
    scheduleWakeUp()
  }

  private func advance(at moment: Moment) {
    if hub.hasToEvict { hub.historyHas(history.applied.number) }
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

  /// Hands history what took effect since it was told last.
  private func tellHistory() {
    let count = hub.takeHistoryChanges(into: &changes)
    guard count > toldHistory else { return }
    toldHistory = count
    history.append(changes, upTo: LSN(count))
    changes.removeAll(keepingCapacity: true)
  }

  private func ask(_ query: HistoryQuery, for read: PendingRead) {
    let loop = loop
    history.ask(query, after: LSN(toldHistory)) { answer in
      // SAFETY: the closure runs on the sequencer's executor.
      loop.execute { self.assumeIsolated { $0.resume(read, with: answer) } }
    }
  }

  /// Milliseconds after which it is looked again, however far away the next deadline is.
  private static let longestSleep = 3_600_000

  private func scheduleWakeUp() {
    guard let next = hub.nextDeadline, next < wakeUp ?? .max else { return }
    let deadline = min(next, clock.uptime() + Self.longestSleep)
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
