import HubCore
import HubProtocol
import HubStage
import Testing

/// Blocks whose checksums would be right and whose contents are not: a fault of ours, and what the
/// fuzzers found.
@Suite("Architecture, Storage: blocks of an image that make no registry")
struct ImageLoaderTests {
  typealias Blocks = [(section: ImageSection, bytes: [UInt8])]

  private let blocks: Blocks = {
    let hub = DrivenHub()
    for name in ["user-0", "user-1", "bot-7"] { hub.connect(name) }
    hub.ask("user-0", #"{"op":"channel.create","channel":"a","kind":"public"}"#)
    hub.ask("user-1", #"{"op":"channel.join","channel":"a"}"#)
    hub.ask("user-1", #"{"op":"message.send","channel":"a","text":"t","mentions":["user-0"]}"#)
    for key in ["one", "two"] {
      hub.ask(
        "bot-7",
        #"{"op":"notify","to":["user-0"],"type":"t","text":"x","key":"\#(key)","collapse":"c"}"#)
    }
    return hub.image.blocks
  }()

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
      .channels: "3 users, 1 channels and 4096 pages of keys expected at byte 0",
      .keys: "3 users, 1 channels and 4096 pages of keys expected at byte 0",
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

  @Test("cut anywhere", arguments: ImageSection.allCases)
  func cut(section: ImageSection) throws {
    let bytes = try #require(blocks.first { $0.section == section }).bytes
    for count in 0..<min(bytes.count, 400) {
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
    for key in ["one", "two"] {
      let answer = hub.ask(
        "bot-7",
        #"{"op":"notify","to":["user-0"],"type":"t","text":"x","key":"\#(key)","collapse":"c"}"#)
      #expect(answer.contains(#""made":0"#), "\(key): \(answer)")
    }
  }

  private func loaded() throws -> Registry {
    var loader = RegistryLoader(windowMemory: 1 << 30)
    for block in blocks { try loader.take(block.section, block.bytes) }
    return try loader.finish()
  }
}
