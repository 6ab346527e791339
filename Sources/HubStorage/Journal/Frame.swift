/// What stands around each payload in a segment.
///
///     crc32c 4 · payload length 4 · lsn 8 · unsynced 4 · kind 1 · version 1 · check 2 · payload
///     · end mark 1
///
/// The checksum covers what follows it, and begins with the store's id: bytes that somebody sends
/// to the hub can never look like a frame of its journal. The check is half the checksum of the
/// bytes between the two, so that a length can be believed when the payload cannot; the end mark is
/// not zero, so that the last sector of a frame that was written is never all zeros.
package struct Frame: Equatable, Sendable {
  enum Kind: UInt8, Sendable {
    case record = 1
    case seal = 2
  }

  /// Bytes in front of a payload.
  package static let headerBytes = 24
  /// Behind a payload.
  static let endMark: UInt8 = 0xa5
  /// Bytes of a payload at most.
  package static let payloadBytes = 16 << 20

  let checksum: UInt32
  /// Bytes of the payload.
  let length: Int
  /// Of a seal: that of the newest record before it.
  let lsn: Int
  /// How many records, this one included, were not synced when this was written.
  let unsynced: Int
  let kind: Kind
  /// Of the payload.
  let version: UInt8

  /// The newest record that was synced when this was written.
  var synced: Int { lsn - unsynced }
  /// Bytes of the frame with its payload.
  var byteCount: Int { Self.headerBytes + length + 1 }

  /// Bytes of a frame with a payload of that length.
  static func byteCount(payload length: Int) -> Int { headerBytes + length + 1 }

  /// What stands in the two bytes before the payload.
  // SAFETY: the bytes are read inside the call only.
  static func check(_ bytes: UnsafeRawBufferPointer, _ base: CRC32C) -> UInt16 {
    var crc = base
    crc.add(bytes)
    return UInt16(truncatingIfNeeded: crc.value)
  }

  /// What the bytes at an offset say; nil when they cannot be a frame's. There are 24 of them.
  // SAFETY: the caller keeps the bytes while this runs; loads are checked against their bounds and
  // need no alignment.
  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int, base: CRC32C) {
    guard let kind = Kind(rawValue: bytes[offset + 20]) else { return nil }
    let checked = UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)..<(offset + 22)])
    guard Self.check(checked, base) == Self.load(bytes, offset + 22) else { return nil }
    let length: UInt32 = Self.load(bytes, offset + 4)
    let lsn: UInt64 = Self.load(bytes, offset + 8)
    let unsynced: UInt32 = Self.load(bytes, offset + 16)
    guard length <= Self.payloadBytes, lsn <= Int.max, lsn >= unsynced else { return nil }
    checksum = Self.load(bytes, offset)
    self.length = Int(length)
    self.lsn = Int(lsn)
    self.unsynced = Int(unsynced)
    self.kind = kind
    version = bytes[offset + 21]
  }

  // SAFETY: as above.
  private static func load<Value: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int
  ) -> Value {
    Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  /// Where the checksums of a store's frames begin.
  static func checksumBase(_ store: StoreID) -> CRC32C {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: store.high)
    bytes.append(littleEndian: store.low)
    var crc = CRC32C()
    crc.add(bytes)
    return crc
  }
}

/// What is in a seal: everything before it in its segment was synced.
struct Seal: Equatable, Sendable {
  static let version: UInt8 = 1
  static let payloadBytes = 8
  static let byteCount = Frame.byteCount(payload: payloadBytes)

  /// Checksum over the checksums of all frames before it in the segment.
  let sum: UInt32
  /// Whether the hub stopped here.
  let isFinal: Bool

  init(sum: UInt32, isFinal: Bool) {
    self.sum = sum
    self.isFinal = isFinal
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: sum)
    return bytes + [isFinal ? 1 : 0, 0, 0, 0]
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.payloadBytes, bytes[4] <= 1, bytes[5...].allSatisfy({ $0 == 0 })
    else { return nil }
    sum = bytes.integer(at: 0)
    isFinal = bytes[4] == 1
  }
}
