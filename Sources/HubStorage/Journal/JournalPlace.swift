/// How large segments are. Both differ from their defaults in tests only.
package struct JournalSizes: Equatable, Sendable {
  /// Bytes of the first segment. Each has twice those of the one before it.
  package let first: Int
  /// Bytes of a segment at most, unless one batch needs more.
  package let most: Int

  package init(first: Int = 4 << 20, most: Int = 64 << 20) {
    self.first = first
    self.most = most
  }
}

/// The directory of a journal: what its files are called and how they are made. Calls block: not
/// for event loops.
package struct JournalPlace: Sendable {
  static let manifestName = "manifest"
  private static let temporaryName = "manifest.tmp"
  private static let segmentPrefix = "segment-"

  package let path: String
  let files: any FileSystem
  let sizes: JournalSizes

  /// A journal in a directory of that name; the one above it must be there.
  package init(path: String, on files: any FileSystem, sizes: JournalSizes = JournalSizes()) {
    self.path = path
    self.files = files
    self.sizes = sizes
  }

  /// The journal of a data directory.
  package init(_ directory: DataDirectory, sizes: JournalSizes = JournalSizes()) {
    self.init(path: directory.path + "/journal", on: directory.files, sizes: sizes)
  }

  var manifestPath: String { path + "/" + Self.manifestName }

  func segmentPath(_ number: UInt64) -> String {
    let digits = String(number)
    return path + "/" + Self.segmentPrefix
      + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
  }

  /// The number of a segment's file; nil when the name is not one.
  static func segmentNumber(_ name: String) -> UInt64? {
    guard name.hasPrefix(segmentPrefix) else { return nil }
    let digits = name.dropFirst(segmentPrefix.count)
    return (10...18).contains(digits.count) ? UInt64(digits) : nil
  }

  /// Replaces the manifest, for good.
  func write(_ manifest: JournalManifest) throws(FileError) {
    let temporary = path + "/" + Self.temporaryName
    let file = try files.open(temporary, .creating)
    try file.write(manifest.bytes, at: 0)
    try file.sync()
    try files.rename(temporary, to: manifestPath)
    try files.syncDirectory(path)
  }

  /// The manifest; nil when there is no journal.
  func manifest() throws(JournalFlaw) -> JournalManifest? {
    guard files.exists(path) else { return nil }
    let names = try JournalFlaw.of { () throws(FileError) in try files.names(in: path) }
    guard names.contains(Self.manifestName) else {
      guard names.allSatisfy({ Self.segmentNumber($0) == nil }) else {
        throw .damaged(
          file: manifestPath, offset: 0, "it is not there, and there are segments")
      }
      return nil
    }
    let bytes = try JournalFlaw.of { () throws(FileError) in
      let file = try files.open(manifestPath, .reading)
      return try file.read(file.size(), at: 0)
    }
    return try JournalManifest(bytes, file: manifestPath)
  }

  /// Removes what a crash left between making a file and listing it.
  func removeLeftovers(_ manifest: JournalManifest) throws(FileError) {
    let listed = Set(manifest.entries.map(\.number))
    for name in try files.names(in: path) {
      let isUnlisted = Self.segmentNumber(name).map { !listed.contains($0) } ?? false
      if isUnlisted || name == Self.temporaryName { try files.remove(path + "/" + name) }
    }
  }

  /// Makes an empty journal, whatever was there. Its first record gets `firstLSN`, above 0.
  package func create(store: StoreID, firstLSN: LSN) throws(JournalFlaw) -> JournalWriter {
    precondition(firstLSN > LSN(0), "the first record has LSN 1")
    let manifest = JournalManifest(store: store, firstLSN: firstLSN.number)
    return try JournalFlaw.of { () throws(FileError) in
      try files.makeDirectory(path)
      try files.syncDirectory(above)
      // From here on what was there is nobody's.
      try write(manifest)
      try removeLeftovers(manifest)
      try files.syncDirectory(path)
      var writer = JournalWriter(self, manifest, last: firstLSN.number - 1)
      try writer.start()
      return writer
    }
  }

  private var above: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
