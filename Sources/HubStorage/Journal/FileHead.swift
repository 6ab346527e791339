/// The first 64 bytes of each file of a journal. Mark, version and checksum stand where they are in
/// every format, so that a damaged head cannot pass for that of a newer one.
///
///     mark 8 · version 4 · count 4 · store 16 · number 8 · LSN 8 · checksum of what follows 4
///     · zeros 8 · checksum of all this 4
struct FileHead: Equatable {
  enum Kind: String {
    case manifest = "hubjman\n"
    case segment = "hubjseg\n"
  }

  /// The format that this hub reads and writes.
  static let version: UInt32 = 1
  static let byteCount = 64

  let kind: Kind
  /// Names the data directory that the journal belongs to.
  let store: StoreID
  /// Entries of a manifest; 0 in a segment.
  var count: UInt32 = 0
  /// Number of a segment; 0 in a manifest.
  var number: UInt64 = 0
  /// The first record that belongs into the file.
  let firstLSN: Int
  /// Checksum of the entries of a manifest; 0 in a segment.
  var checksum: UInt32 = 0

  /// The head as it stands in the file.
  var bytes: [UInt8] {
    var bytes = Array(kind.rawValue.utf8)
    bytes.append(littleEndian: Self.version)
    bytes.append(littleEndian: count)
    bytes.append(littleEndian: store.high)
    bytes.append(littleEndian: store.low)
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: UInt64(firstLSN))
    bytes.append(littleEndian: checksum)
    bytes += [UInt8](repeating: 0, count: Self.byteCount - 4 - bytes.count)
    bytes.append(littleEndian: CRC32C.of(bytes))
    return bytes
  }

  /// Reads the head of a file, or says what is wrong with it.
  init(_ kind: Kind, _ bytes: [UInt8], file: String) throws(JournalFlaw) {
    guard bytes.count == Self.byteCount, bytes.starts(with: kind.rawValue.utf8) else {
      throw .damaged(file: file, offset: 0, "this is not a \(kind) of a journal")
    }
    guard CRC32C.of(bytes.dropLast(4)) == bytes.integer(at: Self.byteCount - 4) else {
      throw .damaged(file: file, offset: 0, "the checksum of the head is wrong")
    }
    let version: UInt32 = bytes.integer(at: 8)
    guard version == Self.version else { throw .otherFormat(file: file, version: version) }
    guard let lsn = Int(exactly: bytes.integer(at: 40) as UInt64), lsn > 0 else {
      throw .damaged(file: file, offset: 40, "the head holds impossible values")
    }
    self.kind = kind
    count = bytes.integer(at: 12)
    store = StoreID(high: bytes.integer(at: 16), low: bytes.integer(at: 24))
    number = bytes.integer(at: 32)
    firstLSN = lsn
    checksum = bytes.integer(at: 48)
  }

  init(
    _ kind: Kind, store: StoreID, number: UInt64 = 0, firstLSN: Int, count: UInt32 = 0,
    checksum: UInt32 = 0
  ) {
    self.kind = kind
    self.store = store
    self.number = number
    self.firstLSN = firstLSN
    self.count = count
    self.checksum = checksum
  }
}
