import HubCore
package import HubProtocol
package import NIOCore

/// What all shards of a hub share.
package struct ShardSettings: Sendable {
  let tokens: any TokenVerifier
  let heartbeatMilliseconds: Int

  package init(tokens: any TokenVerifier, heartbeatMilliseconds: Int) {
    self.tokens = tokens
    self.heartbeatMilliseconds = heartbeatMilliseconds
  }
}

/// One event loop's part of the hub: its connections, who of them is subscribed to what, and the
/// two mailboxes between it and the sequencer. It never leaves its loop.
package final class Shard {
  /// How often connections are asked whether their time has come.
  static let sweepInterval = TimeAmount.milliseconds(250)

  let settings: ShardSettings
  private let index: UInt16
  // SAFETY: a shard is made on its loop and stays there.
  private let loop: NIOIsolatedEventLoop
  private let eventLoop: any EventLoop
  private let sequencer: Sequencer
  private let clock: HubClock

  private var connections: [ConnectionHandler?] = []
  private var generations: [UInt32] = []
  private var freeSlots: [UInt32] = []
  private var subscribers: [ChannelRef: SubscriberList] = [:]
  private var subscriptions: [ConnectionID: Set<ChannelRef>] = [:]
  private var inbox: [Arrival] = []
  /// Set at the end: nothing is taken any more.
  private var isStopping = false
  private var queues = SharedQueues()
  /// Where the channel of each of a batch's frames stood before it was published.
  private var positions: [ChannelPosition] = []
  private var encoder = FrameEncoder()
  /// Connections that have something in their queue.
  private var pending: [ConnectionHandler] = []
  /// Connections that had a request answered in this batch.
  private var answered: [ConnectionHandler] = []

  package init(
    index: UInt16, loop: any EventLoop, sequencer: Sequencer, settings: ShardSettings,
    clock: HubClock
  ) {
    self.index = index
    eventLoop = loop
    // SAFETY: the caller is on `loop`; checked by the call.
    self.loop = loop.assumeIsolated()
    self.sequencer = sequencer
    self.settings = settings
    self.clock = clock
  }

  /// How many connections there are.
  package var count: Int { connections.count - freeSlots.count }

  /// Begins to look at the time, until the loop ends.
  package func start() {
    loop.scheduleTask(in: Self.sweepInterval) {
      self.sweep()
      self.start()
    }
  }

  /// Gives a connection its place.
  func add(_ connection: ConnectionHandler) -> ConnectionID {
    let slot: UInt32
    if let free = freeSlots.popLast() {
      slot = free
      generations[Int(slot)] &+= 1
      connections[Int(slot)] = connection
    } else {
      slot = UInt32(connections.count)
      generations.append(0)
      connections.append(connection)
    }
    return ConnectionID(loop: index, slot: slot, generation: generations[Int(slot)])
  }

  /// Takes a connection's place back; the sequencer learns that it is gone.
  func remove(_ id: ConnectionID) {
    guard let connection = connection(id) else { return }
    for channel in subscriptions.removeValue(forKey: id) ?? [] {
      unsubscribe(connection, from: channel)
    }
    connections[Int(id.slot)] = nil
    freeSlots.append(id.slot)
    send(.closed(id))
  }

  /// Puts what a connection asked into the sequencer's mailbox, which is emptied once this tick.
  func send(_ arrival: Arrival) {
    guard !isStopping || arrival.isClosing else { return }
    if inbox.isEmpty { loop.execute { self.handOver() } }
    inbox.append(arrival)
  }

  private func handOver() {
    var batch: [Arrival] = []
    swap(&batch, &inbox)
    sequencer.mail(batch)
  }

  /// Does what the sequencer has for this loop, then writes each connection's queue in one piece.
  package func carryOut(_ batch: ShardBatch) {
    positions.append(contentsOf: repeatElement(.start, count: batch.frames.count))
    for command in batch.commands { carryOut(command, of: batch) }
    flush(batch)
    positions.removeAll(keepingCapacity: true)
    // Only now is it known who takes what they are sent.
    for connection in answered { connection.goOn() }
    answered.removeAll(keepingCapacity: true)
  }

  private func carryOut(_ command: ShardBatch.Command, of batch: ShardBatch) {
    switch command {
    case .deliver(let frame, let id):
      if let connection = connection(id) { queue(frame, of: batch, for: connection) }
    case .publish(let frame, let channel, let variants):
      publish(frame, variants, to: channel, of: batch)
    case .answered(let id, let bytes):
      guard let connection = connection(id) else { return }
      connection.answered(bytes: bytes)
      if answered.last !== connection { answered.append(connection) }
    case .greeted(let id, let user):
      connection(id)?.greeted(user)
    case .subscribe(let id, let channel, let position):
      guard let connection = connection(id) else { return }
      subscribers[channel, default: SubscriberList()].insert(connection)
      if let position { subscribers[channel]?.advance(to: position) }
      subscriptions[id, default: []].insert(channel)
    case .unsubscribe(let id, let channel):
      guard let connection = connection(id) else { return }
      subscriptions[id]?.remove(channel)
      unsubscribe(connection, from: channel)
    case .close(let id, let code):
      // Behind what it is still to be told.
      guard let connection = connection(id) else { return }
      write(connection, of: batch)
      connection.close(code)
    }
  }

  /// Closes all connections; the future is done when they are gone.
  package func closeAll(_ code: HubProtocol.CloseCode) -> EventLoopFuture<Void> {
    isStopping = true
    let open = connections.compactMap { $0 }
    let gone = open.compactMap(\.closeFuture)
    for connection in open { connection.close(code) }
    return EventLoopFuture.andAllComplete(gone, on: eventLoop)
  }

  /// An event of the loop's own as a frame.
  func frame(_ event: Event) -> ByteBuffer {
    encoder.frame(event)
  }

  private func unsubscribe(_ connection: ConnectionHandler, from channel: ChannelRef) {
    subscribers[channel]?.remove(connection)
    if subscribers[channel]?.connections.isEmpty == true { subscribers[channel] = nil }
  }

  private func connection(_ id: ConnectionID) -> ConnectionHandler? {
    guard Int(id.slot) < connections.count, generations[Int(id.slot)] == id.generation else {
      return nil
    }
    return connections[Int(id.slot)]
  }

  private func sweep() {
    let now = clock.uptime()
    for connection in connections { connection?.tick(now: now) }
  }
}

