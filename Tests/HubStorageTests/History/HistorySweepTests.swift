import Dispatch
import HubCore
import HubProtocol
import HubStorage
import SeededRandom
import Synchronization
import Testing

@Suite("Architecture, Storage: what notifications say goes when no inbox holds them")
struct HistorySweepTests {
  private static let seeds: [UInt64] = [1] + (0..<3).map { _ in UInt64.random(in: 0 ... .max) }

  private let stage: HistoryStage

  init() throws { stage = try HistoryStage() }

  @Test("exactly what is dead goes, if that is a quarter or 10,000", arguments: seeds)
  func exact(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let history = try stage.open().store
    var kept: Set<Int> = []
    for round in 1...12 {
      let more = random.list(upTo: 2_500) { $0.below(20_000) }
      history.append(more.map { .notified(notification($0)) }, upTo: LSN(round))
      kept.formUnion(more)
      let next = random.below(22_000)
      let share = random.below(100)
      let numbers = kept.filter { _ in random.below(100) < share }
      history.sweep(LiveNotifications(next: next, numbers: numbers.shuffled(using: &random)))
      let judged = kept.filter { $0 < next }
      let dead = judged.subtracting(numbers)
      let isWorth = !dead.isEmpty && dead.count * 4 >= judged.count
      if isWorth { kept.subtract(dead) }
      await stage.hears(.swept(rows: isWorth ? dead.count : 0))
      let asked = random.list(upTo: 4_000) { $0.below(20_000) }
      let found = await history.notifications(asked, at: round).map(\.number)
      #expect(found == kept.intersection(asked).sorted(), "seed \(seed), round \(round)")
    }
    history.close()
    #expect(stage.damages.isEmpty)
  }

  @Test("few of many stay, unless they are 10,000")
  func worth() async throws {
    let history = try stage.open().store
    history.append((0..<48_000).map { .notified(notification($0)) }, upTo: LSN(1))
    history.sweep(LiveNotifications(next: 48_000, numbers: 9_999..<48_000))
    history.sweep(LiveNotifications(next: 12, numbers: 3..<48_000))
    await stage.hears(.swept(rows: 3))
    #expect(await history.notifications(Array(0..<9_999), at: 1).first?.number == 3)
    history.sweep(LiveNotifications(next: 48_000, numbers: 10_003..<48_000))
    await stage.hears(.swept(rows: 10_000))
    #expect(await history.notifications(Array(5_000..<11_000), at: 1).first?.number == 10_003)
    history.close()
  }

  @Test("what is written when it has begun does not wait for its end")
  func aside() async throws {
    let history = try stage.open().store
    history.append((0..<60_000).map { .notified(notification($0)) }, upTo: LSN(1))
    // The thread that writes stops here until everything else is in its queue.
    let gate = DispatchSemaphore(value: 0)
    try stage.write([1], to: "copy")
    let path = stage.path + "/copy"
    history.backup(to: path, at: LSN(9)) { _ in gate.wait() }
    history.sweep(LiveNotifications(next: 60_000, numbers: []))
    history.append([.put(try stored(1, "a message"))], upTo: LSN(2))
    let isFirst = Mutex(false)
    history.backup(to: path, at: LSN(2)) { result in
      // It is at that record, and refuses for the file's sake only.
      guard case .failure(.failed) = result else { return }
      isFirst.withLock { $0 = !stage.notices.contains(.swept(rows: 60_000)) }
    }
    gate.signal()
    await stage.hears(.swept(rows: 60_000))
    #expect(isFirst.withLock { $0 })
    #expect(await history.ask(.range(channel(0), 1...1), at: 2).messages?.count == 1)
    history.close()
  }

  @Test("nothing of it is known where nothing is judged")
  func unjudged() {
    let none = LiveNotifications(next: 0, numbers: [1, 2])
    #expect(none.contains(0) && none.contains(1) && none.contains(5_000))
    let some = LiveNotifications(next: 300, numbers: [200, 64, 200, 63, 301, 299, 0, 128])
    let live = (0..<310).filter { some.contains($0) }
    #expect(live == [0, 63, 64, 128, 200, 299] + (300..<310))
    #expect(!some.contains(-1))
  }
}
