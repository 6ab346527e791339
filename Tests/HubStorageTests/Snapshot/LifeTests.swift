import HubStage
import Testing

/// The other suites prove no more than what their random lives contain.
@Suite("Architecture, Storage: the lives that images are tried with")
struct LifeTests {
  private static let changes = [
    "channel.create", "channel.update", "channel.delete", "channel.join", "channel.leave",
    "channel.mute", "channel.unmute", "dm.open", "member.add", "member.remove", "member.role",
    "member.update", "member.ban", "member.unban", "member.silence", "message.send",
    "message.edit", "message.delete", "message.flag", "reaction.add", "reaction.remove", "read",
    "read.unread", "delivered", "user.update", "user.put", "user.block", "user.unblock",
    "user.settings", "notify", "message.thread", "member.list", "user.search", "signal", "typing",
  ]

  @Test("every operation that leaves something behind is done, not only asked for")
  func isFull() {
    var life = Life(seed: 3)
    let hub = DrivenHub()
    life.happen(0, on: hub)
    var done: [Substring: Int] = [:]
    for _ in 0..<8_000 {
      let (name, request) = life.next()
      let op = request.dropFirst(7).prefix { $0 != "\"" }
      if hub.ask(name, request).contains(#""ok":{"#) { done[op, default: 0] += 1 }
    }
    let rare = Self.changes.filter { done[Substring($0), default: 0] < 5 }
    #expect(rare.isEmpty, "\(done)")
  }

  @Test("and what makes images larger is there in the end")
  func leavesTraces() {
    var life = Life(seed: 3)
    let hub = DrivenHub()
    life.happen(16_000, on: hub)
    let seen = hub.observed(by: life.names, in: life.channelNames + life.directNames)
    let traces = [
      #""edited_ts":"#, #""deleted_ts":"#, #""mine":true"#, #""reply_count":"#, #""reason":"#,
      #""hidden":true"#, #""muted":true"#, #""silenced_until_ts":"#, #""role":"moderator""#,
      #""username":"#, #""dm_policy":"contacts""#, #""receipts":false"#, #""blocked":["user"#,
      #""following":1"#, #""kind":"direct""#, #""code":"banned""#, #""state":"unseen""#,
    ]
    let missing = traces.filter { !seen.contains($0) }
    #expect(missing.isEmpty)
  }
}
