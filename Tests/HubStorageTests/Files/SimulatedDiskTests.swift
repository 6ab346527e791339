import HubStorage
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: the simulated disk")
struct SimulatedDiskTests {
  private let disk = SimulatedDisk(seed: 1)
  private let outcomes: Range<UInt64> = 0..<200

  init() throws {
    try disk.makeDirectory("/d")
    try disk.syncDirectory("/")
  }

  /// What may be found of a file after a crash.
  private func found(_ path: String) -> Set<[UInt8]?> {
    Set(outcomes.map { disk.crash(seed: $0).bytes(of: path) })
  }

  @Test("what is synced is found after every crash, with its name if that is")
  func synced() throws {
    let file = try disk.open("/d/a", .creating)
    try file.write([1, 2], at: 0)
    try file.sync()
    #expect(found("/d/a") == [[1, 2], nil])
    try disk.syncDirectory("/d")
    #expect(found("/d/a") == [[1, 2]])
  }

  @Test("what is not synced may be lost, kept, cut or torn at its sectors, never within one")
  func torn() throws {
    let file = try disk.open("/d/a", .creating)
    try file.preallocate(2_048)
    try file.sync()
    try disk.syncDirectory("/d")
    try file.write([UInt8](repeating: 1, count: 1_200), at: 100)
    let found = found("/d/a")
    let blank = [UInt8](repeating: 0, count: 2_048)
    #expect(found.contains(blank) && found.contains(disk.bytes(of: "/d/a")))
    let isTorn = found.contains { $0.map { $0[600] == 0 && $0[1_100] == 1 } ?? false }
    let isCut = found.contains { bytes in
      guard let bytes, let end = bytes.lastIndex(of: 1) else { return false }
      return end != 1_299 && end % 512 == 511
    }
    #expect(isTorn && isCut)
    #expect(
      found.allSatisfy { bytes in
        [100..<512, 512..<1_024, 1_024..<1_300].allSatisfy { Set(bytes?[$0] ?? []).count == 1 }
      })
    #expect(found.allSatisfy { $0?.count == 2_048 && $0?[..<100].allSatisfy { $0 == 0 } == true })
  }

  @Test("a renamed file has one name or the other")
  func renamed() throws {
    for (name, byte) in [("old", 1), ("new", 2)] as [(String, UInt8)] {
      let file = try disk.open("/d/" + name, .creating)
      try file.write([byte], at: 0)
      try file.sync()
    }
    try disk.syncDirectory("/d")
    try disk.rename("/d/new", to: "/d/old")
    let both = Set(
      outcomes.map { seed in
        let crashed = disk.crash(seed: seed)
        return [crashed.bytes(of: "/d/old"), crashed.bytes(of: "/d/new")]
      })
    #expect(both == [[[1], [2]], [[2], nil]])
  }

  @Test("after a sync that failed, what can be read may never be found")
  func failedSync() throws {
    let file = try disk.open("/d/a", .creating)
    try file.sync()
    try disk.syncDirectory("/d")
    var results: Set<[UInt8]?> = []
    for byte in 1...40 as ClosedRange<UInt8> {
      try file.write([byte], at: 0)
      disk.failOperation(1, .inputOutput)
      #expect(throws: FileError.self) { try file.sync() }
      try file.sync()
      #expect(disk.bytes(of: "/d/a") == [byte])
      results.insert(disk.crash(seed: 1).bytes(of: "/d/a") == [byte] ? [1] : [0])
    }
    #expect(results == [[0], [1]])
  }

  @Test("operations fail when they are told to, once or until that is cleared")
  func failures() throws {
    let file = try disk.open("/d/a", .creating)
    disk.failOperation(2, .noSpace, lasting: true)
    try file.write([1], at: 0)
    for _ in 0..<2 {
      let error = #expect(throws: FileError.self) { try file.write([2, 2], at: 0) }
      #expect(error?.isDiskFull == true)
    }
    try file.sync()
    disk.clearFailures()
    try file.write([3], at: 0)
    disk.failOperation(1, .inputOutput)
    #expect(throws: FileError.self) { try file.write([4], at: 0) }
    try file.write([5], at: 0)
    #expect(disk.bytes(of: "/d/a") == [5])
  }

  @Test("beyond its capacity nothing grows, and what is there can be written over")
  func capacity() throws {
    let file = try disk.open("/d/a", .creating)
    disk.setCapacity(8)
    try file.preallocate(8)
    #expect(throws: FileError.self) { try file.preallocate(9) }
    #expect(throws: FileError.self) { try file.write([1, 2], at: 7) }
    try file.write([1], at: 7)
    disk.setCapacity(nil)
    try file.write([1, 2], at: 7)
    #expect(disk.usedBytes == 9)
  }

  @Test("after the crash nothing works")
  func crashed() throws {
    let file = try disk.open("/d/a", .creating)
    disk.crashAtOperation(2)
    try file.write([1], at: 0)
    #expect(throws: FileError.self) { try file.sync() }
    #expect(disk.hasCrashed)
    #expect(throws: FileError.self) { try file.read(1, at: 0) }
    #expect(throws: FileError.self) { try disk.names(in: "/d") }
    #expect(throws: FileError.self) { try disk.remove("/d/a") }
    #expect(disk.bytes(of: "/d/a") == [1])
  }
}
