import HubStorage
import SeededRandom
import Synchronization

/// One open file of a simulated disk.
final class SimulatedFile: OpenFile {
  let path: String
  private let disk: SimulatedDisk
  private let id: Int

  init(disk: SimulatedDisk, id: Int, path: String) {
    self.disk = disk
    self.id = id
    self.path = path
  }

  func size() throws(FileError) -> Int {
    let id = id
    return try disk.look("measure", path) { $0.contents[id]?.bytes.count ?? 0 }
  }

  func read(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    let id = id
    return try disk.look("read", path) { state in
      Array(state.contents[id]?.bytes.dropFirst(offset).prefix(count) ?? [])
    }
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    let id = id
    try disk.perform(.write, "write", path) { state in
      Self.growth(of: state, id, to: offset + bytes.count)
    } _: { state in
      state.contents[id]?.change(.write(offset: offset, bytes))
    } failing: { state in
      let written = SimulatedContent.begun(bytes, at: offset, &state.random)
      guard offset + written.count <= state.contents[id]?.bytes.count ?? 0 else { return }
      state.contents[id]?.change(.write(offset: offset, written))
    }
  }

  func preallocate(_ size: Int) throws(FileError) {
    let id = id
    try disk.perform(.preallocate, "enlarge", path) { state in
      Self.growth(of: state, id, to: size)
    } _: { state in
      state.contents[id]?.change(.grow(size))
    }
  }

  func sync() throws(FileError) {
    let id = id
    try disk.perform(.sync, "sync", path) { state in
      state.contents[id]?.sync()
    } failing: { state in
      state.contents[id]?.failSync(&state.random)
    }
  }

  private static func growth(of state: SimulatedDisk.State, _ id: Int, to size: Int) -> Int {
    max(0, size - (state.contents[id]?.bytes.count ?? 0))
  }
}
