import HubCore
import HubProtocol
import HubStage
import SeededRandom
import Testing

@Suite("Architecture, Storage: inboxes and runs in images")
struct InboxImageTests {
  private typealias Blocks = [(section: ImageSection, bytes: [UInt8])]

  @Test("what random worlds leave is loaded as it was, and goes on alike", arguments: 0..<6)
  func roundTrip(part: Int) throws {
    let world = InboxWorld(seed: TestSeed.value &+ UInt64(part), isLate: false)
    world.run(250)
    try #require(world.flaws.isEmpty, "\(TestSeed.hint), \(part): \(world.flaws.first ?? "")")
    let image = world.hub.hub.image
    let again = try image.loaded()
    #expect(again.digest == image.digest, "\(TestSeed.hint)")
  }

  @Test("a run is loaded as it was", arguments: [0, 1])
  func runs(parts: Int) throws {
    let image = Self.inTheMiddle(parts)
    let again = try image.loaded()
    #expect(again.hasRuns && again.digest == image.digest)
  }

  @Test("whatever becomes of its bytes, an image is an error or what it says")
  func mutated() throws {
    var random = SplitMix64(seed: TestSeed.value)
    let images = [Self.inTheMiddle(1), Self.lively()].map(\.blocks)
    var loaded = 0
    for round in 0..<3_000 {
      var blocks = images[round % 2]
      let place = random.below(2)
      for _ in 0...random.below(2) { Self.damage(&blocks[place].bytes, &random) }
      guard let registry = Self.load(blocks) else { continue }
      loaded += 1
      // Keys' pages and users apart, what was read is what is written.
      #expect(registry.image.blocks[0].bytes == blocks[0].bytes, "\(TestSeed.hint)")
      Self.goOn(registry)
    }
    #expect(loaded > 50, "\(loaded)")
  }

  @Test("nothing that is cut off is an image")
  func truncated() {
    for image in [Self.inTheMiddle(1), Self.lively()] {
      let whole = image.blocks
      for count in 0..<whole[0].bytes.count {
        var blocks = whole
        blocks[0].bytes.removeLast(blocks[0].bytes.count - count)
        #expect(Self.load(blocks) == nil, "\(count)")
      }
    }
  }

  private static func load(_ blocks: Blocks) -> Registry? {
    var loader = RegistryLoader(windowMemory: 1 << 30)
    do throws(ImageError) {
      for block in blocks { try loader.take(block.section, block.bytes) }
      return try loader.finish()
    } catch {
      return nil
    }
  }

  /// A hub that is made of it does what there is left, and takes more.
  private static func goOn(_ registry: Registry) {
    let hub = DrivenHub(registry)
    for name in ["alice", "user-1", "bot-7"] { hub.connect(name) }
    for name in ["alice", "user-1"] {
      hub.ask(name, #"{"op":"inbox.list","states":["unseen","seen","read","archived"]}"#)
      hub.ask(name, #"{"op":"inbox.mark","state":"read","upto":1}"#)
    }
    hub.ask(
      "bot-7",
      #"{"op":"notify","to":["alice","user-1"],"type":"x","text":"x","key":"n-1","#
        + #""collapse":"c-1"}"#)
    hub.ask("bot-7", #"{"op":"notify.retract","to":["alice","user-1"],"key":"n-1"}"#)
    hub.ask("user-1", #"{"op":"inbox.delete","upto":1}"#)
    for _ in 0..<4 { hub.pass(1) }
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let place = random.below(bytes.count)
    switch random.below(4) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.insert(random.pick([0, 1, 0x7f, 0x80, 0xff]), at: place)
    default: bytes.remove(at: place)
    }
  }

  /// A hub on which people lived.
  private static func lively() -> RegistryImage {
    let hub = DrivenHub()
    var life = Life(seed: 3)
    life.happen(400, on: hub)
    return hub.image
  }

  /// A hub in the middle of runs: one delivers, one takes back and waits for it, one forgets.
  private static func inTheMiddle(_ parts: Int) -> RegistryImage {
    let crowd = Crowd(300)
    crowd.first.create("room:b", .public, members: crowd.names)
    crowd.bot.notify(
      crowd.all, text: "x", actor: "u9", key: "k", collapse: "c",
      expires: crowd.hub.wall + 9_999)
    let other = crowd.hub.connect("shop", as: .bot)
    other.retract(crowd.segment, key: "k")
    crowd.first.send("room:a", "all", everybody: true)
    crowd.first.edit("room:a", 1, "all", mentions: ["u7"])
    crowd.first.send("room:b", "all", everybody: true)
    crowd.first.delete("room:b")
    crowd.hub.pass(parts)
    return crowd.hub.hub.image
  }
}
