package import HubProtocol

/// The first 64 bytes of a snapshot: what it is, and of which moment. Mark, version and checksum
/// stand where they are in every format, so that a damaged header cannot pass for a newer one.
package struct SnapshotHeader: Equatable, Sendable {
  /// The format that this hub reads and writes.
  package static let version: UInt32 = 4
  /// Bytes of a header.
  package static let byteCount = 64
  private static let magic = Array("hubsnap\n".utf8)

  /// Names the data directory that the snapshot belongs to, for as long as it lives.
  package let store: StoreID
  /// The newest record that is in the registry.
  package let lsn: LSN
  /// When the registry was as the snapshot shows it.
  package let taken: Timestamp
  /// Whether the records are in a journal too, which must then be there.
  package let isJournaled: Bool

  package init(store: StoreID, lsn: LSN, taken: Timestamp, isJournaled: Bool = false) {
    self.store = store
    self.lsn = lsn
    self.taken = taken
    self.isJournaled = isJournaled
  }

  /// The header as it stands in the file.
  var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: Self.version)
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: store.high)
    bytes.append(littleEndian: store.low)
    bytes.append(littleEndian: UInt64(lsn.number))
    bytes.append(littleEndian: UInt64(taken.milliseconds))
    bytes.append(isJournaled ? 1 : 0)
    bytes += [UInt8](repeating: 0, count: Self.byteCount - 4 - bytes.count)
    bytes.append(littleEndian: CRC32C.of(bytes))
    return bytes
  }

  /// Reads a header, or says what is wrong with it.
  init(_ bytes: [UInt8]) throws(SnapshotFlaw) {
    guard bytes.count == Self.byteCount, Array(bytes.prefix(8)) == Self.magic else {
      throw .damaged(offset: 0, "this is not a snapshot")
    }
    guard CRC32C.of(bytes.dropLast(4)) == bytes.integer(at: Self.byteCount - 4) else {
      throw .damaged(offset: 0, "the checksum of the header is wrong")
    }
    let version: UInt32 = bytes.integer(at: 8)
    guard version == Self.version else { throw .otherFormat(version: version) }
    let lsn: UInt64 = bytes.integer(at: 32)
    let taken: UInt64 = bytes.integer(at: 40)
    guard let lsn = Int(exactly: lsn), let taken = Int(exactly: taken) else {
      throw .damaged(offset: 0, "the header holds impossible values")
    }
    store = StoreID(high: bytes.integer(at: 16), low: bytes.integer(at: 24))
    self.lsn = LSN(lsn)
    self.taken = Timestamp(milliseconds: taken)
    isJournaled = bytes[48] == 1
  }
}

/// Names one data directory: 128 random bits drawn when it was first used.
package struct StoreID: Hashable, Sendable, CustomStringConvertible {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package var description: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// Why a file is not a snapshot that can be used.
package enum SnapshotFlaw: Error, Equatable, CustomStringConvertible {
  /// At that byte it is not what it should be.
  case damaged(offset: Int, String)
  /// A newer or an older hub wrote it.
  case otherFormat(version: UInt32)
  /// It could not be read.
  case unreadable(FileError)

  private static func age(of version: UInt32) -> String {
    version > SnapshotHeader.version ? "newer" : "older"
  }

  package var description: String {
    switch self {
    case .damaged(let offset, let what):
      "damaged at byte \(offset): \(what)"
    case .otherFormat(let version):
      "format \(version) is \(Self.age(of: version)) than this hub's \(SnapshotHeader.version)"
    case .unreadable(let error):
      error.description
    }
  }
}

extension [UInt8] {
  /// Adds a number, lowest byte first.
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// The number whose bytes stand at an offset that lies within, lowest first.
  func integer<Value: FixedWidthInteger>(at offset: Int) -> Value {
    var value: Value = 0
    for index in stride(from: Value.bitWidth / 8 - 1, through: 0, by: -1) {
      value = value << 8 | Value(truncatingIfNeeded: self[offset + index])
    }
    return value
  }
}
