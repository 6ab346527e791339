/// Users in the order of a name, in small chunks: found by the beginning of it, and listed from any
/// place on. A write after a copy copies one chunk.
package struct NameIndex: Sendable {
  private struct Entry: Comparable, Sendable {
    let key: String
    let user: UserRef

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.key == rhs.key ? lhs.user < rhs.user : lhs.key < rhs.key
    }
  }

  /// Entries above which a chunk is divided.
  private static let chunkCapacity = 128
  /// Characters of a name that count.
  private static let keyCharacters = 64
  /// Words of a name that it is found by.
  private static let words = 16

  /// None empty.
  private var chunks: [[Entry]] = []
  /// How many entries there are.
  package private(set) var count = 0

  package init() {}

  /// An index of these entries.
  package init(_ entries: some Sequence<(key: String, user: UserRef)>) {
    let sorted = entries.map { Entry(key: $0.key, user: $0.user) }.sorted()
    count = sorted.count
    chunks = stride(from: 0, to: sorted.count, by: Self.chunkCapacity).map {
      Array(sorted[$0..<min(sorted.count, $0 + Self.chunkCapacity)])
    }
  }

  /// Puts a user in under each of these keys.
  package mutating func insert(_ keys: [String], _ user: UserRef) {
    for key in keys { insert(Entry(key: key, user: user)) }
  }

  /// Takes a user out from under each of these keys.
  package mutating func remove(_ keys: [String], _ user: UserRef) {
    for key in keys { remove(Entry(key: key, user: user)) }
  }

  /// Gives `take` the entries from a key on, in order of key and user, until it answers false.
  package func forEach(
    from key: String, _ user: UserRef = UserRef(index: 0),
    _ take: (_ key: String, _ user: UserRef) -> Bool
  ) {
    let start = Entry(key: key, user: user)
    var chunk = chunkPlace(of: start)
    guard chunk < chunks.count else { return }
    var place = Self.place(of: start, in: chunks[chunk])
    while chunk < chunks.count {
      while place < chunks[chunk].count {
        guard take(chunks[chunk][place].key, chunks[chunk][place].user) else { return }
        place += 1
      }
      chunk += 1
      place = 0
    }
  }

  /// A name as it is searched for: in lower case, without white space around it.
  package static func folded(_ name: String) -> String {
    let lower = name.lowercased()
    guard let first = lower.firstIndex(where: { !$0.isWhitespace }),
      let last = lower.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(lower[first...last].prefix(keyCharacters))
  }

  /// The name from each of its words on, as it is searched for.
  package static func wordBeginnings(of name: String) -> [String] {
    let lower = name.lowercased()
    var keys: [String] = []
    var isInWord = false
    for index in lower.indices where keys.count < words {
      let isPart = lower[index].isLetter || lower[index].isNumber
      if isPart && !isInWord {
        let key = String(lower[index...].prefix(keyCharacters))
        if !keys.contains(key) { keys.append(key) }
      }
      isInWord = isPart
    }
    return keys
  }

  private mutating func insert(_ entry: Entry) {
    count += 1
    guard !chunks.isEmpty else { return chunks.append([entry]) }
    let chunk = min(chunkPlace(of: entry), chunks.count - 1)
    chunks[chunk].insert(entry, at: Self.place(of: entry, in: chunks[chunk]))
    guard chunks[chunk].count > Self.chunkCapacity else { return }
    let half = Array(chunks[chunk][(Self.chunkCapacity / 2)...])
    chunks[chunk].removeSubrange((Self.chunkCapacity / 2)...)
    chunks.insert(half, at: chunk + 1)
  }

  private mutating func remove(_ entry: Entry) {
    let chunk = chunkPlace(of: entry)
    guard chunk < chunks.count else { return }
    let place = Self.place(of: entry, in: chunks[chunk])
    guard place < chunks[chunk].count, chunks[chunk][place] == entry else { return }
    chunks[chunk].remove(at: place)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    count -= 1
  }

  /// The first chunk that does not end before the entry; their number when all do.
  private func chunkPlace(of entry: Entry) -> Int {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if let last = chunks[middle].last, last < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func place(of entry: Entry, in chunk: [Entry]) -> Int {
    var low = 0
    var high = chunk.count
    while low < high {
      let middle = (low + high) / 2
      if chunk[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
