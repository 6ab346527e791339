import HubCore
import HubProtocol
import HubStorage
import SeededRandom
import Testing

@Suite("Architecture, Storage: a damaged history")
struct HistoryDamageTests {
  private static let seeds: [UInt64] = [1] + (0..<2).map { _ in UInt64.random(in: 0 ... .max) }
  private static let files = ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm"]

  private let stage: HistoryStage
  private let broken: HistoryStage

  init() throws {
    stage = try HistoryStage()
    broken = try HistoryStage()
  }

  /// A life written record by record, with the model after each.
  private func written(_ seed: UInt64, to history: HistoryStore) async throws
    -> (life: HistoryLife, models: [HistoryModel])
  {
    var life = HistoryLife(seed: seed)
    var models = [life.model]
    for _ in 0..<100 {
      try life.happen(isCalm: true)
      models.append(life.model)
      history.append(life.records[life.lsn - 1], upTo: LSN(life.lsn))
      if life.lsn % 20 == 0 { _ = await history.ask(.range(channel(0), 1...1), at: life.lsn) }
    }
    // After a search there is nothing left to be written.
    _ = await history.found("apple", at: life.lsn)
    return (life, models)
  }

  /// Opens what is in `broken`: each answer must be of the model as of the record that history says
  /// it is at, or say that it failed, or lack messages. How many messages answer one is not under a
  /// checksum.
  private func look(
    _ life: inout HistoryLife, _ models: [HistoryModel], isChecked: Bool, _ comment: Comment
  ) async throws {
    guard let (history, opened) = try open(isChecked: isChecked) else { return }
    defer { history.close() }
    #expect(opened.isFresh == (opened.setAside != nil), comment)
    guard !opened.isFresh else {
      #expect(try broken.names.contains { $0.contains(".bad-1") }, comment)
      return
    }
    let lsn = opened.applied.number
    guard models.indices.contains(lsn) else {
      Issue.record("at record \(lsn): \(comment)")
      return
    }
    let kept = Set(models[lsn].kept.map(\.content))
    var queries = (0..<4).map { HistoryQuery.range(channel($0), 1...10_000) }
    for _ in 0..<6 { queries.append(try life.query()) }
    for query in queries {
      let answer = await history.ask(query, at: lsn)
      for message in answer.messages ?? [] {
        #expect(kept.contains(message.content), "silently different: \(comment)")
      }
    }
  }

  /// Nil when the format cannot be told any more.
  private func open(isChecked: Bool) throws -> (store: HistoryStore, opened: HistoryOpened)? {
    do {
      return try broken.open { $0.checkedBytes = isChecked ? 1 << 28 : 0 }
    } catch HistoryRefusal.otherFormat {
      return nil
    }
  }

  @Test("closed and with any bit turned, it tells nothing that was not written", arguments: seeds)
  func flips(seed: UInt64) async throws {
    let history = try stage.open().store
    var (life, models) = try await written(seed, to: history)
    history.close()
    let whole = try stage.bytes("history.sqlite")
    for round in 0..<40 {
      var bytes = whole
      let place = life.random.below(round % 4 == 0 ? 4_096 : bytes.count)
      bytes[place] ^= 1 << UInt8(life.random.below(8))
      try broken.clear()
      try broken.write(bytes, to: "history.sqlite")
      try await look(
        &life, models, isChecked: round % 2 == 0, "seed \(seed), byte \(place), round \(round)")
    }
  }

  @Test("cut anywhere, it tells nothing that was not written", arguments: seeds)
  func cuts(seed: UInt64) async throws {
    let history = try stage.open().store
    var (life, models) = try await written(seed, to: history)
    history.close()
    let whole = try stage.bytes("history.sqlite")
    for round in 0..<10 {
      let length = round == 0 ? 0 : life.random.below(whole.count)
      try broken.clear()
      try broken.write(whole.prefix(length), to: "history.sqlite")
      try await look(
        &life, models, isChecked: round % 2 == 0, "seed \(seed), \(length) of \(whole.count)")
    }
  }

  @Test(
    "killed, it is as of its last record; its WAL turned or cut, of an earlier", arguments: seeds)
  func wal(seed: UInt64) async throws {
    let history = try stage.open { $0.commitDelayMilliseconds = 0 }.store
    var (life, models) = try await written(seed, to: history)
    let whole = try Self.files.map { try stage.bytes($0) }
    history.close()
    for round in 0..<25 {
      var files = whole
      try broken.clear()
      if round > 12 {
        files[1] = Array(files[1].prefix(life.random.below(files[1].count)))
      } else if round > 0 {
        files[1][life.random.below(files[1].count)] ^= 1 << UInt8(life.random.below(8))
      }
      // A killed process leaves the index of the WAL, a machine that stopped does not.
      for (name, bytes) in zip(Self.files, files).prefix(2) { try broken.write(bytes, to: name) }
      try await look(&life, models, isChecked: round % 2 == 0, "seed \(seed), round \(round)")
      guard round == 0 else { continue }
      let (again, opened) = try broken.open()
      #expect(opened.applied == LSN(life.lsn) && opened.setAside == nil, "seed \(seed)")
      again.close()
    }
  }

  @Test("a WAL without its file is set aside with a name of its own")
  func lonelyWAL() async throws {
    try stage.write([1, 2, 3], to: "history.sqlite-wal")
    let (history, opened) = try stage.open()
    #expect(opened.isFresh)
    #expect(try stage.bytes("history.sqlite.bad-1-wal") == [1, 2, 3])
    history.close()
  }

  @Test("a message whose bytes were turned is named by file, channel and seq")
  func named() async throws {
    let history = try stage.open().store
    let changes = try (1...9).map { HistoryChange.put(try stored($0, "unmistakable \($0)")) }
    history.append(changes, upTo: LSN(1))
    history.close()
    var bytes = try stage.bytes("history.sqlite")
    let text = Array("unmistakable 7".utf8)
    for place in 0..<bytes.count - text.count
    where Array(bytes[place..<place + text.count]) == text {
      bytes[place] = UInt8(ascii: "U")
    }
    try stage.write(bytes, to: "history.sqlite")
    let (again, opened) = try stage.open()
    #expect(opened.setAside == nil)
    guard case .damaged(let sentence) = await again.ask(.range(channel(0), 1...9), at: 1) else {
      Issue.record("answered")
      return
    }
    #expect(
      sentence
        == "\(stage.path)/history.sqlite: channel 0, message 7 is damaged: its checksum is wrong")
    #expect(stage.damages == [sentence])
    #expect(await again.ask(.range(channel(0), 1...6), at: 1).messages?.count == 6)
    again.close()
  }
}
