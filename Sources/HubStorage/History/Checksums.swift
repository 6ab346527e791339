/// Checksums of rows: SQLite has none of its own.
extension CRC32C {
  /// The checksum of numbers in this order.
  static func of(_ numbers: [Int], text: String? = nil, bytes: [UInt8] = []) -> Int {
    var crc = CRC32C()
    var header: [UInt8] = []
    header.reserveCapacity(8 * numbers.count + 8)
    for number in numbers { header.append(littleEndian: number) }
    header.append(littleEndian: text.map(\.utf8.count) ?? -1)
    if let text { header += text.utf8 }
    crc.add(header)
    crc.add(bytes)
    return Int(crc.value)
  }
}
