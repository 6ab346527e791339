/// The Castagnoli checksum (RFC 3720, appendix B.4), eight bytes at a time.
package struct CRC32C: Equatable, Sendable {
  /// Eight tables of 256, one behind the other: row `r` is the effect of a byte `r` bytes back.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82f6_3b78 : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<2_048 {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xff)]
    }
    return tables
  }()

  private var state: UInt32 = .max

  package init() {}

  /// The checksum of what was added.
  package var value: UInt32 { ~state }

  /// Adds bytes.
  package mutating func add(_ bytes: some Collection<UInt8>) {
    // SAFETY: the pointer is used inside the closure only.
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { add(UnsafeRawBufferPointer($0)) }
    if isDone == nil { add(Array(bytes)) }
  }

  /// Adds bytes that lie in one piece.
  // SAFETY: the caller keeps the bytes while this runs.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    // SAFETY: words are loaded while eight bytes are left, bytes while one is; an index into the
    // tables is a row times 256 and a byte.
    state = Self.tables.withUnsafeBufferPointer { tables in
      var crc = state
      var offset = 0
      let words = bytes.count & ~7
      while offset < words {
        let word =
          bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
          ^ UInt64(crc)
        let low = Self.effect(UInt32(truncatingIfNeeded: word), row: 7, tables)
        crc = low ^ Self.effect(UInt32(truncatingIfNeeded: word >> 32), row: 3, tables)
        offset += 8
      }
      while offset < bytes.count {
        crc = crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[offset])) & 0xff)]
        offset += 1
      }
      return crc
    }
  }

  /// What four bytes come to, the first of them `row` bytes back.
  // SAFETY: as above.
  @inline(__always)
  private static func effect(
    _ word: UInt32, row: Int, _ tables: UnsafeBufferPointer<UInt32>
  ) -> UInt32 {
    tables[row << 8 | Int(word & 0xff)] ^ tables[(row - 1) << 8 | Int(word >> 8 & 0xff)]
      ^ tables[(row - 2) << 8 | Int(word >> 16 & 0xff)] ^ tables[(row - 3) << 8 | Int(word >> 24)]
  }

  /// The checksum of these bytes.
  package static func of(_ bytes: some Collection<UInt8>) -> UInt32 {
    var crc = CRC32C()
    crc.add(bytes)
    return crc.value
  }
}
