/// What was found in the file of one segment.
struct SegmentCheck {
  let entry: JournalManifest.Entry
  let path: String
  /// Bytes of the file; nil when it cannot be read.
  var size: Int?
  /// What is in it; nil when there is no head.
  var scan: SegmentScan?
  /// What stands behind its last good frame, where only zeros should be.
  var tail: SegmentTail?
  /// What is wrong with it, the tail apart.
  var flaw: JournalFlaw?
  /// Why its last good frame is the last.
  private var ending: String?

  /// Its first record; nil when it has not begun.
  var firstLSN: Int? { entry.firstLSN ?? scan?.first }
  /// The first byte that is not as it should be.
  var end: Int { scan?.end ?? 0 }

  /// Checks everything of a file that can be said without knowing the others.
  init(_ entry: JournalManifest.Entry, in place: JournalPlace, store: StoreID) {
    self.entry = entry
    path = place.segmentPath(entry.number)
    do {
      try read(on: place.files, store: store)
    } catch let error as FileError {
      flaw = .file(error)
    } catch let error as JournalFlaw {
      flaw = error
    } catch {
      flaw = .damaged(file: path, offset: 0, "\(error)")
    }
  }

  private mutating func read(on files: any FileSystem, store: StoreID) throws {
    guard files.exists(path) else {
      throw JournalFlaw.damaged(file: path, offset: 0, "it is listed, and not there")
    }
    var reader = try SegmentReader(try files.open(path, .reading), store: store)
    size = reader.size
    guard reader.size >= max(entry.bytes, FileHead.byteCount) else {
      throw JournalFlaw.damaged(
        file: path, offset: reader.size, "it ends there, and had \(entry.bytes) bytes")
    }
    do {
      scan = try head(of: reader.file, store: store)
    } catch let flaw as JournalFlaw {
      // One that was not begun when it was listed may have no head yet, and then nothing else.
      guard entry.firstLSN == nil, case .damaged = flaw else { throw flaw }
      let found = try SegmentTail(of: reader.file, from: 0, expecting: nil, store: store)
      if found.proof != nil { throw flaw }
      tail = found
      return
    }
    try walk(&reader, store: store)
  }

  private func head(of file: any OpenFile, store: StoreID) throws -> SegmentScan {
    let head = try FileHead(.segment, file.read(FileHead.byteCount, at: 0), file: path)
    guard head.store == store, head.number == entry.number else {
      throw JournalFlaw.damaged(file: path, offset: 0, "it belongs to another journal")
    }
    guard entry.firstLSN == nil || entry.firstLSN == head.firstLSN else {
      throw JournalFlaw.damaged(
        file: path, offset: 0, "it begins with record \(head.firstLSN), and is listed otherwise")
    }
    return SegmentScan(firstLSN: head.firstLSN)
  }

  private mutating func walk(_ reader: inout SegmentReader, store: StoreID) throws {
    guard var scan else { return }
    while ending == nil {
      switch try reader.next() {
      case .frame(let frame, let payload): ending = scan.take(frame, payload)
      case .end(let reason): ending = reason ?? "there are zeros where a record should be"
      }
    }
    self.scan = scan
    tail = try SegmentTail(
      of: reader.file, from: scan.end, expecting: scan.last + 1, store: store)
  }

  /// What is wrong when records are known to follow in another segment, the first of them
  /// `following`.
  func flaw(before following: Int) -> JournalFlaw? {
    if let flaw { return flaw }
    guard let scan, scan.last == following - 1, scan.seal != nil else {
      return .damaged(
        file: path, offset: end,
        (ending ?? "it has no head") + ", and the next segment begins with record \(following)")
    }
    return nil
  }

  /// What is wrong when this is the newest segment that has begun: a torn write is not.
  var flawAtEnd: JournalFlaw? {
    guard flaw == nil, let tail else { return flaw }
    guard let proof = tail.proof else {
      guard !tail.mayBeTorn else { return nil }
      return .damaged(
        file: path, offset: end,
        (ending ?? "") + ", and it was written to its end: no part of it is missing")
    }
    return .damaged(
      file: path, offset: end,
      (ending ?? "") + ", and what stands at byte \(proof.offset) (record \(proof.lsn)) was "
        + "written when this was safe")
  }
}
