import Crypto
import Foundation
import HubCore
import HubProtocol
import HubStage
import HubStorage
import SeededRandom

/// Snapshot files, changed: they are not loaded, or they are what was written. With the checksums
/// put right they may be loaded, and then written again.
struct FileFuzzer: Fuzzer {
  let name = "files"
  private let blocks: ImageFuzzer.Blocks
  private let whole: [UInt8]
  private let digest: [UInt8]
  private let images: ImageFuzzer
  private let mutator = Mutator(
    words: [
      Array("hubsnap\n".utf8), [0xff, 0, 0, 0, 32, 0, 0, 0], [1, 0, 0, 0], [4, 0, 0, 0],
      [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0, 0, 0, 0, 0],
    ], others: [])
  private let path = URL(fileURLWithPath: NSTemporaryDirectory())
    .appendingPathComponent("hub-fuzz-\(ProcessInfo.processInfo.processIdentifier)")

  init() throws {
    images = ImageFuzzer()
    blocks = DrivenHub.withEverything().image.blocks
    whole = Self.file(of: blocks)
    try Data(whole).write(to: path)
    let loaded = try SnapshotReader.registry(at: path.path, windowMemory: 1 << 30)
    digest = DrivenHub(loaded.registry).digest
  }

  func flaw(_ random: inout SplitMix64) -> String? {
    let isRight = random.oneIn(3)
    let bytes =
      isRight
      ? Self.file(of: images.mutated(blocks, &random)) : mutator.mutated(whole, most: 3, &random)
    defer { try? FileManager.default.removeItem(at: path) }
    do {
      try Data(bytes).write(to: path)
      let loaded = try SnapshotReader.registry(at: path.path, windowMemory: 1 << 30)
      let isSame = DrivenHub(loaded.registry).digest == digest
      return isSame || isRight ? nil : "loaded, and different: \(bytes)"
    } catch let flaw as SnapshotFlaw {
      return flaw.description.isEmpty ? "no word of what is wrong" : nil
    } catch {
      return "\(error)"
    }
  }

  /// A snapshot file as the format says, all checksums right.
  private static func file(of blocks: ImageFuzzer.Blocks) -> [UInt8] {
    var bytes =
      Array("hubsnap\n".utf8) + little(UInt64(SnapshotHeader.version), 4)
      + [UInt8](repeating: 0, count: 48)
    bytes += little(UInt64(CRC32C.of(bytes)), 4)
    for block in blocks { bytes += Self.block(block.section.rawValue, block.bytes) }
    return bytes + block(0xff, Array(SHA256.hash(data: bytes)))
  }

  private static func block(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let head = [kind, 0, 0, 0] + little(UInt64(payload.count), 4)
    return head + little(UInt64(CRC32C.of(head + payload)), 4) + payload
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }
}