// MARK: - What goes out

extension Shard {
  private func publish(
    _ frame: Int32, _ variants: ShardBatch.Variants, to channel: ChannelRef, of batch: ShardBatch
  ) {
    guard let place = subscribers.index(forKey: channel) else { return }
    let position = subscribers.values[place].pass(batch.marks[Int(frame)])
    let connections = subscribers.values[place].connections
    positions[Int(frame)] = position
    switch variants {
    case .none:
      for connection in connections { queue(frame, of: batch, for: connection) }
    case .one(let user, let other):
      if let other { positions[Int(other)] = position }
      for connection in connections {
        let own = connection.user == user ? other : frame
        if let own { queue(own, of: batch, for: connection) }
      }
    case .several(let count, let offsets):
      for other in frame...frame + count { positions[Int(other)] = position }
      for connection in connections {
        let offset = connection.user.flatMap { offsets[$0] }
        if offset != 0 { queue(frame + (offset ?? 0), of: batch, for: connection) }
      }
    }
  }

  private func queue(_ frame: Int32, of batch: ShardBatch, for connection: ConnectionHandler) {
    if connection.queue.isEmpty { pending.append(connection) }
    connection.queue = queues.append(
      batch.frames[Int(frame)], index: frame, to: connection.queue)
  }

  private func flush(_ batch: ShardBatch) {
    // Writing may end connections, but puts nothing into a queue.
    for connection in pending { write(connection, of: batch) }
    pending.removeAll(keepingCapacity: true)
    queues.removeAll()
  }

  private func write(_ connection: ConnectionHandler, of batch: ShardBatch) {
    guard !connection.queue.isEmpty else { return }
    let queue = connection.queue
    connection.queue = SharedQueues.empty
    var written = 0
    if !connection.isSlow {
      let whole = queues.whole(queue)
      written = connection.write(whole)
      guard written < whole.readableBytes else { return }
    }
    hold(queues.indices(queue), behind: written, for: connection, of: batch)
  }

  /// Gives a connection that does not keep up its frames one by one, without the first `written`
  /// bytes, which it has taken.
  private func hold(
    _ indices: [Int32], behind written: Int, for connection: ConnectionHandler,
    of batch: ShardBatch
  ) {
    var written = written
    for index in indices.lazy.map(Int.init) {
      var frame = batch.frames[index]
      if written >= frame.readableBytes {
        written -= frame.readableBytes
      } else if written > 0 {
        // A frame that has begun has to end before anything else comes.
        frame.moveReaderIndex(forwardBy: written)
        written = 0
        connection.put(frame)
      } else {
        connection.hold(frame, batch.marks[index], behind: positions[index])
      }
    }
    connection.drain()
  }
}
