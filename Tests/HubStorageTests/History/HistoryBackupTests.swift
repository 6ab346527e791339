import Foundation
import HubCore
import HubProtocol
import HubStorage
import SeededRandom
import Testing

@Suite("Architecture, Storage: copies of a history that is written")
struct HistoryBackupTests {
  @Test("a copy is exactly of its record, whatever comes while it is made")
  func exact() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    let stage = try HistoryStage()
    let copies = try HistoryStage()
    let history = try stage.open().store
    var life = HistoryLife(seed: seed)
    for round in 1...4 {
      for _ in 0..<80 {
        try life.happen()
        history.append(life.records[life.lsn - 1], upTo: LSN(life.lsn))
      }
      let (lsn, model) = (life.lsn, life.model)
      async let copied = history.backup(to: copies.path + "/history.sqlite", at: lsn)
      let result = await copied
      for _ in 0..<20 {
        try life.happen()
        history.append(life.records[life.lsn - 1], upTo: LSN(life.lsn))
      }
      #expect(try result.get() == copies.bytes("history.sqlite").count, "seed \(seed)")
      #expect(try copies.names == ["history.sqlite"], "a plain file")
      let (copy, opened) = try copies.open()
      #expect(opened.applied == LSN(lsn) && opened.setAside == nil, "seed \(seed), \(round)")
      for index in 0..<12 {
        let query = HistoryQuery.range(channel(index), 1...10_000)
        #expect(await copy.ask(query, at: lsn).isLike(model.answer(query)), "seed \(seed)")
      }
      copy.close()
      try copies.clear()
    }
    history.close()
  }

  @Test("what is written while a copy is made is not in it")
  func meanwhile() async throws {
    let stage = try HistoryStage()
    let copies = try HistoryStage()
    let history = try stage.open().store
    let text = String(repeating: "longword", count: 1_000)
    let first = try (1...500).map { HistoryChange.put(try stored($0, text)) }
    history.append(first, upTo: LSN(1))
    let result = await withCheckedContinuation { continuation in
      history.backup(to: copies.path + "/history.sqlite", at: LSN(1)) {
        continuation.resume(returning: $0)
      }
      for lsn in 2...200 {
        if let more = try? stored(499 + lsn, text) { history.append([.put(more)], upTo: LSN(lsn)) }
      }
    }
    _ = try result.get()
    try history.makeDurable(LSN(200))
    history.close()
    let (copy, opened) = try copies.open()
    #expect(opened.applied == LSN(1))
    #expect(await copy.ask(.range(channel(0), 1...9_999), at: 1).messages?.count == 500)
    copy.close()
  }

  @Test("it is not made elsewhere in the log, nor over a file")
  func refusals() async throws {
    let stage = try HistoryStage()
    let history = try stage.open().store
    history.append([.put(try stored(1))], upTo: LSN(1))
    let path = stage.path + "/copy"
    guard case .failure(.misplaced) = await history.backup(to: path, at: 2) else {
      Issue.record("copied")
      return
    }
    #expect(try !stage.names.contains("copy"))
    try stage.write([1, 2, 3], to: "copy")
    guard case .failure(.failed) = await history.backup(to: path, at: 1) else {
      Issue.record("copied")
      return
    }
    #expect(try stage.bytes("copy") == [1, 2, 3])
    history.close()
  }
}
