import HubCore
import HubProtocol
import HubStorage
import Testing

@Suite("Architecture, Storage: what notifications say")
struct HistoryNotificationTests {
  private let stage: HistoryStage

  init() throws { stage = try HistoryStage() }

  @Test("it is told ascending by number as it was written, and what is not there is left out")
  func query() async throws {
    let history = try stage.open().store
    let all = [notification(1), notification(4), notification(9, isFull: true)]
    history.append(all.reversed().map { .notified($0) }, upTo: LSN(1))
    let answer = await history.notifications([9, 2, 1, 9, 1 << 40, -3, 4], at: 1)
    #expect(answer == all)
    #expect(await history.notifications([], at: 1) == [])
    history.close()
  }

  @Test("what comes with the same number takes its place, in one piece and later")
  func replaces() async throws {
    let history = try stage.open().store
    history.append([.notified(notification(3)), .notified(notification(3, "again"))], upTo: LSN(1))
    #expect(await history.notifications([3], at: 1) == [notification(3, "again")])
    history.append([.notified(notification(3, isFull: true))], upTo: LSN(2))
    #expect(await history.notifications([3], at: 2) == [notification(3, isFull: true)])
    history.close()
  }

  @Test("a query sees what was told just before it, however long others would wait")
  func immediate() async throws {
    let history = try stage.open { $0.commitDelayMilliseconds = 1_000_000 }.store
    for number in 1...20 {
      history.append([.notified(notification(number))], upTo: LSN(number))
      #expect(await history.notifications([number], at: number) == [notification(number)])
    }
    history.close()
  }

  @Test("it is there after a restart and in a copy, and going back in the log leaves it")
  func kept() async throws {
    let copies = try HistoryStage()
    let history = try stage.open().store
    let all = (1...50).map { notification($0, isFull: $0 % 2 == 0) }
    history.append(all.map { .notified($0) }, upTo: LSN(1))
    async let copied = history.backup(to: copies.path + "/history.sqlite", at: 1)
    _ = try await copied.get()
    history.close()
    for place in [stage, copies] {
      let (again, opened) = try place.open()
      #expect(opened.applied == LSN(1) && opened.setAside == nil)
      #expect(await again.notifications(Array(1...60), at: 1) == all)
      _ = try again.rewind(to: LSN(0)) { _ in nil }
      again.append([.notified(notification(50, "anew"))], upTo: LSN(1))
      #expect(
        await again.notifications(Array(40...60), at: 1)
          == all[39..<49] + [notification(50, "anew")])
      again.close()
    }
  }

  @Test("a damaged one is named and left out")
  func damaged() async throws {
    let history = try stage.open().store
    history.append((1...9).map { .notified(notification($0, "unmistakable \($0)")) }, upTo: LSN(1))
    history.close()
    var bytes = try stage.bytes("history.sqlite")
    let text = Array("unmistakable 7".utf8)
    for place in 0..<bytes.count - text.count
    where Array(bytes[place..<place + text.count]) == text {
      bytes[place] = UInt8(ascii: "U")
    }
    try stage.write(bytes, to: "history.sqlite")
    let again = try stage.open().store
    #expect(
      await again.notifications(Array(1...9), at: 1).map(\.number) == [1, 2, 3, 4, 5, 6, 8, 9])
    #expect(
      stage.damages
        == ["\(stage.path)/history.sqlite: notification 7 is damaged: its checksum is wrong"])
    again.close()
  }

  @Test("more than 10,000 are not asked for at once")
  func tooMany() async throws {
    let history = try stage.open().store
    guard case .failed = await history.ask(.notifications(Array(0...10_000)), at: 0) else {
      Issue.record("answered")
      return
    }
    history.close()
  }
}

func notification(
  _ number: Int, _ text: String = "text", isFull: Bool = false
) -> StoredNotification {
  var notification = Notification(type: "like", text: "\(text) \(number)")
  if text.contains("unmistakable") { notification.text = text }
  if isFull {
    notification.actor = UserID("ann")
    notification.target = InboxTarget(
      kind: "post", id: "\(number)", url: "https://example.org/\(number)", thumb: nil)
    notification.title = "A \u{0} title"
    notification.data = RawJSON(checked: Array("{ \"a\" :\t[1.0e2, \"\\u00e9\"] }".utf8))
    notification.expiresTs = Timestamp(milliseconds: 5_000 + number)
  }
  return StoredNotification(
    number: number, ts: Timestamp(milliseconds: 1_000 * number), notification: notification)
}

extension HistoryStore {
  /// What it knows of those with these numbers.
  func notifications(_ numbers: [Int], at lsn: Int) async -> [StoredNotification] {
    let answer = await ask(.notifications(numbers), at: lsn)
    guard case .notifications(let found) = answer else {
      Issue.record("\(answer)")
      return []
    }
    return found
  }
}
