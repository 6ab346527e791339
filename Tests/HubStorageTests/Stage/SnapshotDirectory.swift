import Foundation
import HubCore
import HubProtocol
import HubStage
import HubStorage

/// A data directory of a test's own, deleted with this.
final class SnapshotDirectory {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("hub-snapshots-\(UUID().uuidString)").path
  private(set) var store: SnapshotStore
  static let header = SnapshotHeader(
    store: StoreID(high: 0x0123_4567_89ab_cdef, low: 5), lsn: LSN(42),
    taken: Timestamp(milliseconds: 1_700_000_000_000))

  init() throws {
    store = SnapshotStore(try DataDirectory(path: path))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The names of all files but the lock, sorted.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "lock" }.sorted()
    }
  }

  @discardableResult
  func take(_ hub: DrivenHub, lsn: Int = 42) throws -> SnapshotStore.Report {
    let header = SnapshotHeader(
      store: Self.header.store, lsn: LSN(lsn), taken: Self.header.taken)
    return try store.take(hub.image, header)
  }

  func load() throws -> SnapshotStore.Loaded {
    try store.load(windowMemory: 1 << 30)
  }

  /// The digest of what is loaded; nil when there is nothing.
  func loadedDigest() throws -> [UInt8]? {
    try load().state.map { DrivenHub($0.registry).digest }
  }

  func path(_ name: String) -> String { path + "/" + name }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  /// Flips one bit of a file.
  func damage(_ name: String, at offset: Int = 1_000) throws {
    var bytes = try bytes(name)
    bytes[offset] ^= 4
    try write(bytes, to: name)
  }
}
