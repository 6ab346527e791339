import HubCore
import HubStage
import HubStorage
import SeededRandom
import Testing

@Suite("Architecture, Storage: a damaged snapshot")
struct SnapshotDamageTests {
  private static let seeds: [UInt64] = [1] + (0..<3).map { _ in UInt64.random(in: 0 ... .max) }
  private let directory: SnapshotDirectory
  private let whole: [UInt8]
  private let digest: [UInt8]
  private let name = "snapshot-0000000001"

  init() throws {
    directory = try SnapshotDirectory()
    let hub = DrivenHub()
    var life = Life(seed: 77)
    life.happen(400, on: hub)
    try directory.take(hub)
    whole = try directory.bytes(name)
    digest = hub.digest
  }

  /// What is wrong with a file; nil when it is loaded, which must then be what was written.
  private func flaw(of bytes: some Sequence<UInt8>) throws -> SnapshotFlaw? {
    try directory.write(bytes, to: "broken")
    do {
      let path = directory.path("broken")
      let loaded = try SnapshotReader.registry(at: path, windowMemory: 1 << 30)
      #expect(DrivenHub(loaded.registry).digest == digest, "loaded, and silently different")
      #expect(loaded.header == SnapshotDirectory.header)
      return nil
    } catch {
      return error
    }
  }

  private func expectDamage(_ bytes: some Sequence<UInt8>, _ comment: Comment) throws {
    guard case .damaged(let offset, _) = try flaw(of: bytes) else {
      Issue.record("not found to be damaged: \(comment)")
      return
    }
    #expect((0...whole.count).contains(offset), comment)
  }

  /// Where each block begins, and where the file ends.
  private func boundaries() throws -> [Int] {
    var reader = try SnapshotReader(directory.path(name))
    var offsets = [64]
    while let block = try reader.next() { offsets.append(block.offset + 12 + block.payload.count) }
    return offsets + [whole.count]
  }

  @Test("whole, it is loaded")
  func intact() throws {
    #expect(try flaw(of: whole) == nil)
  }

  @Test("cut anywhere, it is not loaded, and the flaw says where")
  func truncated() throws {
    var random = SplitMix64(seed: 3)
    var lengths = Set((0..<500).map { _ in random.below(whole.count) })
    for boundary in try boundaries() { lengths.formUnion(boundary - 13...boundary + 13) }
    lengths.formUnion(0...80)
    for length in lengths.sorted() where length < whole.count {
      try expectDamage(whole.prefix(length), "cut to \(length) bytes")
    }
  }

  @Test("with any byte of a header changed, it is not loaded")
  func headers() throws {
    var offsets = Array(0..<64)
    for boundary in try boundaries().dropLast() { offsets += boundary..<boundary + 12 }
    for offset in offsets {
      for bit in 0..<8 {
        var bytes = whole
        bytes[offset] ^= 1 << UInt8(bit)
        try expectDamage(bytes, "bit \(bit) of byte \(offset)")
      }
    }
  }

  @Test("with bits flipped anywhere, it is not loaded", arguments: seeds)
  func flipped(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      var bytes = whole
      let offsets = (0...random.below(3)).map { _ in random.below(whole.count) }
      for offset in offsets { bytes[offset] ^= 1 << UInt8(random.below(8)) }
      guard bytes != whole else { continue }
      try expectDamage(bytes, "seed \(seed): \(offsets)")
    }
  }

  @Test("with blocks left out, repeated or exchanged, it is not loaded")
  func blocks() throws {
    let offsets = try boundaries()
    let pieces = zip(offsets, offsets.dropFirst()).map { whole[$0..<$1] }
    let head = whole[..<64]
    for index in pieces.indices {
      var others = pieces
      others.remove(at: index)
      try expectDamage(head + others.joined(), "without block \(index)")
      others = pieces
      others.insert(pieces[index], at: index)
      try expectDamage(head + others.joined(), "block \(index) twice")
      others = pieces
      others.swapAt(index, 0)
      guard index > 0 else { continue }
      try expectDamage(head + others.joined(), "block \(index) in front")
    }
  }

  @Test("with more behind the end, it is not loaded")
  func longer() throws {
    try expectDamage(whole + [0], "one byte more")
    try expectDamage(whole + whole, "twice")
  }

  @Test("a length that the file does not have takes no memory")
  func announcedLength() throws {
    var bytes = whole
    for index in 68..<72 { bytes[index] = 0xff }
    try expectDamage(bytes, "a block of 4 GiB")
  }

  @Test("what is not there, or cannot be opened, is told by its name")
  func unreadable() {
    let error = #expect(throws: SnapshotFlaw.self) {
      try SnapshotReader(directory.path("missing"))
    }
    #expect(error?.description.contains(directory.path("missing")) == true)
  }
}
