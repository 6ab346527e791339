/// How a journal goes from one segment to the next.
extension JournalWriter {
  /// Whether that many bytes fit into the current segment.
  func fits(_ bytes: Int) -> Bool {
    current.map { $0.scan.end + bytes + Self.reserve <= $0.size } ?? false
  }

  /// Bytes of the segment behind the last one.
  var nextSize: Int {
    manifest.entries.last.map { min($0.bytes * 2, place.sizes.most) } ?? place.sizes.first
  }

  /// Seals the current segment and begins the next, which gets room for so many bytes of frames.
  /// When it fails for want of room it can be done again.
  mutating func moveOn(toFit bytes: Int) throws(FileError) {
    try syncRecords()
    if current?.scan.isEmpty == false { try writeSeal(isFinal: false) }
    let needed = FileHead.byteCount + bytes + Self.reserve
    if next.map({ $0.size < needed }) ?? true { try prepare(bytes: max(needed, nextSize)) }
    guard var segment = next, let number = manifest.entries.last?.number else { return }
    let head = FileHead(.segment, store: store, number: number, firstLSN: last.number + 1)
    try segment.file.write(head.bytes, at: 0)
    try segment.file.sync()
    segment.scan = SegmentScan(firstLSN: last.number + 1)
    manifest.entries[manifest.entries.count - 1].firstLSN = last.number + 1
    current = segment
    next = nil
    isBeginningUnlisted = true
  }

  /// Lists where the current segment begins: from then on it is damage when that is not found.
  mutating func listBeginning() throws(FileError) {
    guard isBeginningUnlisted else { return }
    try place.write(manifest)
    isBeginningUnlisted = false
  }

  /// Makes the segment behind the current one, or makes it larger, and lists it.
  mutating func prepare(bytes: Int) throws(FileError) {
    guard next == nil else { return try enlargeNext(to: bytes) }
    let number = (manifest.entries.last?.number ?? 0) + 1
    let path = place.segmentPath(number)
    let file = try place.files.open(path, .creating)
    do {
      try file.preallocate(bytes)
      try file.sync()
      try place.files.syncDirectory(place.path)
      var listed = manifest
      listed.entries.append(JournalManifest.Entry(number: number, firstLSN: nil, bytes: bytes))
      try place.write(listed)
      manifest = listed
      isBeginningUnlisted = false
    } catch {
      // What could be had of it is given back, when that is all that is wrong.
      if error.isDiskFull { try place.files.remove(path) }
      throw error
    }
    next = Segment(file: file, size: bytes, scan: SegmentScan(firstLSN: last.number + 1))
  }

  private mutating func enlargeNext(to bytes: Int) throws(FileError) {
    guard let segment = next else { return }
    try segment.file.preallocate(bytes)
    try segment.file.sync()
    next?.size = bytes
    manifest.entries[manifest.entries.count - 1].bytes = bytes
  }

  mutating func delete(upTo lsn: Int) throws(FileError) {
    var kept = manifest
    while kept.entries.count > 1, let following = kept.entries[1].firstLSN, following - 1 <= lsn {
      kept.entries.removeFirst()
      kept.firstLSN = following
    }
    guard kept != manifest else { return }
    let gone = manifest.entries.prefix(manifest.entries.count - kept.entries.count)
    try place.write(kept)
    manifest = kept
    isBeginningUnlisted = false
    for entry in gone { try place.files.remove(place.segmentPath(entry.number)) }
  }
}
