import HubClient
import HubProtocol
import NIOCore
import SeededRandom
import Testing

@Suite("Subscribing and recovery")
struct RecoveryTests {
  let room: ChannelName

  init() throws {
    room = try #require(ChannelName("room:x"))
  }

  /// Connected and subscribed, standing at seq 2.
  private func subscribed() throws -> MachineHarness {
    var harness = MachineHarness.connected()
    let asked = try #require(Sent.all(in: harness.subscribe(to: room, newest: 2)).first)
    #expect(asked.json.hasSuffix(#""op":"subscribe","channel":"room:x","limit":2}"#))
    let actions = harness.hear(
      subscribeReply(asked.id, seq: 2, recovered: false, messages: [1, 2], channel: room))
    #expect(told(actions) == ["begin", "1", "2"])
    return harness
  }

  /// Cuts the connection, comes back, and gives the subscribe request.
  private func reconnected(_ harness: inout MachineHarness) throws -> Sent {
    _ = harness.lose()
    _ = harness.wait(.seconds(1))
    return try #require(harness.open().first)
  }

  @Test("live messages are told once; what was told already is dropped")
  func live() throws {
    var harness = try subscribed()
    #expect(told(harness.hear(messageEvent(room, 3))) == ["3"])
    for seq in [3, 1] {
      let repeated = harness.hear(messageEvent(room, seq))
      #expect(told(repeated) == [] && Sent.all(in: repeated) == [])
    }
    #expect(harness.machine.position(in: room) == HubPosition(epoch: "e", seq: 3, rev: 0))
  }

  @Test("after a reconnect the hub is asked from where the reader stands")
  func recovers() throws {
    var harness = try subscribed()
    let asked = try reconnected(&harness)
    #expect(asked.json.hasSuffix(#""since":{"epoch":"e","seq":2,"rev":0}}"#))
    let actions = harness.hear(
      subscribeReply(asked.id, seq: 4, recovered: true, messages: [2, 3, 4], channel: room))
    #expect(told(actions) == ["3", "4"])
    #expect(told(harness.hear(messageEvent(room, 5))) == ["5"])
  }

  @Test("what cannot be recovered is told as a reset")
  func reset() throws {
    var harness = try subscribed()
    let asked = try reconnected(&harness)
    let actions = harness.hear(
      subscribeReply(asked.id, epoch: "f", seq: 9, recovered: false, channel: room))
    #expect(told(actions) == ["reset 9"])
    #expect(told(harness.hear(messageEvent(room, 10))) == ["10"])
  }

