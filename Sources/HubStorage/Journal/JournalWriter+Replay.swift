extension JournalWriter {
  /// Hands every record from `start` on to `body`, in order, with its payload and the version of
  /// that. Throws what is wrong with the journal, or what `body` throws. Segments that hold only
  /// older records are not read.
  package func replay(
    from start: LSN, _ body: (LSN, ArraySlice<UInt8>, _ version: UInt8) throws -> Void
  ) throws {
    for (index, entry) in manifest.entries.enumerated() {
      guard let first = entry.firstLSN else { continue }
      let following =
        index + 1 < manifest.entries.count
        ? manifest.entries[index + 1].firstLSN : nil
      let end = following ?? last.number + 1
      guard end > start.number else { continue }
      try replay(entry, SegmentScan(firstLSN: first), upTo: end) { frame, payload in
        guard frame.lsn >= start.number else { return }
        try body(LSN(frame.lsn), payload, frame.version)
      }
    }
  }

  /// Hands the records of one segment on, up to the one before `end`.
  private func replay(
    _ entry: JournalManifest.Entry, _ scan: consuming SegmentScan, upTo end: Int,
    _ body: (Frame, ArraySlice<UInt8>) throws -> Void
  ) throws {
    let path = place.segmentPath(entry.number)
    var reader = try JournalFlaw.of { () throws(FileError) in
      try SegmentReader(place.files.open(path, .reading), store: store)
    }
    var scan = scan
    while scan.last < end - 1 {
      var flaw: String?
      switch try JournalFlaw.of({ () throws(FileError) in try reader.next() }) {
      case .frame(let frame, let payload):
        flaw = scan.take(frame, payload)
        if flaw == nil, frame.kind == .record { try body(frame, payload) }
      case .end(let reason): flaw = reason ?? "there are zeros where a record should be"
      }
      if let flaw { throw JournalFlaw.damaged(file: path, offset: scan.end, flaw) }
    }
  }
}
