/// Which segments make up a journal, oldest first.
struct JournalManifest: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    let number: UInt64
    /// Its first record. Nil in the newest one only, when that had not begun as this was written.
    var firstLSN: Int?
    /// The file has at least so many bytes.
    var bytes: Int

    fileprivate static let byteCount = 24
  }

  let store: StoreID
  /// The oldest record that may be in the journal.
  var firstLSN: Int
  var entries: [Entry] = []

  init(store: StoreID, firstLSN: Int) {
    self.store = store
    self.firstLSN = firstLSN
  }

  /// The manifest as it stands in its file.
  var bytes: [UInt8] {
    var list: [UInt8] = []
    for entry in entries {
      list.append(littleEndian: entry.number)
      list.append(littleEndian: UInt64(entry.firstLSN ?? 0))
      list.append(littleEndian: UInt64(entry.bytes))
    }
    let head = FileHead(
      .manifest, store: store, firstLSN: firstLSN, count: UInt32(entries.count),
      checksum: CRC32C.of(list))
    return head.bytes + list
  }

  /// Reads a manifest, or says what is wrong with it.
  init(_ bytes: [UInt8], file: String) throws(JournalFlaw) {
    let head = try FileHead(.manifest, Array(bytes.prefix(FileHead.byteCount)), file: file)
    let list = Array(bytes.dropFirst(FileHead.byteCount))
    guard list.count == Int(head.count) * Entry.byteCount else {
      throw .damaged(
        file: file, offset: bytes.count, "the file does not end behind \(head.count) entries")
    }
    guard CRC32C.of(list) == head.checksum else {
      throw .damaged(
        file: file, offset: FileHead.byteCount, "the checksum of the entries is wrong")
    }
    store = head.store
    firstLSN = head.firstLSN
    for offset in stride(from: 0, to: list.count, by: Entry.byteCount) {
      let values = (0..<3).map { Int(exactly: list.integer(at: offset + 8 * $0) as UInt64) }
      guard let number = values[0], let lsn = values[1], let size = values[2] else {
        throw .damaged(
          file: file, offset: FileHead.byteCount + offset, "an entry of impossible values")
      }
      entries.append(
        Entry(number: UInt64(number), firstLSN: lsn == 0 ? nil : lsn, bytes: size))
    }
    guard isInOrder else {
      throw .damaged(file: file, offset: FileHead.byteCount, "the entries are out of order")
    }
  }

  private var isInOrder: Bool {
    let isRising = zip(entries, entries.dropFirst()).allSatisfy { one, other in
      guard let first = one.firstLSN else { return false }
      return one.number < other.number && first <= other.firstLSN ?? .max
    }
    return isRising && firstLSN <= entries.first?.firstLSN ?? .max
  }
}