  @Test("changes missed meanwhile come first")
  func changes() throws {
    var harness = try subscribed()
    let asked = try reconnected(&harness)
    let changed =
      #"[{"channel":"room:x","seq":1,"user":"a","ts":1,"text":"new","edited_ts":5},"#
      + #"{"channel":"room:x","seq":2,"user":"a","ts":1,"deleted_ts":6}]"#
    let actions = harness.hear(
      #"{"id":\#(asked.id),"ok":{"epoch":"e","seq":2,"rev":2,"recovered":true,"messages":[],"#
        + #""changed":\#(changed)}}"#)
    #expect(told(actions) == ["message.updated", "message.deleted"])
    let old = #"{"ev":"reaction","channel":"room:x","seq":1,"user":"b","reaction":"👍","on":true,"#
    #expect(told(harness.hear(old + #""count":1,"rev":2}"#)) == [])
    #expect(told(harness.hear(old + #""count":1,"rev":3}"#)) == ["reaction"])
  }

  @Test("a gap, or a hole, is filled by asking again; messages meanwhile are in the answer")
  func gap() throws {
    var harness = try subscribed()
    let actions = harness.hear(#"{"ev":"gap","channel":"room:x","from":3,"to":5,"rev":0}"#)
    #expect(told(actions) == ["gap"])
    let asked = try #require(Sent.all(in: actions).first)
    #expect(asked.json.hasSuffix(#""since":{"epoch":"e","seq":2,"rev":0}}"#))
    #expect(told(harness.hear(messageEvent(room, 6))) == [])
    let answer = subscribeReply(
      asked.id, seq: 6, recovered: true, messages: [3, 4, 5, 6], channel: room)
    #expect(told(harness.hear(answer)) == ["3", "4", "5", "6"])
    let hole = harness.hear(messageEvent(room, 8))
    #expect(told(hole) == [])
    #expect(Sent.all(in: hole).map(\.op) == ["subscribe"])
  }

  @Test("a refusal that may pass is asked again, another ends the subscription")
  func refusals() throws {
    var harness = try subscribed()
    var asked = try reconnected(&harness)
    let limited = #"{"code":"rate_limited","message":"slow","retry_after_ms":300}"#
    #expect(harness.hear(#"{"id":\#(asked.id),"error":\#(limited)}"#) == [])
    asked = try #require(Sent.all(in: harness.wait(.milliseconds(300))).first)
    #expect(asked.op == "subscribe")
    let gone = #"{"code":"not_found","message":"gone"}"#
    let actions = harness.hear(#"{"id":\#(asked.id),"error":\#(gone)}"#)
    #expect(told(actions) == ["end not_found"])
  }

  @Test("the hub's unsubscribed is the last that is told")
  func unsubscribed() throws {
    var harness = try subscribed()
    let said = #"{"ev":"unsubscribed","channel":"room:x","reason":"removed"}"#
    #expect(told(harness.hear(said)) == ["unsubscribed", "end well"])
    #expect(told(harness.hear(messageEvent(room, 3))) == [])
    _ = harness.lose()
    _ = harness.wait(.seconds(1))
    #expect(harness.open() == [])
  }

  @Test("a subscription that does not begin in time fails, connected or not")
  func tooLate() {
    var harness = MachineHarness.connected()
    _ = harness.subscribe(to: room)
    #expect(told(harness.wait(.seconds(10))) == ["end timed_out"])
    _ = harness.lose()
    _ = harness.subscribe(to: room)
    let told = told(harness.wait(.seconds(10)))
    #expect(told == ["end timed_out"])
    #expect(harness.open() == [])
  }

  @Test("a position of an earlier run is asked for at once")
  func since() throws {
    var harness = MachineHarness.connected()
    let position = HubPosition(epoch: "e", seq: 7)
    let asked = try #require(Sent.all(in: harness.subscribe(to: room, since: position)).first)
    #expect(asked.json.hasSuffix(#""since":{"epoch":"e","seq":7}}"#))
    let answer = subscribeReply(asked.id, seq: 8, recovered: true, messages: [8], channel: room)
    #expect(told(harness.hear(answer)) == ["begin", "8"])
  }

  @Test("whatever breaks when, every message is told once and in order", arguments: 1...200)
  func storms(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var configuration = HubConfiguration()
    // A subscription that cannot begin in time is another test's.
    configuration.requestDeadline = .seconds(3_600)
    var harness = MachineHarness.connected(configuration)
    var asked = Sent.all(in: harness.subscribe(to: room)).first
    var hub = 0
    var reader: [Int] = []
    for _ in 0..<300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        hub += 1
        // One in ten is lost on the way, as if a lane had overflowed.
        guard Int.random(in: 0..<10, using: &random) > 0 else { continue }
        let actions = harness.hear(messageEvent(room, hub))
        reader += told(actions).compactMap { Int($0) }
        asked = Sent.all(in: actions).first ?? asked
      case 5..<9:
        guard let request = asked else { continue }
        asked = nil
        let answer = reply(to: request, hub: hub)
        reader += told(harness.hear(answer)).compactMap { Int($0) }
      default:
        _ = harness.lose()
        _ = harness.wait(.seconds(31))
        asked = harness.open().first
      }
    }
    #expect(reader == Array((reader.first ?? 1)..<(reader.first ?? 1) + reader.count), "\(seed)")
    #expect(reader.count > 50, "seed \(seed)")
  }

  private func reply(to request: Sent, hub: Int) -> String {
    let since = JSONObject([UInt8](request.json.utf8))?.object("since")?.integer("seq")
    let missed = since.map { $0 < hub ? Array($0 + 1...hub) : [] } ?? []
    return subscribeReply(
      request.id, seq: hub, recovered: since != nil, messages: missed, channel: room)
  }
}
