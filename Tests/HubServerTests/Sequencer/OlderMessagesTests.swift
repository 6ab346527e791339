import HubCore
import HubProtocol
import HubServer
import Testing

@Suite("protocol, Transport: history older than memory answers when ready and holds nothing up")
struct OlderMessagesTests {
  private let history = #"{"id":5,"op":"message.history","channel":"room","before":4}"#

  /// Alice in `room`, whose first three messages are no longer in memory.
  private func room() throws -> (stage: ServerStage, alice: StageClient) {
    let stage = ServerStage(windowMemory: 1)
    let alice = try stage.join("alice")
    try alice.send(#"{"op":"channel.create","channel":"room","kind":"public"}"#)
    // Three that go, and the newest, which stays.
    for _ in 0..<4 {
      try alice.send(#"{"op":"message.send","channel":"room","text":"hi"}"#)
    }
    try alice.send(#"{"op":"ping"}"#)
    _ = try alice.heard()
    return (stage, alice)
  }

  private func page(_ seqs: ClosedRange<Int>, of channel: UInt32 = 0) throws -> HistoryAnswer {
    let name = try #require(ChannelName(channel == 0 ? "room" : "own"))
    let user = try #require(UserID("alice"))
    return .messages(
      seqs.map {
        StoredMessage(
          channel: ChannelRef(index: channel), author: UserRef(index: 0),
          message: Message(
            channel: name, seq: $0, user: user, ts: Timestamp(milliseconds: 1),
            content: MessageContent(text: "hi")))
      })
  }

  @Test("history is asked for just the messages wanted")
  func query() throws {
    let (stage, alice) = try room()
    try alice.send(history)
    guard case .range(let channel, let range) = try #require(stage.history.queries.first) else {
      Issue.record("something else was asked")
      return
    }
    #expect(channel == ChannelRef(index: 0) && range == 1...3)
    #expect(stage.history.moments == [stage.history.lsn])
    #expect(try alice.heard() == [])
  }

  @Test("a page that comes late is answered late, and later requests before it")
  func late() throws {
    let (stage, alice) = try room()
    try alice.send(
      history, #"{"id":6,"op":"ping"}"#,
      #"{"id":7,"op":"message.send","channel":"room","text":"on we go"}"#,
      #"{"id":8,"op":"subscribe","channel":"room"}"#)
    let before = try alice.heard().filter { $0.first?.isNumber == true }
    #expect(before == ["6 ok", "7 ok", "8 ok"])
    stage.answerHistory(try page(1...3))
    let answers = try alice.messages()
    #expect(answers.map(\.summary) == ["5 ok"])
    #expect(answers.first?.ok?.objects("messages").map { $0.integer("seq") } == [1, 2, 3])
  }

  @Test("other connections are not held up either")
  func others() throws {
    let (stage, alice) = try room()
    let bob = try stage.join("bob")
    try alice.send(history)
    try bob.send(#"{"id":2,"op":"channel.join","channel":"room"}"#, #"{"id":3,"op":"ping"}"#)
    #expect(try bob.heard().filter { $0.first?.isNumber == true } == ["2 ok", "3 ok"])
    stage.answerHistory(try page(1...3))
    #expect(try alice.heard().contains("5 ok"))
  }

  @Test("pages may come back in any order, each under its own id")
  func anyOrder() throws {
    let (stage, alice) = try room()
    try alice.send(history, history.replacing("5", with: "6"))
    #expect(stage.history.queries.count == 2)
    stage.answerHistory(try page(1...3), at: 1)
    #expect(try alice.heard() == ["6 ok"])
    stage.answerHistory(try page(1...3))
    #expect(try alice.heard() == ["5 ok"])
  }

  @Test("what history no longer has is gone")
  func gone() throws {
    let (stage, alice) = try room()
    try alice.send(history)
    stage.answerHistory(.messages([]))
    #expect(try alice.heard() == ["5 history_gone"])
  }

  @Test("a page for somebody who may no longer see the channel is not shown")
  func noLongerVisible() throws {
    let (stage, alice) = try room()
    let bob = try stage.join("bob")
    try alice.send(#"{"op":"channel.create","channel":"own","kind":"group","members":["bob"]}"#)
    for _ in 0..<2 { try alice.send(#"{"op":"message.send","channel":"own","text":"hi"}"#) }
    try alice.send(#"{"op":"ping"}"#)
    _ = try bob.heard()
    try bob.send(
      #"{"id":5,"op":"message.history","channel":"own","before":2}"#,
      #"{"id":6,"op":"channel.leave","channel":"own"}"#)
    stage.answerHistory(try page(1...1, of: 1))
    #expect(try bob.heard().filter { $0.first?.isNumber == true } == ["6 ok", "5 not_found"])
  }

  @Test("a page for a connection that has ended goes nowhere")
  func ended() throws {
    let (stage, alice) = try room()
    try alice.send(history)
    alice.hangUp()
    let heir = try stage.join("bob")
    stage.answerHistory(try page(1...3))
    #expect(try heir.heard() == [])
  }
}
