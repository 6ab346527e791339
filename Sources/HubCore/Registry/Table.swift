/// Elements under dense indices, in chunks: after a copy (a snapshot holds one) the first write
/// costs one chunk, not the whole table.
struct Table<Element: Sendable>: Sendable {
  private static var chunkCapacity: Int { 32 }

  private var chunks: [[Element]] = []
  private(set) var count = 0

  /// Adds an element; its index is the count before.
  mutating func append(_ element: Element) {
    if count % Self.chunkCapacity == 0 {
      var chunk: [Element] = []
      chunk.reserveCapacity(min(Self.chunkCapacity, max(count, 8)))
      chunks.append(chunk)
    }
    chunks[count / Self.chunkCapacity].append(element)
    count += 1
  }

  subscript(index: UInt32) -> Element {
    _read {
      yield chunks[Int(index) / Self.chunkCapacity][Int(index) % Self.chunkCapacity]
    }
    _modify {
      yield &chunks[Int(index) / Self.chunkCapacity][Int(index) % Self.chunkCapacity]
    }
  }
}
