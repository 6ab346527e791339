/// A tail that was not synced and is gone: a write that a crash interrupted.
package struct JournalCut: Equatable, Sendable, CustomStringConvertible {
  package let file: String
  package let offset: Int
  package let bytes: Int

  package var description: String { "\(file): cut \(bytes) bytes at byte \(offset)" }
}

/// A journal that was found to be whole, ready to be replayed and then written.
package struct JournalRecovery: Sendable {
  package let writer: JournalWriter
  /// What is wrong with segments that are not needed.
  package let warnings: [JournalFlaw]
  /// What was cut off; nil when there was nothing.
  package let cut: JournalCut?
  /// Whether the last thing in it is the seal of a hub that stopped in order.
  package let wasStoppedInOrder: Bool
}

/// A journal that was found to be whole. Nothing has been changed yet.
package struct JournalExamination: Sendable {
  package let store: StoreID
  /// The oldest record.
  package let first: LSN
  /// The newest record; the one before the first when there is none.
  package let last: LSN
  /// What is wrong with segments that are not needed.
  package let warnings: [JournalFlaw]
  /// What is to be cut off; nil when there is nothing.
  package let cut: JournalCut?
  fileprivate let manifest: JournalManifest
  fileprivate let checks: [SegmentCheck]
}

extension JournalPlace {
  /// Checks a journal and makes it ready; nil when there is none. Changes nothing unless all is
  /// well. Damage among records up to `unneeded`, in segments that have no others, is no obstacle.
  package func recover(unneeded: LSN = LSN(0)) throws(JournalFlaw) -> JournalRecovery? {
    guard let examination = try examine(unneeded: unneeded) else { return nil }
    return try makeReady(examination)
  }

  /// Checks a journal and changes nothing, in the same way.
  package func examine(unneeded: LSN = LSN(0)) throws(JournalFlaw) -> JournalExamination? {
    guard let manifest = try manifest() else { return nil }
    let checks = manifest.entries.map { SegmentCheck($0, in: self, store: manifest.store) }
    let warnings = try judge(checks, unneeded: unneeded.number)
    let newest = checks.last { $0.firstLSN != nil }
    let cut = newest.flatMap { check in
      check.tail.flatMap { tail in
        tail.end > check.end
          ? JournalCut(file: check.path, offset: check.end, bytes: tail.end - check.end) : nil
      }
    }
    return JournalExamination(
      store: manifest.store, first: LSN(manifest.firstLSN),
      last: LSN(newest?.scan?.last ?? manifest.firstLSN - 1), warnings: warnings, cut: cut,
      manifest: manifest, checks: checks)
  }

  /// Makes a journal ready that was examined.
  package func makeReady(_ examination: JournalExamination) throws(JournalFlaw) -> JournalRecovery {
    try JournalFlaw.of { () throws(FileError) in try repair(examination) }
  }

  /// Throws what stands in the way; answers what does not.
  private func judge(
    _ checks: [SegmentCheck], unneeded: Int
  ) throws(JournalFlaw) -> [JournalFlaw] {
    var warnings: [JournalFlaw] = []
    for (check, next) in zip(checks, checks.dropFirst()) {
      if let following = next.firstLSN {
        guard let flaw = check.flaw(before: following) else { continue }
        guard following - 1 <= unneeded else { throw flaw }
        warnings.append(flaw)
      } else {
        if let flaw = check.flawAtEnd { throw flaw }
      }
    }
    if let flaw = checks.last?.flawAtEnd { throw flaw }
    return warnings
  }

  private func repair(
    _ examination: JournalExamination
  ) throws(FileError) -> JournalRecovery {
    let checks = examination.checks
    var manifest = examination.manifest
    for index in checks.indices {
      manifest.entries[index].firstLSN = checks[index].firstLSN
      manifest.entries[index].bytes = checks[index].size ?? manifest.entries[index].bytes
    }
    try settle(manifest)
    let newest = checks.last { $0.firstLSN != nil }
    var current: JournalWriter.Segment?
    var next: JournalWriter.Segment?
    if let newest { current = try open(newest) }
    if let last = checks.last, last.firstLSN == nil { next = try open(last) }
    var writer = JournalWriter(
      self, manifest, current: current, next: next,
      last: newest?.scan?.last ?? manifest.firstLSN - 1)
    try writer.start()
    return JournalRecovery(
      writer: writer, warnings: examination.warnings, cut: examination.cut,
      wasStoppedInOrder: examination.cut == nil && newest?.scan?.seal?.isFinal == true)
  }

  /// Lists again what is listed: a manifest that can be read may be on no disk, after a sync that
  /// failed or none. What is not listed goes after that.
  private func settle(_ manifest: JournalManifest) throws(FileError) {
    do {
      try write(manifest)
      try removeLeftovers(manifest)
    } catch  where error.isDiskFull {
      try files.syncDirectory(path)
    }
  }

  /// Opens a segment to be written on. What nobody says was synced is written again and synced,
  /// since a failed sync leaves bytes that can be read and are on no disk; the tail becomes zeros,
  /// so that nothing in it is ever taken for a record.
  private func open(_ check: SegmentCheck) throws(FileError) -> JournalWriter.Segment {
    let file = try files.open(check.path, .writing)
    var offset = check.scan?.provenEnd ?? 0
    while offset < check.end {
      let piece = try file.read(min(SegmentReader.pieceBytes, check.end - offset), at: offset)
      try file.write(piece, at: offset)
      offset += piece.count
    }
    let tailEnd = check.tail?.end ?? check.end
    while offset < tailEnd {
      let count = min(SegmentReader.pieceBytes, tailEnd - offset)
      try file.write([UInt8](repeating: 0, count: count), at: offset)
      offset += count
    }
    try file.sync()
    return JournalWriter.Segment(
      file: file, size: check.size ?? check.entry.bytes,
      scan: check.scan ?? SegmentScan(firstLSN: 1))
  }
}
