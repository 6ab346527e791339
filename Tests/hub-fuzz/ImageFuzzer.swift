import HubCore
import HubProtocol
import HubStage
import SeededRandom

/// Blocks of images, changed, as if their checksums were right. What is loaded must be what the
/// blocks say, to the byte, and a hub that can go on and be written again.
struct ImageFuzzer: Fuzzer {
  typealias Blocks = [(section: ImageSection, bytes: [UInt8])]

  let name = "images"
  /// Settings written out although they are everybody's.
  private static let plainSettings: [UInt8] = [1, 0, 1, 1, 0, 0, 0, 0, 0]

  private let images: [Blocks]
  private let mutator: Mutator

  init() {
    let small = DrivenHub.withEverything().image.blocks
    // Most of the time the one where most bytes mean something.
    images =
      (1...6).map { seed in Self.image(seed: UInt64(seed), steps: seed * seed * 30) }
      + Array(repeating: small, count: 12)
    let words = ["user-1", "room:3", "dm:", "@", "{", "\"", "\0", ""]
    mutator = Mutator(
      words: words.map { Array($0.utf8) } + [
        [0x80, 0], [0xff, 0xff], [1, 1, 1], [0, 0, 0, 0], Self.plainSettings, [2, 1, 0], [2, 0, 1],
      ],
      others: images.flatMap { $0.map(\.bytes) })
  }

  /// The image of a hub on which something happened.
  static func image(seed: UInt64, steps: Int) -> Blocks {
    let hub = DrivenHub()
    var life = Life(seed: seed)
    life.happen(steps, on: hub)
    return hub.image.blocks
  }

  func flaw(_ random: inout SplitMix64) -> String? {
    let blocks = mutated(random.pick(images), &random)
    return flaw(of: blocks, &random).map { "\($0)\n\(blocks.map { "\($0.section) \($0.bytes)" })" }
  }

  /// One block changed, or the blocks themselves.
  func mutated(_ blocks: Blocks, _ random: inout SplitMix64) -> Blocks {
    var blocks = blocks
    // The keys' pages are many and all alike.
    let index = random.below(random.oneIn(10) ? blocks.count : min(blocks.count, 3))
    switch random.below(20) {
    case 0: blocks.remove(at: index)
    case 1: blocks.insert(blocks[index], at: random.below(blocks.count))
    case 2: blocks.swapAt(index, random.below(blocks.count))
    default: blocks[index].bytes = mutator.mutated(blocks[index].bytes, most: 2, &random)
    }
    return blocks
  }

  private func flaw(of blocks: Blocks, _ random: inout SplitMix64) -> String? {
    var loader = RegistryLoader(windowMemory: 1 << 30)
    let registry: Registry
    do throws(ImageError) {
      for block in blocks { try loader.take(block.section, block.bytes) }
      registry = try loader.finish()
    } catch {
      return error.description.isEmpty ? "no word of what is wrong" : nil
    }
    return Self.flaw(of: registry, from: blocks) ?? use(registry, &random)
  }

  private static func flaw(of registry: Registry, from blocks: Blocks) -> String? {
    let written = DrivenHub(registry).image.blocks
    for section in ImageSection.allCases {
      let read = blocks.filter { $0.section == section }.flatMap(\.bytes)
      let again = written.filter { $0.section == section }.flatMap(\.bytes)
      guard read == again else { return "what is loaded of \(section) is not what was read" }
    }
    return nil
  }

  /// Goes on with it; nothing may trap.
  private func use(_ registry: Registry, _ random: inout SplitMix64) -> String? {
    let hub = DrivenHub(registry)
    let seed = random.next()
    // Mostly among those who are in the image that most cases are made of.
    var life = random.oneIn(4) ? Life(seed: seed) : Life(inSmallHub: seed)
    life.happen(random.oneIn(4) ? 60 : 10, on: hub)
    hub.leaveAlone()
    hub.renewEpochs()
    return hub.digest.count == 32 ? nil : "no digest"
  }
}
