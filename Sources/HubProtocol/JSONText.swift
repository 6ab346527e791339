/// How text stands in JSON (RFC 8259 §7). The hub escapes what must be escaped and nothing else.
package enum JSONText {
  /// Bytes that `text` takes between its quotation marks.
  package static func escapedCount(_ text: String) -> Int {
    JSONSource.read(text) { source in
      var count = source.end
      var index = source.endOfRun(from: 0)
      while index < source.end {
        count += escapedCount(source.byte(at: index)) - 1
        index = source.endOfRun(from: index + 1)
      }
      return count
    }
  }

  /// Bytes that one byte of UTF-8 takes: two for a short escape, six for another control character.
  static func escapedCount(_ byte: UInt8) -> Int {
    switch byte {
    case 0x22, 0x5C, 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
    case 0x00..<0x20: 6
    default: 1
    }
  }
}

extension JSONSource {
  /// Offset of the first byte from `start` on that needs an escape, or the end.
  func endOfRun(from start: Int) -> Int {
    var index = start
    while let word = word(at: index) {
      let run = JSONWord.unescapedPrefix(word)
      index += run
      if run < 8 { return index }
    }
    while index < end, JSONText.escapedCount(byte(at: index)) == 1 { index += 1 }
    return index
  }
}
