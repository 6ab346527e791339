import Foundation
import HubCore
import HubProtocol
import HubStage
import HubStorage
import Testing

@Suite("Architecture, Storage: the snapshots of a data directory")
struct SnapshotStoreTests {
  private let directory: SnapshotDirectory
  private let hub = DrivenHub()

  init() throws {
    directory = try SnapshotDirectory()
    hub.ask("user-0", #"{"op":"channel.create","channel":"room","kind":"public"}"#)
  }

  /// Says one thing more, so that the next snapshot is another one.
  private func goOn() {
    hub.ask("user-0", #"{"op":"message.send","channel":"room","text":"more"}"#)
  }

  /// Takes snapshots; the digests of what each holds.
  private func take(_ count: Int) throws -> [[UInt8]] {
    try (1...count).map {
      goOn()
      try directory.take(hub, lsn: $0)
      return hub.digest
    }
  }

  @Test("there is nothing in a fresh directory")
  func fresh() throws {
    let loaded = try directory.load()
    #expect(loaded.state == nil && loaded.file == nil && loaded.flawed == [])
  }

  @Test("two generations are kept, and the newest is loaded, with its header")
  func generations() throws {
    let digests = try take(5)
    #expect(try directory.names == ["snapshot-0000000004", "snapshot-0000000005"])
    let loaded = try directory.load()
    let state = try #require(loaded.state)
    #expect(DrivenHub(state.registry).digest == digests[4])
    #expect(state.header.lsn == LSN(5) && state.header.store == SnapshotDirectory.header.store)
    #expect(state.header.taken == SnapshotDirectory.header.taken)
    #expect(loaded.file == directory.path("snapshot-0000000005"))
  }

  @Test("what is reported is what is there")
  func report() throws {
    let report = try directory.take(hub, lsn: 9)
    #expect(report.file == directory.path("snapshot-0000000001") && report.lsn == LSN(9))
    #expect(report.bytes == (try directory.bytes("snapshot-0000000001")).count)
  }

  @Test("a corrupt newest one is set aside with its sentence, and the one before it used")
  func corruptNewest() throws {
    let digests = try take(2)
    try directory.damage("snapshot-0000000002")
    let loaded = try directory.load()
    #expect(loaded.state.map { DrivenHub($0.registry).digest } == digests[0])
    #expect(loaded.flawed.count == 1)
    let sentence = try #require(loaded.flawed.first).sentence
    try directory.store.setAside(loaded.flawed)
    #expect(sentence.hasPrefix(directory.path("snapshot-0000000002") + ": damaged at byte "))
    #expect(try directory.names == ["snapshot-0000000001", "snapshot-0000000002.bad"])

    // It is not tried again, and its number is not given out again.
    #expect(try directory.load().flawed == [])
    try directory.take(hub)
    #expect(
      try directory.names
        == ["snapshot-0000000001", "snapshot-0000000002.bad", "snapshot-0000000003"])
  }

  @Test("where none can be used each is named, and nothing is moved until somebody says so")
  func noneReadable() throws {
    _ = try take(2)
    for name in try directory.names { try directory.damage(name) }
    let before = try directory.names
    let loaded = try directory.load()
    #expect(loaded.state == nil && loaded.file == nil)
    for (name, flawed) in zip(before.reversed(), loaded.flawed) {
      #expect(flawed.sentence.contains(directory.path(name) + ": damaged at byte"))
    }
    #expect(try directory.names == before)
    try directory.store.setAside(loaded.flawed)
    #expect(try directory.names == ["snapshot-0000000001.bad", "snapshot-0000000002.bad"])
    #expect(try directory.load().flawed == [])
  }

  @Test("the older one is loaded for a longer replay, if it reaches far enough back and is good")
  func older() throws {
    let digests = try take(2)
    func load(_ first: Int, below lsn: Int) throws -> [UInt8]? {
      try directory.store.loadOlder(
        windowMemory: 1 << 30, atLeast: LSN(first), below: LSN(lsn)
      ).map { DrivenHub($0.registry).digest }
    }
    #expect(try load(0, below: 2) == digests[0])
    #expect(try load(1, below: 2) == digests[0])
    #expect(try load(2, below: 2) == nil)
    #expect(try directory.take(hub, lsn: 3).olderLSN == LSN(2))
    #expect(try load(0, below: 2) == nil)
    try directory.damage("snapshot-0000000002")
    #expect(try load(0, below: 3) == nil)
  }

  @Test("a newer format is refused and left alone")
  func newer() throws {
    _ = try take(2)
    var bytes = try directory.bytes("snapshot-0000000002")
    bytes[8] = 5
    let crc = CRC32C.of(bytes.prefix(60))
    for index in 0..<4 { bytes[60 + index] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index)) }
    try directory.write(bytes, to: "snapshot-0000000002")
    let before = try directory.names
    let error = #expect(throws: SnapshotRefusal.self) { try directory.load() }
    let sentence = error?.description ?? ""
    #expect(sentence.contains(directory.path("snapshot-0000000002")))
    #expect(sentence.contains("format 5 is newer than this hub's 4"))
    #expect(try directory.names == before)
  }

  @Test("a flipped version does not pass for a newer format")
  func flippedVersion() throws {
    let digests = try take(2)
    for offset in 8..<12 {
      try directory.damage("snapshot-0000000002", at: offset)
      #expect(try directory.loadedDigest() == digests[0])
      try directory.damage("snapshot-0000000002", at: offset)
    }
    #expect(try directory.loadedDigest() == digests[1])
  }

  @Test("a temporary file that a crash left behind is overwritten, and never loaded")
  func leftover() throws {
    try directory.write([1, 2, 3], to: "snapshot.tmp")
    #expect(try directory.load().state == nil)
    let digests = try take(1)
    #expect(try directory.names == ["snapshot-0000000001"])
    #expect(try directory.loadedDigest() == digests[0])
  }

  @Test("names that are not ours are left alone")
  func otherNames() throws {
    let others = [
      "snapshot-", "snapshot-1", "snapshot-00000000x1", "snapshot-9223372036854775807",
      "snapshot-99999999999999999999", "snapshot-٠٠٠٠٠٠٠٠٠١", "snapshot-0000000009.bak",
    ]
    for name in others { try directory.write([7], to: name) }
    #expect(try directory.load().state == nil)
    let digests = try take(3)
    #expect(try Set(others).isSubset(of: directory.names))
    #expect(try directory.loadedDigest() == digests[2])
  }

  @Test("the newest is the one with the highest number, however many digits it has")
  func order() throws {
    try directory.write([7], to: "snapshot-9999999999")
    let digests = try take(1)
    #expect(try directory.names.contains("snapshot-10000000000"))
    #expect(try directory.loadedDigest() == digests[0])
    #expect(try directory.names == ["snapshot-10000000000", "snapshot-9999999999"])
  }

  @Test("a snapshot that cannot be written changes nothing")
  func unwritable() throws {
    let digests = try take(2)
    try FileManager.default.createDirectory(
      atPath: directory.path("snapshot.tmp"), withIntermediateDirectories: false)
    #expect(throws: FileError.self) { try directory.take(hub) }
    #expect(try directory.loadedDigest() == digests[1])
  }
}
