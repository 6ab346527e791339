import HubCore
import HubProtocol
import HubStorage
import Testing

@Suite("Architecture, Storage: searching history")
struct HistorySearchTests {
  private let stage: HistoryStage
  private let history: HistoryStore

  init() throws {
    stage = try HistoryStage()
    history = try stage.open().store
  }

  /// Sends texts as messages 1, 2, … of channel 0.
  private func send(_ texts: [String]) throws {
    for (index, text) in texts.enumerated() {
      history.append([.put(try stored(index + 1, text))], upTo: LSN(index + 1))
    }
  }

  @Test("all words must be there, in any order and case, the last one as a beginning")
  func words() async throws {
    try send(["The quick brown fox", "a quick bread", "brown bread, quick!"])
    let found = await history.found("quick BRO", at: 3)
    #expect(found == ["brown bread, quick!", "The quick brown fox"])
    #expect(await history.found("bro quick", at: 3) == [])
    #expect(await history.found("quick", at: 3).count == 3)
    history.close()
  }

  @Test("accents and case make no difference")
  func accents() async throws {
    try send(["Crème brûlée in ZÜRICH"])
    #expect(await history.found("creme BRULEE zuri", at: 1).count == 1)
    history.close()
  }

  @Test(
    "scripts without spaces are found by any piece of a text",
    arguments: ["東京", "京タワ", "タワー", "한국", "국어", "ไทย", "ภาษา", "tokyo東"])
  func unspaced(query: String) async throws {
    try send(["tokyo東京タワーへ行く", "한국어 텍스트", "ภาษาไทย"])
    #expect(await history.found(query, at: 3).count == 1)
    #expect(await history.found("京東", at: 3) == [])
    history.close()
  }

  @Test(
    "what means something to the index is text in a query",
    arguments: [
      "\"", "'", "*", "alpha*", "NEAR(alpha beta)", "alpha OR gamma", "-alpha", "text:alpha",
      "alpha AND", "NOT alpha", "(alpha", "alpha\"", "alpha\u{0}beta", "^alpha", "{text}: alpha",
      "alpha + beta", "", "  ", "!?", "\u{301}", "%", "_", "alpha--", "/* alpha", "🙂",
    ])
  func syntax(query: String) async throws {
    try send(["alpha beta"])
    let answer = await history.ask(
      .search(
        HistorySearch(text: query, channels: [channel(0)], excluded: [], below: nil, limit: 5)),
      at: 1)
    let isPlain = [
      "alpha*", "-alpha", "(alpha", "alpha\"", "alpha\u{0}beta", "^alpha",
      "alpha + beta", "alpha--", "/* alpha",
    ].contains(query)
    #expect(answer.messages?.count == (isPlain ? 1 : 0), "\(answer)")
    #expect(stage.damages.isEmpty)
    history.close()
  }

