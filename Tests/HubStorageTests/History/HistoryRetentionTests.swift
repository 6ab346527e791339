import HubCore
import HubProtocol
import HubStorage
import SeededRandom
import Testing

@Suite("Architecture, Storage: how long messages are kept")
struct HistoryRetentionTests {
  @Test("of each channel exactly what is too old or too many is to expire")
  func rules() async throws {
    let stage = try HistoryStage()
    let history = try stage.open().store
    for seq in 1...10 {
      history.append(
        [.put(try stored(seq, ts: 100 * (seq / 2))), .put(try stored(seq, in: 1, ts: 5))],
        upTo: LSN(seq))
    }
    _ = await history.ask(.range(channel(0), 1...1), at: 10)
    func upTo(_ index: Int, newest: Int? = nil, before: Int? = nil) async throws -> Int? {
      let rule = RetentionRule(
        channel: channel(index), newest: newest,
        before: before.map { Timestamp(milliseconds: $0) })
      return try await history.expiries([rule]).first?.upTo
    }
    #expect(try await upTo(0) == nil)
    #expect(try await upTo(0, newest: 10) == nil)
    #expect(try await upTo(0, newest: 4) == 6)
    #expect(try await upTo(0, newest: 0) == 10)
    #expect(try await upTo(0, before: 0) == nil)
    #expect(try await upTo(0, before: 1) == 1)
    #expect(try await upTo(0, before: 300) == 5)
    #expect(try await upTo(0, before: 301) == 7)
    #expect(try await upTo(0, before: 9_999) == 10)
    #expect(try await upTo(0, newest: 8, before: 300) == 5)
    #expect(try await upTo(1, before: 5) == nil)
    #expect(try await upTo(2, newest: 0, before: 9_999) == nil)
    history.append([.expired(channel(0), upTo: 6)], upTo: LSN(11))
    _ = await history.ask(.range(channel(0), 1...1), at: 11)
    #expect(try await upTo(0, newest: 4, before: 300) == nil)
    #expect(try await upTo(0, before: 350) == 7)
    history.close()
  }

  @Test("what expires goes from the file, in the background and after a restart")
  func clears() async throws {
    let stage = try HistoryStage()
    let history = try stage.open().store
    let changes = try (1...3_000).map { HistoryChange.put(try stored($0, "some text \($0)")) }
    history.append(changes, upTo: LSN(1))
    history.append([.expired(channel(0), upTo: 2_990)], upTo: LSN(2))
    #expect(await history.ask(.range(channel(0), 1...3_000), at: 2).messages?.count == 10)
    #expect(await history.found("text", limit: 100, at: 2).count == 10)
    history.append([.put(try stored(5, "late", rev: 3))], upTo: LSN(3))
    #expect(await history.ask(.range(channel(0), 1...10), at: 3).messages?.count == 0)
    history.close()
    let again = try stage.open().store
    #expect(await again.ask(.range(channel(0), 1...3_000), at: 3).messages?.count == 10)
    again.close()
  }
}
