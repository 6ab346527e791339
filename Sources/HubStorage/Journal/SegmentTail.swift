/// What lies behind the last good frame of a segment.
struct SegmentTail: Equatable {
  /// Behind the last byte that is not zero; the beginning of the tail when there is none.
  private(set) var end: Int
  /// A good frame that could not be there if the tail were a torn write.
  private(set) var proof: Proof?
  /// Whether the tail can be what a torn write left, by its own bytes.
  private(set) var mayBeTorn = true

  struct Proof: Equatable {
    let offset: Int
    let lsn: Int
  }

  /// Reads the tail that begins at an offset, where the record `expected` or a seal before it
  /// should stand.
  ///
  /// A torn write can leave any part of what was not synced. So it is damage when behind it stands
  /// a good frame that was written while `expected` was synced; or that record itself, or a seal,
  /// for then it was a synced seal that stood here. When nothing is expected, since not even the
  /// head is there, any good frame is one too many.
  init(
    of file: any OpenFile, from start: Int, expecting expected: Int?, store: StoreID
  ) throws(FileError) {
    end = start
    let size = try file.size()
    let base = Frame.checksumBase(store)
    var offset = start
    while offset < size, proof == nil {
      // A head may begin in the last bytes of one piece: those are read again with the next.
      let piece = try file.read(SegmentReader.pieceBytes + Frame.headerBytes, at: offset)
      if let last = piece.lastIndex(where: { $0 != 0 }) { end = max(end, offset + last + 1) }
      let candidates = Self.candidates(in: piece, base) { frame, place in
        offset + place + frame.byteCount <= size && Self.proves(frame, expected)
      }
      for (place, frame) in candidates where proof == nil {
        let bytes = try file.read(frame.byteCount, at: offset + place)
        var crc = base
        crc.add(bytes.dropFirst(4))
        guard crc.value == frame.checksum else { continue }
        proof = Proof(offset: offset + place, lsn: frame.lsn)
      }
      offset += SegmentReader.pieceBytes
    }
    guard expected != nil, end > start else { return }
    mayBeTorn = try Self.mayBeTorn(file, at: start, size: size, base)
  }

  /// What a disk writes at one stroke.
  private static let sectorBytes = 512

  /// Whether a bad frame may be one that was not written to its end. A sector is written as a whole
  /// or not at all, and was zeros before: so a part of the frame in one of its sectors is all
  /// zeros.
  private static func mayBeTorn(
    _ file: any OpenFile, at start: Int, size: Int, _ base: CRC32C
  ) throws(FileError) -> Bool {
    guard start + Frame.headerBytes <= size else { return false }
    let head = try file.read(Frame.headerBytes, at: start)
    if hasBlankSector(head, at: start) { return true }
    // SAFETY: there are 24 bytes; the pointer stays inside the closure.
    let frame = head.withUnsafeBytes { Frame($0, at: 0, base: base) }
    guard let frame, start + frame.byteCount <= size else { return false }
    let bytes = try file.read(frame.byteCount, at: start)
    var crc = base
    crc.add(bytes.dropFirst(4))
    // A good frame that does not belong here is judged by what stands behind it.
    return crc.value == frame.checksum || hasBlankSector(bytes, at: start)
  }

  private static func hasBlankSector(_ bytes: [UInt8], at start: Int) -> Bool {
    var place = 0
    while place < bytes.count {
      let next = min(bytes.count, place + sectorBytes - (start + place) % sectorBytes)
      if bytes[place..<next].allSatisfy({ $0 == 0 }) { return true }
      place = next
    }
    return false
  }

  private static func proves(_ frame: Frame, _ expected: Int?) -> Bool {
    guard let expected else { return true }
    return switch frame.kind {
    case .record: frame.synced >= expected || frame.lsn == expected
    case .seal: frame.lsn >= expected - 1
    }
  }

  /// Places in a piece where a frame may stand, by its head alone.
  private static func candidates(
    in piece: [UInt8], _ base: CRC32C, where isWanted: (Frame, Int) -> Bool
  ) -> [(Int, Frame)] {
    // SAFETY: places end where a whole head fits; the pointer stays inside the closure.
    piece.withUnsafeBytes { bytes in
      var found: [(Int, Frame)] = []
      var place = 0
      while place + Frame.headerBytes <= bytes.count {
        // Most of a tail is zeros: the byte of the kind tells.
        if bytes[place + 20] != 0, let frame = Frame(bytes, at: place, base: base),
          isWanted(frame, place)
        {
          found.append((place, frame))
        }
        place += 1
      }
      return found
    }
  }
}
