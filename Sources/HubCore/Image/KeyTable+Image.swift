import HubProtocol

/// Idempotency keys in images: page by page, so that they are found again under the same hash key.
extension KeyTable {
  /// Bytes of one entry.
  private static let entryBytes = 32

  func writeSettings(to image: inout ImageWriter) {
    image.word(hashKey.low)
    image.word(hashKey.high)
    image.number(pages.count)
    image.number(Int(ordinal))
  }

  init(fromSettings image: inout ImageReader) throws(ImageError) {
    let key = SipHash.Key(low: try image.word(), high: try image.word())
    let pageCount = try image.number(below: 1 << 20, "a count of pages")
    guard pageCount > 0 else { throw image.error("a page") }
    self.init(hashKey: key, pageCount: pageCount)
    ordinal = UInt32(try image.number(below: 1 << 32, "an ordinal"))
  }

  func writePage(_ index: Int, to image: inout ImageWriter) {
    image.number(index)
    image.list(pages[index]) { image, entry in
      for word in [entry.low, entry.high, entry.seqAndOrdinal, entry.tsAndOrdinal] {
        image.word(word)
      }
    }
  }

  /// Reads the page that comes after the `before` that were read.
  mutating func readPage(after before: Int, from image: inout ImageReader) throws(ImageError) {
    let index = try image.number(below: pages.count, "a page")
    guard index == before else { throw image.error("page \(before)") }
    pages[index] = try image.list { image throws(ImageError) in
      Entry(
        low: try image.word(), high: try image.word(), seqAndOrdinal: try image.word(),
        tsAndOrdinal: try image.word())
    }
  }
}
