/// What a journal can do.
package enum JournalState: Equatable, Sendable {
  case writable
  /// There was no room for a batch, or there is none for the next segment. May become writable.
  case full
  /// A write or a sync failed, for this reason. Nothing is ever written again.
  case failed(String)
}

/// Writes a journal, on one thread at a time. A record is safe when `synced` has reached it.
package struct JournalWriter: Sendable {
  /// A segment that is written to.
  struct Segment: Sendable {
    let file: any OpenFile
    /// Bytes of the file.
    var size: Int
    var scan: SegmentScan
  }

  /// Room for two seals is kept free in each segment: one when the journal moves on, and one when
  /// it stops before it could.
  static let reserve = 2 * Seal.byteCount

  let place: JournalPlace
  var manifest: JournalManifest
  /// The segment that is written to; nil until there was room for the first.
  var current: Segment?
  /// The one behind it, listed and empty.
  var next: Segment?
  /// Whether the current segment began after the manifest was written.
  var isBeginningUnlisted = false
  private var seals: FrameBatch
  package var state = JournalState.writable
  /// LSN of the newest record.
  package private(set) var last: LSN
  /// LSN of the newest record that is synced.
  package private(set) var synced: LSN
  /// Bytes of the frames written since it was opened.
  package private(set) var written = 0

  init(
    _ place: JournalPlace, _ manifest: JournalManifest, current: Segment? = nil,
    next: Segment? = nil, last: Int
  ) {
    self.place = place
    self.manifest = manifest
    self.current = current
    self.next = next
    self.last = LSN(last)
    synced = LSN(last)
    seals = FrameBatch(store: manifest.store)
  }

  /// Names the data directory that the journal belongs to.
  package var store: StoreID { manifest.store }
  /// LSN of the oldest record that is in the journal, or of the first that will be.
  package var first: LSN { LSN(manifest.firstLSN) }
  /// Segments, the one prepared ahead included.
  package var segmentCount: Int { manifest.entries.count }
  /// Bytes of all segments on the disk.
  package var byteCount: Int { manifest.entries.reduce(0) { $0 + $1.bytes } }
  /// Whether nothing stands behind the last seal, or there is nothing at all.
  package var isSealed: Bool { current.map { $0.scan.isEmpty || $0.scan.seal != nil } ?? true }

  /// Makes the first segment ready, as far as there is room.
  mutating func start() throws(FileError) {
    do {
      if current == nil { try moveOn(toFit: 0) }
      try listBeginning()
    } catch  where error.isDiskFull {
      state = .full
    }
  }

  /// Writes a batch that begins behind the last record. On `full` nothing is changed, and the same
  /// batch can be written later.
  package mutating func write(_ batch: FrameBatch) throws(LogFailure) {
    precondition(batch.first == last.number + 1, "a batch follows the last record")
    try attempt { (writer) throws(FileError) in
      if !writer.fits(batch.byteCount) { try writer.moveOn(toFit: batch.byteCount) }
      guard let segment = writer.current else { return }
      try segment.file.write(batch.bytes, at: segment.scan.end)
      writer.current?.scan.wrote(batch)
      writer.last = LSN(batch.last)
      writer.written += batch.byteCount
    }
  }

  /// Waits until everything written is on the disk.
  package mutating func sync() throws(LogFailure) {
    try attempt { (writer) throws(FileError) in try writer.syncRecords() }
  }

  /// Marks, for good, that what was written is whole: whatever is found damaged before a seal is no
  /// torn write. The final one says that the hub stopped in order.
  package mutating func seal(isFinal: Bool) throws(LogFailure) {
    guard isFinal || !isSealed else { return try refuseIfFailed() }
    try attempt { (writer) throws(FileError) in
      try writer.syncRecords()
      try writer.writeSeal(isFinal: isFinal)
    }
  }

  /// Notes where the current segment began, prepares the next one when it is half full, and says
  /// whether there is room for that. What fails is told by `state`.
  package mutating func prepareAhead() {
    try? attempt { (writer) throws(FileError) in
      if writer.current == nil { try writer.moveOn(toFit: 0) }
      try writer.listBeginning()
      if let segment = writer.current, writer.next == nil, segment.scan.end * 2 >= segment.size {
        try writer.prepare(bytes: writer.nextSize)
      }
      writer.state = .writable
    }
  }

  /// Removes segments all of whose records lie at or below an LSN, never the current one.
  package mutating func deleteSegments(upTo lsn: LSN) throws(LogFailure) {
    try attempt { (writer) throws(FileError) in try writer.delete(upTo: lsn.number) }
  }

  /// Does something once, and notes when it failed.
  private mutating func attempt(
    _ body: (inout JournalWriter) throws(FileError) -> Void
  ) throws(LogFailure) {
    try refuseIfFailed()
    do {
      try body(&self)
    } catch  where error.isDiskFull {
      state = .full
      throw .full
    } catch {
      state = .failed(error.description)
      throw .failed(error.description)
    }
  }

  private func refuseIfFailed() throws(LogFailure) {
    switch state {
    case .writable, .full: return
    case .failed(let reason): throw .failed(reason)
    }
  }

  mutating func syncRecords() throws(FileError) {
    guard synced < last, let segment = current else { return }
    try segment.file.sync()
    synced = last
  }

  /// Writes and syncs a seal behind records that are synced, unless one stands there.
  mutating func writeSeal(isFinal: Bool) throws(FileError) {
    guard let segment = current else { return }
    if let seal = segment.scan.seal, seal.isFinal || !isFinal { return }
    let spare = isFinal ? 0 : Seal.byteCount
    guard segment.scan.end + Seal.byteCount + spare <= segment.size else { return }
    let seal = Seal(sum: segment.scan.sums.value, isFinal: isFinal)
    seals.begin(after: last, synced: synced)
    seals.add(seal)
    try segment.file.write(seals.bytes, at: segment.scan.end)
    current?.scan.wrote(seal, seals)
    written += seals.byteCount
    try segment.file.sync()
  }
}
