/// The Castagnoli checksum (RFC 3720, appendix B.4), eight bytes at a time.
package struct CRC32C {
  private static let tables: [[UInt32]] = {
    var tables = [[UInt32]](repeating: [UInt32](repeating: 0, count: 256), count: 8)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82f6_3b78 : crc >> 1 }
      tables[0][byte] = crc
    }
    for byte in 0..<256 {
      for row in 1..<8 {
        let before = tables[row - 1][byte]
        tables[row][byte] = before >> 8 ^ tables[0][Int(before & 0xff)]
      }
    }
    return tables
  }()

  private var state: UInt32 = .max

  package init() {}

  /// The checksum of what was added.
  package var value: UInt32 { ~state }

  /// Adds bytes.
  package mutating func add(_ bytes: some Collection<UInt8>) {
    let tables = Self.tables
    var crc = state
    var index = bytes.startIndex
    var left = bytes.count
    while left >= 8 {
      var word: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        word |= UInt64(bytes[index]) << shift
        index = bytes.index(after: index)
      }
      word ^= UInt64(crc)
      crc = 0
      for row in 0..<8 { crc ^= tables[7 - row][Int(word >> UInt64(row * 8) & 0xff)] }
      left -= 8
    }
    while left > 0 {
      crc = crc >> 8 ^ tables[0][Int((crc ^ UInt32(bytes[index])) & 0xff)]
      index = bytes.index(after: index)
      left -= 1
    }
    state = crc
  }

  /// The checksum of these bytes.
  package static func of(_ bytes: some Collection<UInt8>) -> UInt32 {
    var crc = CRC32C()
    crc.add(bytes)
    return crc.value
  }
}
