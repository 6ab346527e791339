package import HubCore

/// The journal as a log: one thread writes what was appended, as much of it as there is with one
/// write and one sync, and says when it is durable.
package final class JournalLog: RecordLog {
  /// When a record counts as durable.
  package enum Durability: Equatable, Sendable {
    /// When it is synced.
    case commit
    /// When it is written, so that it survives the process; the machine may lose what was written
    /// within that time. More than 0.
    case interval(milliseconds: Int)
  }

  /// Appends the payload of a record, at most 16 MiB, and answers its version.
  package typealias Encode = @Sendable (Record, inout [UInt8]) -> UInt8

  private let desk: JournalDesk

  /// How long the thread waits for something, each 1 s. They differ from that in tests only.
  package struct Patience: Sendable {
    /// How long there is nothing to write until a seal is written.
    package let idle: Duration
    /// How long after room was missing it is looked for again.
    package let retry: Duration

    package init(idle: Duration = .seconds(1), retry: Duration = .seconds(1)) {
      self.idle = idle
      self.retry = retry
    }
  }

  /// Starts the thread, which goes on until `close`. `encode` is called on it.
  package init(
    writer: JournalWriter, durability: Durability, patience: Patience = Patience(),
    encode: @escaping Encode
  ) {
    let desk = JournalDesk(writer)
    self.desk = desk
    JournalDesk.startThread {
      var worker = JournalWorker(writer, desk, (durability, patience), encode: encode)
      worker.run()
    }
  }

  deinit {
    desk.beginClosing()
  }

  package var last: LSN { desk.change { $0.last } }

  /// What it is doing, for metrics. For any thread.
  package var figures: JournalFigures { desk.change { $0.figures } }

  package func append(_ records: [Record]) -> LogProgress {
    desk.append(records)
  }

  package func notify(_ body: @escaping @Sendable (LogNotice) -> Void) {
    desk.change(wakes: true) { desk in
      desk.notify = body
      desk.order.mustAnnounce = true
    }
  }

  package func sync() throws(LogFailure) {
    try desk.waitUntilSynced()
  }

  package func close() {
    desk.beginClosing()
    desk.waitUntilClosed()
  }

  /// Has segments removed all of whose records lie at or below an LSN, soon. Does not block.
  package func deleteSegments(upTo lsn: LSN) {
    desk.change(wakes: true) { $0.order.deletable = max(lsn, $0.order.deletable ?? lsn) }
  }
}

/// What a journal came to so far.
package struct JournalFigures: Equatable, Sendable {
  /// The newest record that is written.
  package internal(set) var last: LSN
  /// The newest record that is synced.
  package internal(set) var synced: LSN
  /// Segments, the one prepared ahead included.
  package internal(set) var segments: Int
  /// Bytes of all segments on the disk.
  package internal(set) var bytes: Int
  /// Bytes of records written since the start.
  package internal(set) var written: Int
  package internal(set) var state: JournalState
  /// Syncs of records since the start, and how long they took together.
  package internal(set) var syncs = 0
  package internal(set) var syncDuration = Duration.zero

  init(_ writer: JournalWriter) {
    last = writer.last
    synced = writer.synced
    segments = writer.segmentCount
    bytes = writer.byteCount
    written = writer.written
    state = writer.state
  }
}
