import HubClient
import HubProtocol
import NIOCore
import SeededRandom
import Testing

@Suite("Gaps, and changes missed meanwhile")
struct GapTests {
  let room: ChannelName

  init() throws {
    room = try #require(ChannelName("room:x"))
  }

  /// Connected and subscribed, standing at seq 2 and rev 4.
  private func subscribed() throws -> MachineHarness {
    var harness = MachineHarness.connected()
    let asked = try #require(Sent.all(in: harness.subscribe(to: room)).first)
    let answer = reply(asked, seq: 2, rev: 4, recovered: false)
    #expect(told(harness.hear(answer)) == ["begin"])
    return harness
  }

  private func reply(
    _ asked: Sent, epoch: String = "e", seq: Int, rev: Int, recovered: Bool = true,
    messages: [Int] = [], changed: [Int]? = nil
  ) -> String {
    func list(_ seqs: [Int]) -> String {
      let objects = seqs.map { #"{"channel":"room:x","seq":\#($0),"user":"a","ts":1,"text":"t"}"# }
      return "[\(objects.joined(separator: ","))]"
    }
    let changes = changed.map { #","changed":\#(list($0))"# } ?? ""
    return #"{"id":\#(asked.id),"ok":{"epoch":"\#(epoch)","seq":\#(seq),"rev":\#(rev),"#
      + #""recovered":\#(recovered),"messages":\#(list(messages))\#(changes)}}"#
  }

  private func gap(_ from: Int, _ to: Int, rev: Int) -> String {
    #"{"ev":"gap","channel":"room:x","from":\#(from),"to":\#(to),"rev":\#(rev)}"#
  }

  private func reaction(rev: Int) -> String {
    #"{"ev":"reaction","channel":"room:x","seq":1,"user":"b","reaction":"x","on":true,"count":1,"#
      + #""rev":\#(rev)}"#
  }

  private let typing = #"{"ev":"typing","channel":"room:x","users":["b"]}"#

  @Test("a gap is told, asked about from where the reader stands, and filled in order")
  func filled() throws {
    var harness = try subscribed()
    let actions = harness.hear(gap(3, 5, rev: 4))
    #expect(told(actions) == ["gap"])
    let asked = try #require(Sent.all(in: actions).first)
    #expect(asked.json.hasSuffix(#""since":{"epoch":"e","seq":2,"rev":4}}"#))
    let answer = reply(asked, seq: 5, rev: 6, messages: [3, 4, 5], changed: [1])
    #expect(told(harness.hear(answer)) == ["message.updated", "3", "4", "5"])
    #expect(harness.machine.position(in: room) == HubPosition(epoch: "e", seq: 5, rev: 6))
    #expect(told(harness.hear(reaction(rev: 6))) == [])
    #expect(told(harness.hear(reaction(rev: 7))) == ["reaction"])
    #expect(told(harness.hear(messageEvent(room, 6))) == ["6"])
  }

  @Test("a gap without messages is one of changes")
  func onlyChanges() throws {
    var harness = try subscribed()
    let asked = try #require(Sent.all(in: harness.hear(gap(3, 2, rev: 4))).first)
    let answer = reply(asked, seq: 2, rev: 6, changed: [1, 2])
    #expect(told(harness.hear(answer)) == ["message.updated", "message.updated"])
  }

  @Test("changes are asked for from the gap's rev on when that is the older one")
  func olderRev() throws {
    var harness = try subscribed()
    let asked = try #require(Sent.all(in: harness.hear(gap(3, 5, rev: 1))).first)
    #expect(asked.json.hasSuffix(#""since":{"epoch":"e","seq":2,"rev":1}}"#))
  }

  @Test("what comes meanwhile is in the answer, or waits for it")
  func meanwhile() throws {
    var harness = try subscribed()
    let asked = try #require(Sent.all(in: harness.hear(gap(3, 5, rev: 4))).first)
    #expect(told(harness.hear(typing)) == [])
    #expect(told(harness.hear(messageEvent(room, 6))) == [])
    #expect(told(harness.hear(reaction(rev: 5))) == [])
    let member = #"{"ev":"member","channel":"room:x","user":"c","change":"joined"}"#
    #expect(told(harness.hear(member)) == [])
    let answer = reply(asked, seq: 6, rev: 5, messages: [3, 4, 5, 6], changed: [1])
    let expected = ["message.updated", "3", "4", "5", "6", "typing", "member"]
    #expect(told(harness.hear(answer)) == expected)
    #expect(told(harness.hear(typing)) == ["typing"])
  }

  @Test("a second gap meanwhile is filled by the same answer; one behind it asks again")
  func again() throws {
    var harness = try subscribed()
    let asked = try #require(Sent.all(in: harness.hear(gap(3, 5, rev: 4))).first)
    let second = harness.hear(gap(7, 8, rev: 4))
    #expect(told(second) == [] && Sent.all(in: second) == [])
    let answer = reply(asked, seq: 8, rev: 4, messages: Array(3...8))
    #expect(told(harness.hear(answer)) == ["3", "4", "5", "6", "7", "8", "gap"])
    let third = harness.hear(gap(9, 9, rev: 4))
    let askedAgain = try #require(Sent.all(in: third).first)
    #expect(askedAgain.json.hasSuffix(#""since":{"epoch":"e","seq":8,"rev":4}}"#))
    #expect(told(harness.hear(reply(askedAgain, seq: 9, rev: 4, messages: [9]))) == ["9"])
  }

  @Test("a gap that cannot be filled is told as a reset, then what waited")
  func reset() throws {
    var harness = try subscribed()
    let asked = try #require(Sent.all(in: harness.hear(gap(3, 5_000, rev: 4))).first)
    #expect(told(harness.hear(typing)) == [])
    let answer = reply(asked, seq: 5_000, rev: 9, recovered: false)
    #expect(told(harness.hear(answer)) == ["reset 5000", "typing"])
    #expect(told(harness.hear(messageEvent(room, 5_001))) == ["5001"])
  }

  @Test("a connection that breaks while a gap is filled asks from the same place")
  func broken() throws {
    var harness = try subscribed()
    _ = harness.hear(gap(3, 5, rev: 3))
    #expect(told(harness.hear(typing)) == [])
    _ = harness.lose()
    _ = harness.wait(.seconds(1))
    let asked = try #require(harness.open().first)
    #expect(asked.json.hasSuffix(#""since":{"epoch":"e","seq":2,"rev":3}}"#))
    let answer = reply(asked, seq: 6, rev: 4, messages: [3, 4, 5, 6], changed: [])
    #expect(told(harness.hear(answer)) == ["3", "4", "5", "6", "typing"])
  }

  @Test("what waits is bounded, and the rest counted")
  func bounded() throws {
    var harness = try subscribed()
    let asked = try #require(Sent.all(in: harness.hear(gap(3, 3, rev: 4))).first)
    let count = ChannelSubscription.heldEvents
    for _ in 0..<count + 7 { #expect(told(harness.hear(typing)) == []) }
    let told = told(harness.hear(reply(asked, seq: 3, rev: 4, messages: [3])))
    #expect(told.count == 1 + count + 1)
    #expect(told.first == "3" && told.last == "missed 7")
  }

  @Test("the end of the subscription comes behind what waited")
  func ended() throws {
    var harness = try subscribed()
    let asked = try #require(Sent.all(in: harness.hear(gap(3, 3, rev: 4))).first)
    #expect(told(harness.hear(typing)) == [])
    let said = #"{"ev":"unsubscribed","channel":"room:x","reason":"banned"}"#
    #expect(told(harness.hear(said)) == ["typing", "unsubscribed", "end well"])
    #expect(told(harness.hear(reply(asked, seq: 3, rev: 4, messages: [3]))) == [])
  }

  @Test("the rev of every change is remembered, and given back after a reconnect")
  func rev() throws {
    var harness = try subscribed()
    #expect(told(harness.hear(reaction(rev: 5))) == ["reaction"])
    let edited =
      #"{"ev":"message.updated","channel":"room:x","seq":1,"user":"a","ts":1,"text":"n","rev":6}"#
    #expect(told(harness.hear(edited)) == ["message.updated"])
    let deleted =
      #"{"ev":"message.deleted","channel":"room:x","seq":1,"user":"a","ts":1,"rev":7}"#
    #expect(told(harness.hear(deleted)) == ["message.deleted"])
    for repeated in [edited, deleted, reaction(rev: 5)] {
      #expect(told(harness.hear(repeated)) == [])
    }
    _ = harness.lose()
    _ = harness.wait(.seconds(1))
    let asked = try #require(harness.open().first)
    #expect(asked.json.hasSuffix(#""since":{"epoch":"e","seq":2,"rev":7}}"#))
    let answer = reply(asked, seq: 3, rev: 9, messages: [3], changed: [2])
    #expect(told(harness.hear(answer)) == ["message.updated", "3"])
    #expect(told(harness.hear(reaction(rev: 9))) == [])
    #expect(told(harness.hear(reaction(rev: 10))) == ["reaction"])
  }

  @Test("a gap of the user stream goes to the readers of all events and asks nothing")
  func userGap() throws {
    var harness = try subscribed()
    let actions = harness.hear(#"{"ev":"gap","scope":"user"}"#)
    #expect(actions == [.tell(.event(try event(#"{"ev":"gap","scope":"user"}"#)))])
  }
}
