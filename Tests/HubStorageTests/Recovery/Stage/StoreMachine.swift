import Foundation
import HubCore
import HubStorage
import SeededRandom
import SimulatedDisk

/// What is left when a hub is gone: its files, its history, and since when the machine has run.
struct StoreMachine {
  let disk: SimulatedDisk
  /// What is in the file of history, for as long as the disk has that.
  let history: SimulatedHistory
  /// Names the time since the machine was started.
  var boot = 1
  private let place: LockPlace

  var path: String { place.path }
  var journal: String { path + "/journal" }

  /// A machine with an empty data directory, its lock in a directory of the test's own.
  init(seed: UInt64 = 0) throws {
    place = LockPlace()
    disk = SimulatedDisk(seed: seed)
    history = SimulatedHistory()
    var above = ""
    for component in place.path.split(separator: "/") {
      try disk.makeDirectory("\(above)/\(component)")
      try disk.syncDirectory(above.isEmpty ? "/" : above)
      above += "/\(component)"
    }
  }

  private init(
    _ before: StoreMachine, disk: SimulatedDisk, history: SimulatedHistory, boot: Int
  ) {
    place = before.place
    self.disk = disk
    self.history = history
    self.boot = boot
  }

  /// The machine as it may be found after a crash: one of many ways, chosen by the seed.
  func crash(seed: UInt64) -> StoreMachine {
    var random = SplitMix64(seed: seed)
    return StoreMachine(
      self, disk: disk.crash(seed: seed), history: history.crash(&random), boot: boot + 1)
  }

  /// The same machine when the hub's process is gone.
  func restart() -> StoreMachine {
    StoreMachine(self, disk: disk.restart(), history: history.restart(), boot: boot)
  }

  /// The same machine with another history.
  func with(_ history: SimulatedHistory) -> StoreMachine {
    StoreMachine(self, disk: disk, history: history, boot: boot)
  }

  /// Paths of the files whose names begin so, sorted.
  func files(_ prefix: String) -> [String] {
    disk.paths.filter { $0.hasPrefix("\(path)/\(prefix)") }
  }

  /// Flips a bit in the middle of a file, or at an offset.
  func flip(_ file: String, at offset: Int? = nil) {
    guard var bytes = disk.bytes(of: file), !bytes.isEmpty else { return }
    bytes[offset ?? bytes.count / 2] ^= 4
    disk.damage(file, bytes)
  }
}

/// Where the lock of a data directory is, which is on no simulated disk. Deleted with this.
private final class LockPlace {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("hub-store-\(UUID().uuidString)").path

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
