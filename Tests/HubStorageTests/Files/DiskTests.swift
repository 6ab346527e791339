import Foundation
import HubStorage
import SimulatedDisk
import Testing

/// What is asked of any file system; the simulated one must not be kinder than the machine's.
@Suite("Architecture, Storage: files")
final class DiskTests {
  private static let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("hub-disk-\(UUID().uuidString)").path

  enum Kind: CaseIterable, Sendable {
    case machine, simulated
  }

  /// A file system with a directory that a test may use.
  private func make(_ kind: Kind) throws -> (files: any FileSystem, directory: String) {
    switch kind {
    case .machine:
      let path = Self.root + "-" + UUID().uuidString
      let files = DiskFileSystem()
      try files.makeDirectory(path)
      made.append(path)
      return (files, path)
    case .simulated:
      let disk = SimulatedDisk()
      try disk.makeDirectory("/data")
      return (disk, "/data")
    }
  }

  private var made: [String] = []

  deinit {
    for path in made { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test(
    "are written and read anywhere, with zeros where nothing was written",
    arguments: Kind.allCases)
  func reading(kind: Kind) throws {
    let (files, directory) = try make(kind)
    let file = try files.open(directory + "/a", .creating)
    try file.write([1, 2, 3], at: 4)
    try file.write([9], at: 5)
    #expect(try file.read(10, at: 0) == [0, 0, 0, 0, 1, 9, 3])
    #expect(try file.read(2, at: 5) == [9, 3] && file.read(2, at: 7) == [])
    try file.preallocate(9)
    try file.preallocate(3)
    try file.sync()
    let again = try files.open(directory + "/a", .writing)
    #expect(try again.size() == 9 && again.read(4, at: 6) == [3, 0, 0])
    #expect(try files.open(directory + "/a", .creating).size() == 0)
  }

  @Test("have names that can be changed and taken away", arguments: Kind.allCases)
  func names(kind: Kind) throws {
    let (files, directory) = try make(kind)
    for name in ["b", "a"] {
      try files.open(directory + "/" + name, .creating).write(Array(name.utf8), at: 0)
    }
    try files.makeDirectory(directory + "/sub")
    try files.makeDirectory(directory + "/sub")
    #expect(try files.names(in: directory) == ["a", "b", "sub"])
    try files.rename(directory + "/a", to: directory + "/b")
    #expect(try files.names(in: directory) == ["b", "sub"])
    #expect(try files.open(directory + "/b", .reading).read(9, at: 0) == Array("a".utf8))
    try files.syncDirectory(directory)
    for _ in 0..<2 { try files.remove(directory + "/b") }
    #expect(!files.exists(directory + "/b") && files.exists(directory + "/sub"))
  }

  @Test("that are not there are told by name", arguments: Kind.allCases)
  func missing(kind: Kind) throws {
    let (files, directory) = try make(kind)
    let path = directory + "/none"
    for mode in [FileMode.reading, .writing] {
      let error = #expect(throws: FileError.self) { try files.open(path, mode) }
      #expect(error?.description == "cannot open \(path): No such file or directory")
      #expect(error?.isDiskFull == false)
    }
    let error = #expect(throws: FileError.self) { try files.rename(path, to: path + "2") }
    #expect(error?.operation == "rename")
    #expect(throws: FileError.self) { try files.open(path + "/below", .creating) }
  }

  #if os(Linux)
    @Test("on a full disk say so")
    func full() throws {
      let file = try DiskFileSystem().open("/dev/full", .writing)
      let error = #expect(throws: FileError.self) { try file.write([1], at: 0) }
      #expect(error?.isDiskFull == true)
    }
  #endif

  @Test("a sync that failed never says that the disk is full")
  func failedSync() {
    let error = FileError(operation: "sync", path: "a", reason: "", isDiskFull: true)
    #expect(!error.isDiskFull)
  }
}
