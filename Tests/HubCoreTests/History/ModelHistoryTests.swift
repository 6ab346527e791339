import HubCore
import HubProtocol
import HubStage
import Testing

@Suite("The history of the tests says what a history must say")
struct ModelHistoryTests {
  private let room = ChannelRef(index: 3)

  private func put(
    _ seq: Int, _ text: String = "m", rev: Int = 0, replyTo: Int? = nil, key: String? = nil
  ) -> HistoryChange {
    let message = Message(
      channel: channel("room:a"), seq: seq, user: user("alice"), ts: Timestamp(milliseconds: seq),
      content: MessageContent(text: text), replyTo: replyTo, key: key, rev: rev)
    return .put(
      StoredMessage(channel: room, author: UserRef(index: 1), message: message, reactors: []))
  }

  private func seqs(_ answer: HistoryAnswer) -> [Int]? {
    guard case .messages(let messages) = answer else { return nil }
    return messages.map(\.message.seq)
  }

  @Test("what it is told twice is there once, as it was told last")
  func idempotent() {
    var history = ModelHistory()
    history.take([put(1), put(2), put(1, "edited", rev: 1)])
    let once = history
    history.take([put(2), put(1, "edited", rev: 1)])
    #expect(history == once && history.messageCount == 2 && history.flaws == [])
    #expect(history.messages(of: room).map { $0.message.content.text } == ["edited", "m"])
  }

  @Test("what is gone stays gone, whatever comes again")
  func absorbing() {
    var history = ModelHistory()
    history.take([put(1), put(2), put(3), .expired(room, upTo: 2), .expired(room, upTo: 1), put(2)])
    #expect(seqs(history.answer(.range(room, 1...9))) == [3])
    history.take([.removed(room), put(4)])
    #expect(history.messageCount == 0)
  }

  @Test("a thread needs its first message, and counts what answers it and is not deleted")
  func threads() {
    var history = ModelHistory()
    history.take([put(1), put(2, replyTo: 1), put(3, replyTo: 1), put(4, replyTo: 1)])
    #expect(seqs(history.answer(.thread(room, seq: 1, after: 0, limit: 2))) == [2, 3, 4])
    #expect(seqs(history.answer(.thread(room, seq: 1, after: 3, limit: 2))) == [4])
    #expect(history.messages(of: room).map(\.message.replyCount) == [3, 0, 0, 0])
    history.take([.expired(room, upTo: 1)])
    guard case .nothingExact = history.answer(.thread(room, seq: 1, after: 0, limit: 2)) else {
      Issue.record("the first message is gone")
      return
    }
  }

  @Test("what was missed is told whole or not at all", arguments: [2, 3, 4])
  func missed(limit: Int) {
    var history = ModelHistory()
    history.take([put(1, rev: 2), put(2, rev: 1), put(3), put(4, rev: 3)])
    let answer = history.answer(
      .missed(room, range: 3...4, changedAfter: 1, upTo: 2, limit: limit))
    guard case .missed(let messages, let changed) = answer else {
      #expect(limit == 2)
      return
    }
    #expect(limit > 2)
    #expect(messages.map(\.message.seq) == [3, 4] && changed?.map(\.message.seq) == [1])
    guard
      case .nothingExact = history.answer(
        .missed(room, range: 3...5, changedAfter: nil, upTo: 2, limit: 9))
    else {
      Issue.record("message 5 is not there")
      return
    }
  }
}
