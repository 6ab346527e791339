/// A journal as an operator sees it.
package struct JournalOutline: Equatable, Sendable {
  package struct Segment: Equatable, Sendable {
    package let file: String
    /// Its first record; nil when it has not begun.
    package let first: LSN?
    /// Its newest record; nil when there is none.
    package let last: LSN?
    package let records: Int
    /// Bytes up to the end of the last good record or seal.
    package let usedBytes: Int
    /// Bytes of the file.
    package let byteCount: Int
    /// Whether a seal stands behind its last record.
    package let isSealed: Bool
    /// Bytes behind that which are not zeros: a write that is under way or was interrupted, unless
    /// there is a flaw.
    package let unsealedTail: Int
    /// What is wrong with it.
    package let flaws: [JournalFlaw]
  }

  package let store: StoreID
  package let segments: [Segment]

  /// Everything that is wrong with it.
  package var flaws: [JournalFlaw] { segments.flatMap(\.flaws) }
}

extension JournalPlace {
  /// Reads and checks every byte, and changes nothing: also while a hub writes. Nil when there is
  /// no journal; throws when it cannot be said what belongs to it.
  package func inspect() throws(JournalFlaw) -> JournalOutline? {
    guard let manifest = try manifest() else { return nil }
    let checks = manifest.entries.map { SegmentCheck($0, in: self, store: manifest.store) }
    let segments = checks.indices.map { index in
      let check = checks[index]
      let following = index + 1 < checks.count ? checks[index + 1].firstLSN : nil
      let flaw = following.map { check.flaw(before: $0) } ?? check.flawAtEnd
      return JournalOutline.Segment(
        file: check.path, first: check.firstLSN.map { LSN($0) },
        last: check.scan.flatMap { $0.records > 0 ? LSN($0.last) : nil },
        records: check.scan?.records ?? 0, usedBytes: check.end, byteCount: check.size ?? 0,
        isSealed: check.scan?.seal != nil,
        unsealedTail: max(0, (check.tail?.end ?? check.end) - check.end),
        flaws: flaw.map { [$0] } ?? [])
    }
    return JournalOutline(store: manifest.store, segments: segments)
  }
}
