import HubCore

/// What the thread of a journal does. Lives on that thread.
struct JournalWorker {
  /// Bytes of a batch after which no more records are put into it.
  private static let batchBytes = 1 << 20
  typealias Instant = ContinuousClock.Instant

  private var writer: JournalWriter
  private let desk: JournalDesk
  private let durability: JournalLog.Durability
  private let patience: JournalLog.Patience
  private let encode: JournalLog.Encode
  private let clock = ContinuousClock()
  /// Records that are not encoded yet.
  private var records: ArraySlice<Record> = []
  /// Records that are encoded and not written.
  private var batch: FrameBatch
  /// The state that the listener knows of.
  private var told = JournalState.writable
  private var figures: JournalFigures
  /// When the next seal is due; nil when nothing was written since the last.
  private var sealTime: Instant?
  /// When what is written must be synced; nil when it is.
  private var syncTime: Instant?
  /// When room is looked for again; nil when there is some.
  private var retryTime: Instant?

  init(
    _ writer: JournalWriter, _ desk: JournalDesk,
    _ ways: (durability: JournalLog.Durability, patience: JournalLog.Patience),
    encode: @escaping JournalLog.Encode
  ) {
    self.writer = writer
    self.desk = desk
    (durability, patience) = ways
    self.encode = encode
    batch = FrameBatch(store: writer.store)
    figures = JournalFigures(writer)
    sealTime = clock.now + patience.idle
    retryTime = writer.state == .full ? clock.now : nil
  }

  /// Works until it is told to end.
  mutating func run() {
    var order = JournalDesk.Order()
    repeat {
      order = desk.take(until: [sealTime, syncTime, retryTime].compactMap(\.self).min())
      if order.mustAnnounce { told = .writable }
      if records.isEmpty { records = order.records[...] } else { records += order.records }
      work(order)
      tellState()
      publish(isDone: order.isClosing)
    } while !order.isClosing
  }

  // What fails is told by the state of the writer.
  private mutating func work(_ order: JournalDesk.Order) {
    if let lsn = order.deletable {
      try? writer.deleteSegments(upTo: lsn)
      // There may be room now.
      if retryTime != nil { retryTime = clock.now }
    }
    let isDue = retryTime.map { $0 <= clock.now } ?? true
    if isDue || order.isClosing || batch.isEmpty { try? writeAll() }
    if order.wantsSync || isPast(syncTime) { try? sync() }
    if isPast(sealTime) {
      sealTime = nil
      try? writer.seal(isFinal: false)
    }
    if isDue, batch.isEmpty { writer.prepareAhead() }
    if order.isClosing { try? writer.seal(isFinal: true) }
    noteState(isDue: isDue)
  }

  private mutating func noteState(isDue: Bool) {
    switch writer.state {
    case .writable: retryTime = nil
    case .full: if isDue { retryTime = clock.now + patience.retry }
    case .failed:
      records = []
      batch.begin(after: writer.last, synced: writer.synced)
      (sealTime, syncTime, retryTime) = (nil, nil, nil)
    }
  }

  /// Writes everything there is, a batch at a time.
  private mutating func writeAll() throws(LogFailure) {
    while !(batch.isEmpty && records.isEmpty) {
      if batch.isEmpty { encodeBatch() }
      try writer.write(batch)
      batch.begin(after: writer.last, synced: writer.synced)
      sealTime = clock.now + patience.idle
      switch durability {
      case .commit:
        try sync()
        tell(.durable(upTo: writer.last))
      case .interval(let milliseconds):
        tell(.durable(upTo: writer.last))
        if syncTime == nil { syncTime = clock.now + .milliseconds(milliseconds) }
        if isPast(syncTime) { try sync() }
      }
      if retryTime == nil { writer.prepareAhead() }
      tellState()
      publish(isDone: false)
    }
  }

  private mutating func encodeBatch() {
    batch.begin(after: writer.last, synced: writer.synced)
    while batch.byteCount < Self.batchBytes, let record = records.popFirst() {
      batch.add { [encode] in encode(record, &$0) }
    }
  }

  private mutating func sync() throws(LogFailure) {
    syncTime = nil
    guard writer.synced < writer.last else { return }
    let start = clock.now
    try writer.sync()
    figures.syncDuration += clock.now - start
    figures.syncs += 1
  }

  private func isPast(_ moment: Instant?) -> Bool { moment.map { $0 <= clock.now } ?? false }

  private mutating func tellState() {
    guard writer.state != told else { return }
    told = writer.state
    switch writer.state {
    case .writable: tell(.writable)
    case .full: tell(.full)
    case .failed(let reason): tell(.failed(reason))
    }
  }

  private func tell(_ notice: LogNotice) {
    desk.change { $0.notify }?(notice)
  }

  private mutating func publish(isDone: Bool) {
    var figures = JournalFigures(writer)
    (figures.syncs, figures.syncDuration) = (self.figures.syncs, self.figures.syncDuration)
    self.figures = figures
    let isBlocked = !batch.isEmpty
    desk.change(wakes: true) { state in
      state.figures = figures
      state.isBlocked = isBlocked
      state.isDone = isDone
    }
  }
}
