import HubCore
import HubProtocol
import HubStorage
import SeededRandom
import Testing

@Suite("Architecture, Storage: history against a naive model")
struct HistoryModelTests {
  private static let seeds: [UInt64] = [1] + (0..<3).map { _ in UInt64.random(in: 0 ... .max) }

  @Test("whatever happens and whatever is asked, the answers are the model's", arguments: seeds)
  func agrees(seed: UInt64) async throws {
    let stage = try HistoryStage()
    var life = HistoryLife(seed: seed)
    var history = try stage.open().store
    for step in 0..<150 {
      let before = life.lsn
      for _ in 0..<(1 + life.random.below(4)) { try life.happen() }
      append(life, from: before, to: history, &life.random)
      for _ in 0..<2 {
        let query = try life.query()
        let answer = await history.ask(query, at: life.lsn)
        #expect(answer.isLike(life.model.answer(query)), "seed \(seed), \(query)")
      }
      guard life.random.oneIn(25) || step == 149 else { continue }
      history.close()
      let (store, opened) = try stage.open { $0.searchRows = 1_000_000 }
      #expect(opened.applied == LSN(life.lsn) && opened.setAside == nil, "seed \(seed)")
      history = store
      // A replay that begins too early, part of it in one piece with what is to come.
      append(life, from: life.random.below(life.lsn), to: history, &life.random)
    }
    history.close()
    #expect(stage.damages.isEmpty)
  }

  @Test("asked while more comes, it answers as of that record or of a later one", arguments: seeds)
  func concurrent(seed: UInt64) async throws {
    let stage = try HistoryStage()
    var life = HistoryLife(seed: seed)
    let history = try stage.open().store
    var models = [life.model]
    var asked: [(lsn: Int, query: HistoryQuery)] = []
    try await withThrowingTaskGroup(of: (Int, HistoryAnswer).self) { group in
      for _ in 0..<60 {
        try life.happen()
        models.append(life.model)
        history.append(life.records[life.lsn - 1], upTo: LSN(life.lsn))
        let (index, lsn, query) = (asked.count, life.lsn, try life.query())
        asked.append((lsn, query))
        group.addTask { (index, await history.ask(query, at: lsn)) }
      }
      for try await (index, answer) in group {
        let (lsn, query) = asked[index]
        let isOfOne = models[lsn...].contains { answer.isLike($0.answer(query)) }
        #expect(isOfOne, "seed \(seed), record \(lsn), \(query)")
      }
    }
    history.close()
  }

  private func append(
    _ life: HistoryLife, from start: Int, to history: HistoryStore, _ random: inout SplitMix64
  ) {
    var next = start
    while next < life.lsn {
      let end = min(life.lsn, next + 1 + random.below(5))
      history.append(life.records[next..<end].flatMap { $0 }, upTo: LSN(end))
      next = end
    }
  }

  @Test("a replay in one piece that begins before what is there changes nothing", arguments: seeds)
  func straddles(seed: UInt64) async throws {
    let stage = try HistoryStage()
    var life = HistoryLife(seed: seed)
    for _ in 0..<100 { try life.happen() }
    let history = try stage.open().store
    history.append(life.records[..<70].flatMap { $0 }, upTo: LSN(70))
    _ = await history.ask(.range(channel(0), 1...2), at: 70)
    history.append(life.records[30...].flatMap { $0 }, upTo: LSN(100))
    for _ in 0..<40 {
      let query = try life.query()
      let answer = await history.ask(query, at: 100)
      #expect(answer.isLike(life.model.answer(query)), "seed \(seed), \(query)")
    }
    history.close()
  }

  @Test("a seed that was cut off begins anew, and one that ended says so")
  func seeding() async throws {
    let stage = try HistoryStage()
    var history = try stage.open().store
    history.seed([.put(try stored(1)), .put(try stored(2))])
    history.close()
    let (again, opened) = try stage.open()
    history = again
    #expect(opened.applied == LSN(0) && !opened.isFresh)
    history.seed([.put(try stored(1)), .put(try stored(2))])
    history.seed([.put(try stored(3))])
    history.append([], upTo: LSN(77))
    let answer = await history.ask(.range(channel(0), 1...9), at: 77)
    #expect(answer.messages?.map(\.message.seq) == [1, 2, 3])
    history.close()
    let last = try stage.open()
    #expect(last.opened.applied == LSN(77))
    last.store.close()
  }
}
