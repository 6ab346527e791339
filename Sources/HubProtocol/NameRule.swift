/// The one alphabet of user ids and channel names (protocol, "Envelope").
enum NameRule {
  /// Whether `text` has 1…`bytes` bytes, all of the alphabet, the first not `@`.
  static func allows(_ text: String, bytes: Int) -> Bool {
    JSONSource.read(text) { source in
      guard (1...bytes).contains(source.end), source.byte(at: 0) != UInt8(ascii: "@") else {
        return false
      }
      var index = 0
      while index < source.end, isAllowed(source.byte(at: index)) { index += 1 }
      return index == source.end
    }
  }

  /// A bit for each byte of the alphabet: those below 0x40, `# - . 0-9 :`, and those below 0x80,
  /// `@ A-Z _ a-z`.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    let alphabet: UInt64 = byte < 0x40 ? 0x07FF_6008_0000_0000 : 0x07FF_FFFE_87FF_FFFF
    return byte < 0x80 && alphabet >> UInt64(byte & 0x3F) & 1 != 0
  }
}
