package import HubCore
import HubProtocol

/// Why a hub does not start on its snapshots. Each sentence names the files.
package enum SnapshotRefusal: FileFailure, Equatable, CustomStringConvertible {
  /// There are snapshots, and none can be used.
  case noneReadable([String])
  /// A newer or an older hub wrote the newest one.
  case otherFormat(String)
  case file(FileError)

  package var description: String {
    switch self {
    case .noneReadable(let flaws):
      "no snapshot can be used (--accept-data-loss starts without them): "
        + flaws.joined(separator: "; ")
    case .otherFormat(let flaw):
      "written by another version of the hub: \(flaw)"
    case .file(let error):
      error.description
    }
  }
}

/// The snapshots of a data directory: two generations, the newest good one loaded at start. Calls
/// block: not for event loops.
package struct SnapshotStore: Sendable {
  /// Generations kept.
  static let generations = 2
  private static let prefix = "snapshot-"
  private static let badSuffix = ".bad"
  private static let temporary = "snapshot.tmp"

  private let directory: DataDirectory

  package init(_ directory: DataDirectory) {
    self.directory = directory
  }

  /// What was found at start.
  package struct Loaded: Sendable {
    /// The newest good one; nil when there is none.
    package let state: (registry: Registry, header: SnapshotHeader)?
    /// The file it came from.
    package let file: String?
    /// Newer ones that cannot be used, newest first.
    package let flawed: [Flawed]
  }

  /// A snapshot that cannot be used.
  package struct Flawed: Equatable, Sendable {
    let name: String
    /// Names the file, and says what is wrong with it.
    package let sentence: String
  }

  /// Loads the newest good snapshot. Refuses one of another format: somebody has started the wrong
  /// hub.
  package func load(windowMemory: Int) throws(SnapshotRefusal) -> Loaded {
    var flawed: [Flawed] = []
    for name in try SnapshotRefusal.of({ () throws(FileError) in try names() }).reversed() {
      let path = directory.path(of: name)
      do throws(SnapshotFlaw) {
        let loaded = try SnapshotReader.registry(
          at: path, on: directory.files, windowMemory: windowMemory)
        return Loaded(state: (loaded.registry, loaded.header), file: path, flawed: flawed)
      } catch {
        let sentence = "\(path): \(error)"
        if case .otherFormat = error { throw .otherFormat(sentence) }
        flawed.append(Flawed(name: name, sentence: sentence))
      }
    }
    return Loaded(state: nil, file: nil, flawed: flawed)
  }

  /// Puts snapshots out of the way that cannot be used, for somebody to look at.
  package func setAside(_ flawed: [Flawed]) throws(FileError) {
    for flawed in flawed {
      try directory.rename(flawed.name, to: flawed.name + Self.badSuffix)
    }
  }

  /// What a snapshot that was taken came to.
  package struct Report: Equatable, Sendable {
    package let file: String
    package let bytes: Int
    package let lsn: LSN
    /// The newest record in the older snapshot that is kept; nil while there is none to be read.
    package let olderLSN: LSN?
  }

  /// Writes an image: to a temporary file, synced, read again and checked, then renamed. Older
  /// generations go.
  package func take(_ image: RegistryImage, _ header: SnapshotHeader) throws -> Report {
    let bytes: Int
    do {
      bytes = try write(image, header)
    } catch {
      // On a full disk the journal needs the room.
      try? directory.remove(Self.temporary)
      throw error
    }
    let name = Self.name(try nextNumber())
    try directory.rename(Self.temporary, to: name)
    for old in try names().dropLast(Self.generations) { try directory.remove(old) }
    // One that cannot be read is nothing to go back to: then no record may go.
    let older = try names().dropLast().last.flatMap { name in
      try? SnapshotReader(directory.path(of: name), on: directory.files).header.lsn
    }
    return Report(
      file: directory.path(of: name), bytes: bytes, lsn: header.lsn, olderLSN: older)
  }

  /// Writes the temporary file; answers its length.
  private func write(_ image: RegistryImage, _ header: SnapshotHeader) throws -> Int {
    let path = directory.path(of: Self.temporary)
    var writer = try SnapshotWriter(directory.files.open(path, .creating), header: header)
    try image.write { try writer.add($0, $1) }
    let bytes = try writer.finish()
    try check(path)
    return bytes
  }

  /// The older snapshot, for a longer replay, if it is good and holds the record before `first`;
  /// nil otherwise.
  package func loadOlder(
    windowMemory: Int, atLeast first: LSN, below lsn: LSN
  ) throws(FileError) -> (registry: Registry, header: SnapshotHeader)? {
    for name in try names() {
      let path = directory.path(of: name)
      do {
        let header = try SnapshotReader(path, on: directory.files).header
        guard first <= header.lsn, header.lsn < lsn else { continue }
        let loaded = try SnapshotReader.registry(
          at: path, on: directory.files, windowMemory: windowMemory)
        return (loaded.registry, loaded.header)
      } catch {
        // The newer one is good: nobody needs this one.
        continue
      }
    }
    return nil
  }

  /// Reads a file to its end; throws what is wrong with it.
  private func check(_ path: String) throws(SnapshotFlaw) {
    var reader = try SnapshotReader(path, on: directory.files)
    while try reader.next() != nil {}
  }

  /// The names of the snapshots that are not set aside, oldest first.
  private func names() throws(FileError) -> [String] {
    let found = try directory.names().compactMap { name in
      Self.number(name).map { (name: name, number: $0) }
    }
    return found.sorted { $0.number < $1.number }.map(\.name)
  }

  private func nextNumber() throws(FileError) -> Int {
    let numbers = try directory.names().compactMap { name in
      let isBad = name.hasSuffix(Self.badSuffix)
      return Self.number(isBad ? String(name.dropLast(Self.badSuffix.count)) : name)
    }
    return (numbers.max() ?? 0) + 1
  }

  private static func name(_ number: Int) -> String {
    let digits = String(number)
    return prefix + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
  }

  private static func number(_ name: String) -> Int? {
    guard name.hasPrefix(prefix) else { return nil }
    let digits = name.dropFirst(prefix.count)
    // Up to 18 digits there is a next number.
    return (10...18).contains(digits.count) && digits.allSatisfy(\.isWholeNumber)
      ? Int(digits) : nil
  }
}
