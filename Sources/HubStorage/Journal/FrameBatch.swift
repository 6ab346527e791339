/// Frames that are written with one call, in one buffer that is used again.
package struct FrameBatch: Sendable {
  private let base: CRC32C
  private var synced = 0
  /// The frames, one behind the other.
  private(set) var bytes: [UInt8] = []
  /// Their checksums, one behind the other.
  private(set) var checksums: [UInt8] = []
  /// LSN of the first record.
  private(set) var first = 1
  /// LSN of the last record; one less than the first when there is none.
  private(set) var last = 0

  package init(store: StoreID) {
    base = Frame.checksumBase(store)
  }

  package var byteCount: Int { bytes.count }
  package var isEmpty: Bool { bytes.isEmpty }

  /// Begins again: what is added next is the record behind `last`, while everything up to `synced`
  /// is synced.
  package mutating func begin(after last: LSN, synced: LSN) {
    bytes.removeAll(keepingCapacity: true)
    checksums.removeAll(keepingCapacity: true)
    first = last.number + 1
    self.last = last.number
    self.synced = synced.number
  }

  /// Adds a record; `encode` appends its payload, at most 16 MiB, and answers its version.
  package mutating func add(_ encode: (inout [UInt8]) -> UInt8) {
    last += 1
    let start = bytes.count
    bytes += [UInt8](repeating: 0, count: Frame.headerBytes)
    let version = encode(&bytes)
    finish(from: start, .record, version: version)
  }

  /// Adds a seal behind the last record.
  mutating func add(_ seal: Seal) {
    let start = bytes.count
    bytes += [UInt8](repeating: 0, count: Frame.headerBytes)
    bytes += seal.bytes
    finish(from: start, .seal, version: Seal.version)
  }

  private mutating func finish(from start: Int, _ kind: Frame.Kind, version: UInt8) {
    let length = bytes.count - start - Frame.headerBytes
    precondition(length <= Frame.payloadBytes, "a record has at most 16 MiB")
    put(UInt32(length), at: start + 4)
    put(UInt64(last), at: start + 8)
    put(UInt32(clamping: last - synced), at: start + 16)
    bytes[start + 20] = kind.rawValue
    bytes[start + 21] = version
    // SAFETY: the pointer stays inside the closure.
    let check = bytes.withUnsafeBytes {
      Frame.check(UnsafeRawBufferPointer(rebasing: $0[(start + 4)..<(start + 22)]), base)
    }
    put(check, at: start + 22)
    bytes.append(Frame.endMark)
    var crc = base
    crc.add(bytes[(start + 4)...])
    put(crc.value, at: start)
    checksums += bytes[start..<(start + 4)]
  }

  private mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
    for index in 0..<(value.bitWidth / 8) {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }
}
