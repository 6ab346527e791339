import Foundation
import HubStorage
import Testing

@Suite("Architecture, Storage: the data directory")
final class DataDirectoryTests {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("hub-data-\(UUID().uuidString)").path

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }

  @Test("it is made with all directories above it, for its owner alone")
  func nested() throws {
    let path = root + "/a/b/c"
    let directory = try DataDirectory(path: path)
    #expect(directory.path == path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(FileManager.default.fileExists(atPath: path + "/lock"))
  }

  @Test("one that is there already is used, with a slash behind it or not", arguments: ["", "/"])
  func existing(ending: String) throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    #expect(throws: Never.self) { _ = try DataDirectory(path: root + ending) }
  }

  @Test("a second hub on it is refused with a sentence, and takes nothing from the first")
  func locked() throws {
    let first = try DataDirectory(path: root)
    for _ in 0..<3 {
      #expect(throws: DataDirectoryError.locked(path: root)) { try DataDirectory(path: root) }
    }
    #expect(
      DataDirectoryError.locked(path: root).description
        == "another hub is running on the data directory \(root)")
    withExtendedLifetime(first) {}
  }

  @Test("another process finds it locked, and free when this one lets it go")
  func otherProcess() throws {
    var directory: DataDirectory? = try DataDirectory(path: root)
    #expect(try lockStatus() == 1)
    withExtendedLifetime(directory) {}
    directory = nil
    #expect(try lockStatus() == 0)
    #expect(throws: Never.self) { _ = try DataDirectory(path: root) }
  }

  @Test("it is free again when the object goes")
  func released() throws {
    for _ in 0..<200 { _ = try DataDirectory(path: root) }
  }

  @Test("a file in the way makes it unusable, and the sentence says why")
  func unusable() throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let file = root + "/file"
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    for path in [file, file + "/below"] {
      let error = #expect(throws: DataDirectoryError.self) { try DataDirectory(path: path) }
      #expect(
        error?.description == "the data directory \(path) cannot be used: Not a directory")
    }
  }

  /// What `flock` of another process says: 0 when it got the lock.
  private func lockStatus() throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["flock", "--nonblock", root + "/lock", "true"]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
