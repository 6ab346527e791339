import Dispatch
import HubCore
import HubProtocol
import HubStage
import HubStorage
import SeededRandom

/// History filled with messages in 1,000 channels, and pages of 50 at random places in it.
enum PageCost {
  private static let channels = 1_000
  private static let batch = 5_000
  private static let pages = 2_000

  static func measure(in directory: String, messages: Int) throws {
    let (history, _) = try HistoryStore.open(
      directory: directory, store: StoreID(high: 1, low: 2), notice: { _ in })
    let clock = ContinuousClock()
    let filling = try clock.measure { try fill(history, messages) }
    let rate = Int(Double(messages) / (filling / .seconds(1)))
    print("\(messages) messages in \(Figures.milliseconds(filling)): \(rate)/s")
    let indexing = clock.measure { waitUntilIndexed(history) }
    let bytes = try Scratch.bytes(in: directory)
    print("then indexed for search in \(Figures.milliseconds(indexing))")
    print("\(bytes / messages) bytes of disk for each message")
    var random = SplitMix64(seed: 1)
    let perChannel = messages / channels
    var took: [Duration] = []
    for _ in 0..<pages {
      let channel = ChannelRef(index: UInt32(random.below(channels)))
      let first = 1 + random.below(max(1, perChannel - 50))
      took.append(clock.measure { ask(history, .range(channel, first...first + 49), messages) })
    }
    print("a page of 50: \(Figures.line(took))")
    history.close()
  }

  private static func fill(_ history: HistoryStore, _ messages: Int) throws {
    for start in stride(from: 0, to: messages, by: batch) {
      let changes = (start..<min(messages, start + batch)).map(put)
      history.append(changes, upTo: LSN(start + changes.count))
      if start % (20 * batch) == 0 { try history.makeDurable(LSN(start + changes.count)) }
    }
    try history.makeDurable(LSN(messages))
  }

  private static func put(_ number: Int) -> HistoryChange {
    let index = number % channels
    let words = "The quick brown fox \(number) jumps over the lazy dog and does not mind at all"
    let message = Message(
      channel: channel("room:\(index)"), seq: number / channels + 1, user: user("ann"),
      ts: Timestamp(milliseconds: 1_700_000_000_000 + number),
      content: MessageContent(text: words), key: "key-\(number)")
    return .put(
      StoredMessage(
        channel: ChannelRef(index: UInt32(index)), author: UserRef(index: 0), message: message))
  }

  private static func waitUntilIndexed(_ history: HistoryStore) {
    // A search is answered once everything before it is indexed, or says that it is too much.
    let search = HistorySearch(
      text: "fox", channels: [ChannelRef(index: 0)], excluded: [], below: nil, limit: 1)
    while history.figures.unindexed > 0 { ask(history, .search(search), 0) }
  }

  private static func ask(_ history: HistoryStore, _ query: HistoryQuery, _ lsn: Int) {
    let answered = DispatchSemaphore(value: 0)
    history.ask(query, after: LSN(lsn)) { _ in answered.signal() }
    answered.wait()
  }
}
