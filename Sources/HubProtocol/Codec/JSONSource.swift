/// The bytes that are read as JSON. No offset can leave them: outside they read as NUL, which is
/// nowhere valid in JSON, so that every loop over them ends by itself.
struct JSONSource {
  // SAFETY: whoever makes a source keeps the memory valid and unchanged while it is used, and the
  // source does not outlive the call that it was made for (`RequestDecoder.decode`, `read`).
  private let bytes: UnsafeRawBufferPointer
  /// Offset behind the last byte to be read.
  let end: Int

  // SAFETY: as for `bytes`.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    self.end = bytes.count
  }

  private init(_ source: JSONSource, end: Int) {
    self.bytes = source.bytes
    self.end = max(0, min(end, source.end))
  }

  /// What `body` makes of `bytes`.
  static func read<Value>(_ bytes: [UInt8], _ body: (JSONSource) -> Value) -> Value {
    // SAFETY: sources are kept by nobody, what is made of one holds copies and offsets.
    bytes.withUnsafeBytes { body(JSONSource($0)) }
  }

  /// What `body` makes of the UTF-8 of `text`.
  static func read<Value>(_ text: String, _ body: (JSONSource) -> Value) -> Value {
    var text = text
    // SAFETY: as for arrays.
    return text.withUTF8 { body(JSONSource(UnsafeRawBufferPointer($0))) }
  }

  /// The same bytes, at the same offsets, up to `end`.
  func ending(at end: Int) -> JSONSource {
    JSONSource(self, end: end)
  }

  /// The byte at an offset, 0 outside.
  func byte(at index: Int) -> UInt8 {
    // SAFETY: 0 <= `index` < `end` <= `bytes.count`.
    index >= 0 && index < end ? bytes[index] : 0
  }

  /// The eight bytes from `index` on, the first in the lowest bits; nil when fewer are left.
  func word(at index: Int) -> UInt64? {
    guard index >= 0, index <= end - 8 else { return nil }
    // SAFETY: the eight bytes lie below `end` <= `bytes.count`, by the guard above.
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// The bytes in `range`, as far as they are there, read as UTF-8.
  func text(_ range: Range<Int>) -> String {
    let range = range.clamped(to: 0..<end)
    // SAFETY: the range was clamped to the bytes; the string is a copy.
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// A copy of the bytes in `range`, as far as they are there.
  func copy(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<end)
    // SAFETY: the range was clamped to the bytes.
    return [UInt8](UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// Puts the bytes in `range`, as far as they are there, behind those of `output`.
  func append(_ range: Range<Int>, to output: inout [UInt8]) {
    let range = range.clamped(to: 0..<end)
    // SAFETY: the range was clamped to the bytes.
    output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
  }
}
