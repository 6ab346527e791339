/// Walks the frames of one segment, reading large pieces at a time.
struct SegmentReader {
  enum Step {
    case frame(Frame, ArraySlice<UInt8>)
    /// There is no good frame here; nil when there are only zeros as far as one can see.
    case end(String?)
  }

  static let pieceBytes = 1 << 20

  let file: any OpenFile
  /// Bytes of the file.
  let size: Int
  private let base: CRC32C
  private var piece: [UInt8] = []
  private var pieceStart = 0
  /// Where the next frame stands.
  private var offset = FileHead.byteCount

  init(_ file: any OpenFile, store: StoreID) throws(FileError) {
    self.file = file
    size = try file.size()
    base = Frame.checksumBase(store)
  }

  /// The next frame whose checksum is right, or why there is none.
  mutating func next() throws(FileError) -> Step {
    guard offset + Frame.headerBytes <= size else { return .end(nil) }
    try load(Frame.headerBytes)
    // SAFETY: the piece holds the 24 bytes at the offset; the pointer stays inside the closure.
    let (frame, isBlank) = piece.withUnsafeBytes { bytes in
      let place = offset - pieceStart
      let frame = Frame(bytes, at: place, base: base)
      return (frame, frame == nil && bytes[place..<(place + 24)].allSatisfy { $0 == 0 })
    }
    guard let frame else { return .end(isBlank ? nil : "this is not the head of a record") }
    guard offset + frame.byteCount <= size else {
      return .end("a record of \(frame.length) bytes does not fit into the segment")
    }
    try load(frame.byteCount)
    let place = offset - pieceStart
    guard isSound(frame, at: place) else { return .end("the checksum of a record is wrong") }
    offset += frame.byteCount
    return .frame(frame, payload(of: frame, at: place))
  }

  /// Makes sure that the piece holds that many bytes from the offset on; the file has them.
  private mutating func load(_ count: Int) throws(FileError) {
    guard offset + count > pieceStart + piece.count else { return }
    let wanted = min(max(count, Self.pieceBytes), size - offset)
    piece = try file.read(wanted, at: offset)
    pieceStart = offset
    guard piece.count < count else { return }
    throw FileError(operation: "read", path: file.path, reason: "it became shorter")
  }

  private func payload(of frame: Frame, at place: Int) -> ArraySlice<UInt8> {
    let start = place + Frame.headerBytes
    return piece[start..<(start + frame.length)]
  }

  private func isSound(_ frame: Frame, at place: Int) -> Bool {
    // SAFETY: the piece holds the whole frame; the pointer stays inside the closure.
    piece.withUnsafeBytes { bytes in
      var crc = base
      let covered = bytes[(place + 4)..<(place + frame.byteCount)]
      crc.add(UnsafeRawBufferPointer(rebasing: covered))
      return crc.value == frame.checksum
    }
  }
}
