import HubCore
import HubProtocol
import HubStorage
import SeededRandom
import Testing

@Suite("Architecture, Storage: the life of a history")
struct HistoryLifeTests {
  private let stage: HistoryStage

  init() throws { stage = try HistoryStage() }

  private func fill(_ history: HistoryStore, _ count: Int, from first: Int = 1) throws {
    for seq in first..<first + count {
      history.append([.put(try stored(seq, "message \(seq)"))], upTo: LSN(seq))
    }
  }

  private func seqs(_ history: HistoryStore, at lsn: Int) async -> [Int]? {
    await history.ask(.range(channel(0), 1...1_000_000), at: lsn).messages?.map(\.message.seq)
  }

  @Test("an absent file is begun, and what was written is there again")
  func begins() async throws {
    let (history, opened) = try stage.open()
    #expect(opened.isFresh && opened.applied == LSN(0) && opened.setAside == nil)
    try fill(history, 20)
    history.close()
    let again = try stage.open()
    #expect(!again.opened.isFresh && again.opened.applied == LSN(20))
    #expect(await seqs(again.store, at: 20) == Array(1...20))
    again.store.close()
  }

  @Test("after it is closed everything is refused, and nothing waits")
  func closed() async throws {
    let history = try stage.open().store
    try fill(history, 3)
    history.close()
    history.close()
    guard case .failed(let reason) = await history.ask(.range(channel(0), 1...2), at: 3) else {
      Issue.record("answered")
      return
    }
    #expect(reason == "history is closed")
    let misplaced = HistoryFailure.misplaced(
      "\(stage.path)/history.sqlite: nothing was taken up to record 9")
    #expect(throws: misplaced) {
      try history.makeDurable(LSN(9))
    }
    #expect(history.figures.durable == LSN(3) && history.figures.state == .closed)
  }

  @Test("what is made durable is on the disk, and said to be")
  func durable() throws {
    let history = try stage.open().store
    try fill(history, 50)
    try history.makeDurable(LSN(50))
    #expect(history.figures.durable == LSN(50))
    #expect(stage.notices.contains(.durable(LSN(50))))
    history.close()
  }

  @Test("another store's file is set aside, under a name that was not used")
  func otherStore() throws {
    for number in 1...3 {
      let (history, opened) = try stage.open(store: StoreID(high: 1, low: UInt64(number)))
      #expect(opened.isFresh)
      #expect((opened.setAside == nil) == (number == 1))
      history.close()
    }
    #expect(
      try stage.names.filter { $0.contains("bad") }
        == ["history.sqlite.bad-1", "history.sqlite.bad-2"])
  }

  @Test("another format is refused by name")
  func otherFormat() throws {
    let (history, _) = try stage.open()
    history.close()
    var bytes = try stage.bytes("history.sqlite")
    // `user_version` in the header, and the state is one that cannot be understood.
    bytes[63] = 9
    let id: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]
    let place = try #require((0..<bytes.count - 8).first { Array(bytes[$0..<$0 + 8]) == id })
    bytes[place] = 2
    try stage.write(bytes, to: "history.sqlite")
    #expect(throws: HistoryRefusal.otherFormat(file: stage.path + "/history.sqlite", version: 9)) {
      try stage.open()
    }
  }

  @Test("a header that does not fit its state is damage, not another format")
  func damagedHeader() throws {
    let (history, _) = try stage.open()
    history.close()
    var bytes = try stage.bytes("history.sqlite")
    bytes[63] = 9
    try stage.write(bytes, to: "history.sqlite")
    let (again, opened) = try stage.open()
    #expect(opened.setAside?.contains("its header is damaged") == true)
    again.close()
  }

  @Test("on a full disk reading goes on and writing is tried again; nothing is lost")
  func full() async throws {
    let history = try stage.open {
      $0.pageLimit = 60
      $0.retryMilliseconds = 5
    }.store
    try fill(history, 5)
    #expect(await seqs(history, at: 5) == Array(1...5))
    let big = String(repeating: "x", count: 20_000)
    for seq in 6...40 { history.append([.put(try stored(seq, big))], upTo: LSN(seq)) }
    guard case .failed = await history.ask(.range(channel(0), 1...9), at: 40) else {
      Issue.record("there was room")
      return
    }
    #expect(stage.notices.contains { if case .full = $0 { true } else { false } })
    let kept = history.figures.applied.number
    #expect(await seqs(history, at: kept) == Array(1...kept))
    #expect(throws: HistoryFailure.self) { try history.makeDurable(LSN(40)) }
    history.close()
    let (again, opened) = try stage.open()
    #expect(opened.setAside == nil && opened.applied.number == kept)
    for seq in 6...40 { again.append([.put(try stored(seq, big))], upTo: LSN(seq)) }
    #expect(await seqs(again, at: 40) == Array(1...40))
    again.close()
  }

  @Test("as soon as there is room it is written, and said to be writable")
  func writable() async throws {
    let history = try stage.open {
      $0.pageLimit = 60
      $0.retryMilliseconds = 5
    }.store
    let big = String(repeating: "x", count: 20_000)
    history.append(try (1...40).map { .put(try stored($0, big)) }, upTo: LSN(1))
    guard case .failed = await history.ask(.range(channel(0), 1...9), at: 1) else {
      Issue.record("there was room")
      return
    }
    // What waits has no need of room by this.
    history.append([.expired(channel(0), upTo: 39)], upTo: LSN(2))
    await stage.hears(.writable)
    #expect(await seqs(history, at: 2) == [40])
    #expect(history.figures.state == .writable)
    history.close()
  }

  @Test("it is behind above a bound and has caught up at half")
  func behind() async throws {
    let history = try stage.open { $0.behindChanges = 50 }.store
    let changes = try (1...60).map { HistoryChange.put(try stored($0)) }
    history.append(changes, upTo: LSN(1))
    _ = await seqs(history, at: 1)
    history.close()
    #expect(
      stage.notices.filter { if case .behind = $0 { true } else { false } }
        == [.behind(true), .behind(false)])
    #expect(history.figures.pendingChanges == 0 && history.figures.pendingBytes == 0)
  }

  @Test("a message beyond what a row can say fails history with a sentence")
  func beyond() async throws {
    let history = try stage.open().store
    history.append([.put(try stored(1 << 35))], upTo: LSN(1))
    guard case .failed(let reason) = await history.ask(.range(channel(0), 1...2), at: 1) else {
      Issue.record("answered")
      return
    }
    #expect(reason.contains("beyond what history holds"))
    history.close()
  }

  @Test("the first use of a key is found, also when it was used again, until it expires")
  func keys() async throws {
    let history = try stage.open().store
    history.append(
      [
        .put(try stored(1, by: 1, ts: 10, key: "k")), .put(try stored(2, by: 2, ts: 20, key: "k")),
        .put(try stored(3, by: 1, ts: 30, key: "k")),
      ], upTo: LSN(1))
    func first(_ author: Int, _ key: String, at lsn: Int) async -> Int? {
      let query = HistoryQuery.facts(channel(0), seqs: [], key: (user(author), key))
      guard case .facts(_, let first) = await history.ask(query, at: lsn) else { return -1 }
      return first?.seq
    }
    #expect(await first(1, "k", at: 1) == 1)
    #expect(await first(2, "k", at: 1) == 2)
    #expect(await first(3, "k", at: 1) == nil)
    history.append([.expired(channel(0), upTo: 1)], upTo: LSN(2))
    #expect(await first(1, "k", at: 2) == 3)
    history.close()
  }

  @Test("going back leaves what the registry knows, and says what is ahead of it")
  func rewinds() async throws {
    let history = try stage.open().store
    for seq in 1...10 {
      history.append(
        [.put(try stored(seq, "grape \(seq)")), .put(try stored(seq, in: 1, "grape"))],
        upTo: LSN(seq))
    }
    history.append([.put(try stored(3, "raisin", rev: 4))], upTo: LSN(11))
    history.close()
    let (again, _) = try stage.open()
    let rewound = try again.rewind(to: LSN(7)) { ref in
      ref == channel(0) ? ChannelEnd(seq: 7, rev: 3) : nil
    }
    #expect(rewound.deleted == 13)
    #expect(rewound.ahead.map(\.seq) == [3])
    #expect(again.figures.applied == LSN(7))
    #expect(await seqs(again, at: 7) == Array(1...7))
    #expect(await again.found("grape", in: [0, 1], at: 7).count == 6)
    again.append(
      [.put(try stored(8, "another")), .put(try stored(1, in: 1, "fresh"))], upTo: LSN(8))
    #expect(await again.found("another", at: 8) == ["another"])
    #expect(await again.found("fresh", in: [1], at: 8) == ["fresh"])
    again.close()
  }
}
