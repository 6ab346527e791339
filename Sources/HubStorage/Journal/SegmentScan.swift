/// Judges the frames of one segment, in order.
struct SegmentScan: Equatable, Sendable {
  let first: Int
  /// The newest record so far; the one before the first when there is none.
  private(set) var last: Int
  /// Where the next frame stands.
  private(set) var end = FileHead.byteCount
  /// Checksum over the checksums of the frames.
  private(set) var sums = CRC32C()
  /// The last frame, when that is a seal.
  private(set) var seal: Seal?
  /// What lies before this byte was synced, as later frames say.
  private(set) var provenEnd = 0
  /// Where the records begin that were written on what is synced up to `batchSynced`.
  private var batch = (lsn: 0, offset: 0)
  private var batchSynced = -1

  init(firstLSN: Int) {
    first = firstLSN
    last = firstLSN - 1
  }

  var records: Int { last + 1 - first }
  /// Whether there is neither a record nor a seal.
  var isEmpty: Bool { end == FileHead.byteCount }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.last == rhs.last && lhs.end == rhs.end && lhs.sums == rhs.sums && lhs.seal == rhs.seal
  }

  /// Takes the next frame, whose checksum is right; answers what is wrong with it otherwise, and
  /// then it is not taken.
  mutating func take(_ frame: Frame, _ payload: ArraySlice<UInt8>) -> String? {
    switch frame.kind {
    case .record:
      guard frame.lsn == last + 1 else {
        return "record \(frame.lsn) stands where \(last + 1) should be"
      }
      follow(frame)
      last = frame.lsn
      seal = nil
    case .seal:
      guard frame.lsn == last, let read = Seal(Array(payload)), frame.version == Seal.version
      else { return "a seal that does not belong here" }
      guard read.sum == sums.value else { return "what is before the seal is not what it sealed" }
      seal = read
      provenEnd = end
    }
    // SAFETY: the pointer is used inside the closure only.
    withUnsafeBytes(of: frame.checksum.littleEndian) { sums.add($0) }
    end += frame.byteCount
    return nil
  }

  /// Takes frames that were just written.
  mutating func wrote(_ frames: FrameBatch) {
    last = frames.last
    seal = nil
    sums.add(frames.checksums)
    end += frames.byteCount
  }

  /// Takes a seal that was just written.
  mutating func wrote(_ seal: Seal, _ frames: FrameBatch) {
    wrote(frames)
    self.seal = seal
  }

  private mutating func follow(_ frame: Frame) {
    // No record is written before the head is synced.
    if isEmpty { provenEnd = end }
    if frame.synced != batchSynced {
      batch = (frame.lsn, end)
      batchSynced = frame.synced
    }
    if batch.lsn <= frame.synced + 1 { provenEnd = max(provenEnd, batch.offset) }
  }
}
