package import HubCore
import HubProtocol

/// Why a hub does not start on its snapshots. Each sentence names the files.
package enum SnapshotRefusal: Error, Equatable, CustomStringConvertible {
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
  /// There while a hub runs: what stands behind when it is killed.
  private static let runningMark = "running"

  private let directory: DataDirectory

  package init(_ directory: DataDirectory) {
    self.directory = directory
  }

  /// What was found at start.
  package struct Loaded: Sendable {
    /// Nil on a fresh directory, or when nothing could be used and that was accepted.
    package let state: (registry: Registry, header: SnapshotHeader)?
    /// The file it came from.
    package let file: String?
    /// Whether the hub before this one took its last snapshot and stopped.
    package let wasStoppedCleanly: Bool
    /// What was wrong with snapshots that were set aside, newest first.
    package let setAside: [String]
  }

  /// Loads the newest good snapshot and sets bad ones aside; refuses when there are only bad ones,
  /// unless data loss is accepted.
  package func load(
    windowMemory: Int, acceptsDataLoss: Bool
  ) throws(SnapshotRefusal) -> Loaded {
    var bad: [(name: String, flaw: String)] = []
    for name in try wrapped({ () throws(FileError) in try names() }).reversed() {
      let path = directory.path(of: name)
      do {
        let loaded = try SnapshotReader.registry(at: path, windowMemory: windowMemory)
        try setAside(bad.map(\.name))
        return Loaded(
          state: (loaded.registry, loaded.header), file: path,
          wasStoppedCleanly: !directory.contains(Self.runningMark), setAside: bad.map(\.flaw))
      } catch let flaw as SnapshotFlaw {
        let sentence = "\(path): \(flaw)"
        if case .otherFormat = flaw { throw .otherFormat(sentence) }
        bad.append((name, sentence))
      } catch let refusal as SnapshotRefusal {
        throw refusal
      } catch {
        bad.append((name, "\(path): \(error)"))
      }
    }
    guard bad.isEmpty || acceptsDataLoss else { throw .noneReadable(bad.map(\.flaw)) }
    try setAside(bad.map(\.name))
    return Loaded(state: nil, file: nil, wasStoppedCleanly: false, setAside: bad.map(\.flaw))
  }

  /// What a snapshot that was taken came to.
  package struct Report: Equatable, Sendable {
    package let file: String
    package let bytes: Int
    package let lsn: LSN
  }

  /// Writes an image: to a temporary file, synced, read again and checked, then renamed. Older
  /// generations go.
  package func take(_ image: RegistryImage, _ header: SnapshotHeader) throws -> Report {
    let path = directory.path(of: Self.temporary)
    var writer = try SnapshotWriter(File(creating: path), header: header)
    try image.write { try writer.add($0, $1) }
    let bytes = try writer.finish()
    try check(path)
    let name = Self.name(try nextNumber())
    try directory.rename(Self.temporary, to: name)
    for old in try names().dropLast(Self.generations) { try directory.remove(old) }
    return Report(file: directory.path(of: name), bytes: bytes, lsn: header.lsn)
  }

  /// Notes that a hub runs here, so that the next one knows whether this one stopped in order.
  package func markRunning() throws(FileError) {
    try File(creating: directory.path(of: Self.runningMark)).sync()
    try directory.sync()
  }

  /// Notes that the last snapshot holds everything.
  package func markStopped() throws(FileError) {
    try directory.remove(Self.runningMark)
    try directory.sync()
  }

  /// Reads a file to its end; throws what is wrong with it.
  private func check(_ path: String) throws(SnapshotFlaw) {
    var reader = try SnapshotReader(path)
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

  private func setAside(_ names: [String]) throws(SnapshotRefusal) {
    for name in names {
      try wrapped { () throws(FileError) in
        try directory.rename(name, to: name + Self.badSuffix)
      }
    }
  }

  private func wrapped<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(SnapshotRefusal) -> Value {
    do {
      return try body()
    } catch {
      throw .file(error)
    }
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
