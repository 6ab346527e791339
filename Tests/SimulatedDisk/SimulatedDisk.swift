import HubStorage
import SeededRandom
import Synchronization

/// A disk in memory that knows what is synced. A test can let any of its operations fail, or crash
/// the machine, and look at what may then be found.
///
/// Only operations that change or sync something are counted and fail; the directory `/` is there.
package final class SimulatedDisk: Sendable {
  /// Why an operation fails.
  package enum Failure: Sendable {
    case noSpace, inputOutput
  }

  /// What kind of operation is meant.
  enum Kind: Sendable {
    case create, write, preallocate, sync, rename, remove, makeDirectory, syncDirectory
  }

  struct State: Sendable {
    var names = SimulatedNames(durable: ["": .directory])
    var contents: [Int: SimulatedContent] = [:]
    var random: SplitMix64
    var operations = 0
    var capacity = Int.max
    /// The operation that fails, and why, and whether those like it fail then as well.
    var failing: (operation: Int, failure: Failure, isLasting: Bool)?
    /// The kind that fails until this is cleared.
    var lasting: (kind: Kind, failure: Failure)?
    var crashOperation = Int.max
    var hasCrashed = false

    var usedBytes: Int {
      names.nodes.values.reduce(0) { sum, node in
        guard case .file(let id) = node else { return sum }
        return sum + (contents[id]?.bytes.count ?? 0)
      }
    }
  }

  let state: Mutex<State>

  /// An empty disk. `seed` decides what happens when something fails.
  package init(seed: UInt64 = 0) {
    state = Mutex(State(random: SplitMix64(seed: seed)))
  }

  /// Operations so far.
  package var operations: Int { state.withLock { $0.operations } }

  /// Whether the machine has crashed: then every operation fails.
  package var hasCrashed: Bool { state.withLock { $0.hasCrashed } }

  /// Lets the `number`th operation from now fail, 1 being the next; with `lasting` all later ones
  /// like it, too, until failures are cleared.
  package func failOperation(_ number: Int, _ failure: Failure, lasting: Bool = false) {
    state.withLock { $0.failing = ($0.operations + number, failure, lasting) }
  }

  package func clearFailures() {
    state.withLock { state in
      state.failing = nil
      state.lasting = nil
    }
  }

  /// Crashes the machine in the middle of the `number`th operation from now.
  package func crashAtOperation(_ number: Int) {
    state.withLock { $0.crashOperation = $0.operations + number }
  }

  /// Bytes that all files may have together; nil for no end.
  package func setCapacity(_ bytes: Int?) {
    state.withLock { $0.capacity = bytes ?? .max }
  }

  /// Bytes that all files have together.
  package var usedBytes: Int { state.withLock { $0.usedBytes } }

  /// The disk as it may be found after a crash now: one of many ways, chosen by the seed.
  package func crash(seed: UInt64) -> SimulatedDisk {
    let before = state.withLock { $0 }
    var random = SplitMix64(seed: seed)
    let found = before.names.crashed(&random)
    let disk = SimulatedDisk(seed: random.next())
    disk.state.withLock { state in
      state.names = SimulatedNames(durable: found)
      for id in before.contents.keys.sorted() {
        guard let bytes = before.contents[id]?.crashed(&random) else { continue }
        state.contents[id] = SimulatedContent(durable: bytes)
      }
    }
    return disk
  }

  /// The same disk under a process that begins again: nothing is lost that could be read.
  package func restart() -> SimulatedDisk {
    let disk = SimulatedDisk()
    let before = state.withLock { $0 }
    disk.state.withLock { state in
      state = before
      (state.failing, state.lasting) = (nil, nil)
      (state.crashOperation, state.hasCrashed) = (.max, false)
    }
    return disk
  }

  /// The bytes of a file; nil when it is not there.
  package func bytes(of path: String) -> [UInt8]? {
    state.withLock { state in
      guard case .file(let id) = state.names.nodes[path] else { return nil }
      return state.contents[id]?.bytes
    }
  }

  /// The paths of all files, sorted.
  package var paths: [String] {
    state.withLock { $0.names.nodes.filter { $0.value != .directory }.keys.sorted() }
  }

  /// Gives a file other bytes, or none at all, as if it had never been different.
  package func damage(_ path: String, _ bytes: [UInt8]?) {
    state.withLock { state in
      guard let bytes else { return state.names.remove(path) }
      guard case .file(let id) = state.names.nodes[path] else { return }
      state.contents[id] = SimulatedContent(durable: bytes)
    }
  }
}
