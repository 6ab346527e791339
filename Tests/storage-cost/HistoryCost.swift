import Dispatch
import Foundation
import HubCore
import HubProtocol
import HubStage
import HubStorage
import SeededRandom

/// What history and search cost the processor for each message: everything that the process spends
/// from the first append until all is on the disk and indexed, the making of the messages left out.
/// Once as fast as it goes, and once 5,000 a second, where batches stay small.
enum HistoryCost {
  private static let channels = 100
  /// Messages between two pauses of the paced run.
  private static let step = 50

  static func measure(in directory: String, messages: Int) throws {
    var random = SplitMix64(seed: 1)
    let changes = (0..<messages).map { put($0, &random) }
    for pace in [nil, 5_000] {
      let place = directory + "/\(pace ?? 0)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let (history, _) = try HistoryStore.open(
        directory: place, store: StoreID(high: 1, low: 2), notice: { _ in })
      let clock = ContinuousClock()
      let spent = processorTime()
      let took = try clock.measure {
        append(changes, to: history, pace: pace)
        try history.makeDurable(LSN(messages))
      }
      let written = processorTime()
      search(history, at: messages)
      let indexed = processorTime()
      let figures = history.figures
      history.close()
      let closed = processorTime()
      let rate = Int(Double(messages) / (took / .seconds(1)))
      print("\(messages) messages, \(pace.map { "\($0)/s" } ?? "at full speed"): \(rate)/s")
      print("  \(microseconds(closed - spent, messages)) of the processor for each message:")
      print("  until written \(microseconds(written - spent, messages)),")
      print("  then until indexed \(microseconds(indexed - written, messages)),")
      print("  then until closed \(microseconds(closed - indexed, messages));")
      print("  \(figures.commits) commits, \(figures.checkpoints) checkpoints,", terminator: " ")
      print("\(try Scratch.bytes(in: place) / messages) bytes of disk for each message")
    }
  }

  private static func append(_ changes: [HistoryChange], to history: HistoryStore, pace: Int?) {
    let clock = ContinuousClock()
    let start = clock.now
    for (index, change) in changes.enumerated() {
      history.append([change], upTo: LSN(index + 1))
      guard let pace, index % step == step - 1 else { continue }
      let due = start + .seconds(1) * (index + 1) / pace
      let left = (due - clock.now) / .seconds(1)
      if left > 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + left) }
    }
  }

  /// A search is answered once everything before it is indexed.
  private static func search(_ history: HistoryStore, at lsn: Int) {
    let search = HistorySearch(
      text: word(1), channels: [ChannelRef(index: 0)], excluded: [], below: nil, limit: 1)
    let answered = DispatchSemaphore(value: 0)
    history.ask(.search(search), after: LSN(lsn)) { _ in answered.signal() }
    answered.wait()
  }

  /// A message of nine words, few of them often and many of them seldom.
  private static func put(_ number: Int, _ random: inout SplitMix64) -> HistoryChange {
    let index = number % channels
    let words = (0..<9).map { _ in word(random.below(1 + random.below(1 + random.below(20_000)))) }
    let message = Message(
      channel: channel("room:\(index)"), seq: number / channels + 1, user: user("ann"),
      ts: Timestamp(milliseconds: 1_700_000_000_000 + number),
      content: MessageContent(text: words.joined(separator: " ")))
    return .put(
      StoredMessage(
        channel: ChannelRef(index: UInt32(index)), author: UserRef(index: 0), message: message))
  }

  private static func word(_ number: Int) -> String {
    var random = SplitMix64(seed: UInt64(number))
    let letters = (0..<(2 + number % 8)).map { _ in UInt8(ascii: "a") + UInt8(random.below(26)) }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Nanoseconds of the processor that the process has had so far.
  private static func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  private static func microseconds(_ nanoseconds: Int, _ messages: Int) -> String {
    String(format: "%.2f µs", Double(nanoseconds) / 1_000 / Double(messages))
  }
}