  @Test("channels that were not asked for and excluded authors are not found")
  func filters() async throws {
    history.append(
      [
        .put(try stored(1, in: 0, by: 1, "pear one")),
        .put(try stored(1, in: 1, by: 2, "pear two")),
        .put(try stored(1, in: 12, by: 3, "pear three")),
      ], upTo: LSN(1))
    #expect(await history.found("pear", in: [0, 1], at: 1) == ["pear two", "pear one"])
    #expect(
      await history.found("pear", in: Array(0...20), excluded: [2], at: 1)
        == ["pear three", "pear one"])
    #expect(await history.found("pear", in: [], at: 1) == [])
    #expect(await history.found("c1", in: [1], at: 1) == [], "the word for a channel")
    history.close()
  }

  @Test("an edit is found by its words at its old place, a deletion not at all")
  func changes() async throws {
    try send(["kiwi one", "kiwi two", "kiwi three"])
    #expect(await history.found("kiwi", at: 3) == ["kiwi three", "kiwi two", "kiwi one"])
    history.append([.put(try stored(1, "kiwi first", rev: 1))], upTo: LSN(4))
    #expect(await history.found("kiwi", at: 4) == ["kiwi three", "kiwi two", "kiwi first"])
    #expect(await history.found("one", at: 4) == [])
    history.append([.put(try stored(2, rev: 2, isDeleted: true))], upTo: LSN(5))
    #expect(await history.found("kiwi", at: 5) == ["kiwi three", "kiwi first"])
    history.append([.expired(channel(0), upTo: 1)], upTo: LSN(6))
    #expect(await history.found("kiwi", at: 6) == ["kiwi three"])
    history.append([.removed(channel(0))], upTo: LSN(7))
    #expect(await history.found("kiwi", at: 7) == [])
    history.close()
  }

  @Test("page by page, everything is found once")
  func pages() async throws {
    try send((1...25).map { $0 % 2 == 0 ? "plum \($0)" : "other \($0)" })
    var found: [String] = []
    var below: Int?
    repeat {
      let search = HistorySearch(
        text: "plum", channels: [channel(0)], excluded: [], below: below, limit: 5)
      guard case .found(let page, let next) = await history.ask(.search(search), at: 25) else {
        Issue.record("no answer")
        break
      }
      found += page.compactMap(\.message.content.text)
      below = next
    } while below != nil
    #expect(found == stride(from: 24, to: 0, by: -2).map { "plum \($0)" })
    history.close()
  }

  @Test("an answer that looked at as much as it may says where to go on")
  func budget() async throws {
    history.close()
    let few = try stage.open { $0.searchRows = 4 }.store
    few.append([.put(try stored(1, in: 9, "fig"))], upTo: LSN(1))
    for seq in 1...10 { few.append([.put(try stored(seq, in: 3, "fig"))], upTo: LSN(seq + 1)) }
    var rounds = 0
    var below: Int?
    var found: [StoredMessage] = []
    repeat {
      let search = HistorySearch(
        text: "fig", channels: Set((9...30).map(channel)), excluded: [], below: below, limit: 5)
      guard case .found(let page, let next) = await few.ask(.search(search), at: 11) else { break }
      found += page
      below = next
      rounds += 1
    } while below != nil && rounds < 9
    #expect(found.map(\.channel) == [channel(9)] && rounds == 3)
    few.close()
  }

  @Test("what waited to be indexed when history ended is indexed later")
  func survives() async throws {
    try send((1...30).map { "lime \($0)" })
    history.close()
    let (again, _) = try stage.open()
    #expect(again.figures.unindexed == 0)
    #expect(await again.found("lime 17", at: 30) == ["lime 17"])
    again.close()
  }

  @Test("what was killed between an edit and its indexing is found by its new words only")
  func killed() async throws {
    history.close()
    let history = try stage.open { $0.indexDelayMilliseconds = 1_000_000 }.store
    for (index, text) in ["mango one", "mango two", "mango three"].enumerated() {
      history.append([.put(try stored(index + 1, text))], upTo: LSN(index + 1))
    }
    #expect(await history.found("mango", at: 3).count == 3)
    history.append(
      [
        .put(try stored(1, "papaya", rev: 1)), .put(try stored(2, rev: 2, isDeleted: true)),
        .put(try stored(4, "mango four")), .put(try stored(5, "papaya five")),
        .put(try stored(5, "mango five", rev: 3)),
      ], upTo: LSN(4))
    #expect(await history.ask(.range(channel(0), 1...9), at: 4).messages?.count == 5)
    #expect(history.figures.unindexed > 0)
    let copy = try HistoryStage()
    for name in ["history.sqlite", "history.sqlite-wal"] {
      try copy.write(try stage.bytes(name), to: name)
    }
    let (again, opened) = try copy.open { $0.indexDelayMilliseconds = 1_000_000 }
    #expect(opened.applied == LSN(4) && again.figures.unindexed > 0)
    for one in [again, history] {
      #expect(await one.found("mango", at: 4) == ["mango five", "mango four", "mango three"])
      #expect(await one.found("papaya", at: 4) == ["papaya"])
      #expect(await one.found("one", at: 4) == [] && one.figures.unindexed == 0)
      one.close()
    }
    #expect(copy.damages.isEmpty && stage.damages.isEmpty)
  }

  @Test("an edit of a message whose old text was damaged is not found by that")
  func damagedBefore() async throws {
    try send(["guava seven", "guava eight"])
    history.close()
    var bytes = try stage.bytes("history.sqlite")
    let text = Array("guava seven".utf8)
    for place in 0..<bytes.count - text.count
    where Array(bytes[place..<place + text.count]) == text {
      bytes[place] = UInt8(ascii: "x")
    }
    try stage.write(bytes, to: "history.sqlite")
    let again = try stage.open().store
    again.append([.put(try stored(1, "lychee seven", rev: 1))], upTo: LSN(3))
    #expect(await again.found("guava", at: 3) == ["guava eight"])
    #expect(await again.found("lychee", at: 3) == ["lychee seven"])
    #expect(await again.found("seven", at: 3) == ["lychee seven"])
    again.close()
  }
}
