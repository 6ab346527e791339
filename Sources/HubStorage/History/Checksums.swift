/// Checksums of rows: SQLite has none of its own.
extension CRC32C {
  /// The checksum of numbers in this order.
  static func of(_ numbers: [Int], text: String? = nil, bytes: [UInt8] = []) -> Int {
    of(numbers, texts: CollectionOfOne(text), bytes: bytes)
  }

  /// The checksum of numbers, texts that may be absent, and bytes, in this order.
  static func of(
    _ numbers: [Int], texts: some Collection<String?>, bytes: [UInt8]
  ) -> Int {
    var crc = CRC32C()
    for number in numbers { crc.add(number) }
    for text in texts { crc.add(text) }
    crc.add(bytes)
    return Int(crc.value)
  }

  /// Adds a text behind its length.
  private mutating func add(_ text: String?) {
    add(text.map(\.utf8.count) ?? -1)
    // SAFETY: the bytes are used inside the closure only.
    if var text { text.withUTF8 { add(UnsafeRawBufferPointer($0)) } }
  }

  /// Adds eight bytes, the lowest first.
  private mutating func add(_ number: Int) {
    // SAFETY: the bytes are used inside the closure only.
    withUnsafeBytes(of: UInt64(bitPattern: Int64(number)).littleEndian) { add($0) }
  }
}
