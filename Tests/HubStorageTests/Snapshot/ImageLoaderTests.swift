import HubCore
import HubProtocol
import HubStage
import Testing

/// Blocks whose checksums would be right and whose contents are not: a fault of ours, and what the
/// fuzzers found.
@Suite("Architecture, Storage: blocks of an image that make no registry")
struct ImageLoaderTests {
  typealias Blocks = [(section: ImageSection, bytes: [UInt8])]

  private let blocks = DrivenHub.withEverything().image.blocks

  private func flaw(of blocks: Blocks) throws -> String {
    let error = #expect(throws: ImageError.self) {
      var loader = RegistryLoader(windowMemory: 1 << 30)
      for block in blocks { try loader.take(block.section, block.bytes) }
      _ = try loader.finish()
    }
    return try #require(error).description
  }

  /// The blocks with one of them changed.
  private func changed(_ section: ImageSection, _ change: (inout [UInt8]) -> Void) -> Blocks {
    var blocks = blocks
    for index in blocks.indices where blocks[index].section == section {
      change(&blocks[index].bytes)
    }
    return blocks
  }

  @Test("whole, they do")
  func whole() throws {
    var loader = RegistryLoader(windowMemory: 1 << 30)
    for block in blocks { try loader.take(block.section, block.bytes) }
    #expect(DrivenHub(try loader.finish()).image.blocks.map(\.bytes) == blocks.map(\.bytes))
  }

  @Test("without one of the blocks", arguments: 0..<4)
  func missing(index: Int) throws {
    var others = blocks
    let section = others.remove(at: index).section
    let sentences: [ImageSection: String] = [
      .settings: "the settings expected at byte 0", .users: "a user below 0 expected at byte",
      .channels: "6 users, 5 channels and 4096 pages of keys expected at byte 0",
      .keys: "6 users, 5 channels and 4096 pages of keys expected at byte 0",
    ]
    #expect(try flaw(of: others).hasPrefix(try #require(sentences[section])))
  }

  @Test("nothing at all")
  func nothing() throws {
    #expect(try flaw(of: []) == "the settings expected at byte 0")
  }

  @Test("with one of the blocks twice", arguments: 0..<4)
  func twice(index: Int) throws {
    let sentences = [
      "the settings only once", "no user twice", "no channel twice", "page 4096",
    ]
    var more = blocks
    more.insert(blocks[index], at: index + 1)
    let flaw = try flaw(of: more)
    let isOrder = index == 0 && flaw.hasPrefix("the sections in order")
    #expect(isOrder || flaw.hasPrefix(sentences[index] + " expected at byte"))
  }

  @Test("with users behind the channels")
  func order() throws {
    var others = blocks
    let empty = changed(.channels) { $0 = [] }
    others = [empty[0], empty[2], empty[1], empty[3]]
    #expect(try flaw(of: others) == "the sections in order expected at byte 0")
  }

  @Test("with a number in a longer form than it needs")
  func longerNumber() throws {
    let others = changed(.settings) { $0.replaceSubrange(0..<1, with: [$0[0] | 0x80, 0]) }
    #expect(try flaw(of: others) == "a number up to 2^53 expected at byte 2")
  }

  @Test("with a number that no double could hold")
  func largeNumber() throws {
    let groups: [UInt8] = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]
    let others = changed(.settings) { $0.replaceSubrange(0..<1, with: groups) }
    #expect(try flaw(of: others) == "a number up to 2^53 expected at byte 8")
  }

  @Test("with more behind the settings, or half a user behind the users")
  func more() throws {
    #expect(try flaw(of: changed(.settings) { $0.append(0) }).hasPrefix("the end of the block"))
    #expect(try flaw(of: changed(.users) { $0.append(4) }).hasPrefix("4 bytes expected at byte"))
  }

  /// Pieces of the blocks in another form, and what is said of it.
  private static let contradictions: [(ImageSection, [UInt8], [UInt8], String)] = {
    let (b, c, e, g, k) = (byte("b"), byte("c"), byte("e"), byte("g"), byte("k"))
    let usual: [UInt8] = [1, 0, 1, 1, 0, 0, 0, 0, 0]
    let reactors: [UInt8] = [2, 3, 0, 2, 4, 1, 0, 148]
    return [
      (.users, [1, b, 0, 0, 2, b, 9], [1, b, 0, 0, 2, 97, 9], "no user twice"),
      (
        .users, [1, c, 0, 0, 0, 0, 0, 0, 0, 1, 0], [1, c, 0, 0, 0, 0, 0, 0] + usual + [1, 0],
        "settings that are not everybody's"
      ),
      (.users, [2, 2, 4, 1, 1, g], [2, 4, 2, 1, 1, g], "users in order"),
      (.users, [2, 2, 4, 1, 1, g], [2, 2, 2, 1, 1, g], "users in order"),
      (.users, [2, 2, 4, 1, 1, g], [2, 2, 6, 1, 1, g], "a user below 6"),
      (.channels, reactors, [2, 3, 2, 0, 4, 1, 0, 148], "users in order"),
      (.channels, reactors, [2, 2, 0, 2, 1, 0, 148], "as many users as counted"),
      (.channels, [3, 2, 129, 160], [3, 4, 129, 160], "sanctions in order"),
      (
        .channels, [b, 1, 0, 1, 0, 0, 7], [b, 1, 0, 2, 0, 0, 7], "replies as they were counted"
      ),
      (.channels, [c, 0, 2, 0, 0, 2, k], [c, 0, 3, 0, 0, 2, k], "replies as they were counted"),
      (
        .channels, [5, 0, 1, 2, 0, 1, 2, 3, 4, 3], [5, 0, 1, 2, 0, 1, 1, 3, 3],
        "the same deleted messages in both places"
      ),
      (.channels, [e, 0, 0, 0, 0, 0, 27], [e, 1, 0, 0, 0, 0, 27], "a pair in direct channels"),
    ]
  }()

  private static func byte(_ letter: Unicode.Scalar) -> UInt8 { UInt8(ascii: letter) }

  @Test("with what would not be written so, or contradicts itself", arguments: contradictions)
  func contradiction(
    section: ImageSection, piece: [UInt8], other: [UInt8], sentence: String
  ) throws {
    let bytes = try #require(blocks.first { $0.section == section }).bytes
    let places = bytes.ranges(of: piece)
    try #require(places.count == 1, "where the test looks")
    let others = changed(section) { $0.replaceSubrange(places[0], with: other) }
    #expect(try flaw(of: others).hasPrefix(sentence))
  }

  @Test("without a name for the numbering of records")
  func namelessStream() throws {
    let others = changed(.settings) { $0.replaceSubrange(2..<30, with: [0]) }
    #expect(try flaw(of: others).hasPrefix("the name of the numbering"))
  }

  @Test("cut anywhere", arguments: ImageSection.allCases)
  func cut(section: ImageSection) throws {
    let bytes = try #require(blocks.first { $0.section == section }).bytes
    for count in 0..<min(bytes.count, 2_000) {
      #expect(throws: ImageError.self, "\(section) cut to \(count)") {
        var loader = RegistryLoader(windowMemory: 1 << 30)
        for block in changed(section, { $0 = Array(bytes.prefix(count)) }) {
          try loader.take(block.section, block.bytes)
        }
        _ = try loader.finish()
      }
    }
  }

  @Test("what an item stood for before it grew is known again")
  func earlierKeys() throws {
    let hub = DrivenHub(try DrivenHub(loaded()).image.loaded())
    for key in ["1", "2"] {
      let answer = hub.ask(
        "bot-7",
        #"{"op":"notify","to":["a"],"type":"t","text":"x","key":"\#(key)","collapse":"c"}"#)
      #expect(answer.contains(#""made":0"#), "\(key): \(answer)")
    }
  }

  private func loaded() throws -> Registry {
    var loader = RegistryLoader(windowMemory: 1 << 30)
    for block in blocks { try loader.take(block.section, block.bytes) }
    return try loader.finish()
  }
}
