import HubCore
import HubProtocol
import HubServer
import NIOCore
import Testing

private func connection(_ loop: UInt16, _ slot: UInt32 = 0) -> ConnectionID {
  ConnectionID(loop: loop, slot: slot, generation: 0)
}

/// A command as a line: `deliver 0 to 1.0`.
private func line(_ command: ShardBatch.Command) -> String {
  func name(_ id: ConnectionID) -> String { "\(id.loop).\(id.slot)" }
  return switch command {
  case .deliver(let frame, let id): "deliver \(frame) to \(name(id))"
  case .publish(let frame, _, .none): "publish \(frame)"
  case .publish(let frame, _, .one(let user, nil)): "publish \(frame), nothing to \(user.index)"
  case .publish(let frame, _, .one(let user, let other?)):
    "publish \(frame), \(other) to \(user.index)"
  case .publish(let frame, _, .several(let count, let offsets)):
    "publish \(frame) and \(count), "
      + offsets.sorted { $0.key < $1.key }.map { "+\($0.value) to \($0.key.index)" }
      .joined(separator: ", ")
  case .answered(let id, let bytes): "answered \(name(id)) \(bytes)"
  case .greeted(let id, let user): "greeted \(name(id)) \(user.index)"
  case .subscribe(let id, _, nil): "subscribe \(name(id))"
  case .subscribe(let id, _, let position?):
    "subscribe \(name(id)) at \(position.seq), \(position.rev)"
  case .unsubscribe(let id, _): "unsubscribe \(name(id))"
  case .close(let id, let code): "close \(name(id)) \(code.rawValue)"
  }
}

/// A hub that decides, and the encoder behind it.
private struct Decisions {
  private var hub = Hub.staged()
  private var records = 0
  private var encoder = EffectEncoder(loopCount: 3)

  /// Lets one request take effect.
  mutating func ask(_ id: ConnectionID, _ text: String) throws -> [ShardBatch] {
    let inbound = Array(text.utf8).withUnsafeBytes(RequestDecoder.decode)
    guard case .request(let request) = inbound else {
      Issue.record("\(inbound)")
      return []
    }
    if case .hello(let hello) = request.operation {
      let identity = DevTokens().verify(hello.token ?? "")
      let bytes = text.utf8.count
      return take(.hello(id, request.id, identity, since: nil, bytes: bytes))
    }
    return take(.request(id, request, bytes: text.utf8.count))
  }

  /// The loops on which somebody is subscribed to `room`.
  mutating func loops() throws -> LoopSet {
    let text = #"{"op":"message.send","channel":"room","text":"hi"}"#
    guard case .request(let request) = Array(text.utf8).withUnsafeBytes(RequestDecoder.decode)
    else { return LoopSet() }
    for effect in effects(of: .request(connection(0), request, bytes: 0)) {
      if case .publish(_, let loops, _, _) = effect { return loops }
    }
    return LoopSet()
  }

  private mutating func take(_ arrival: Arrival) -> [ShardBatch] {
    for effect in effects(of: arrival) { encoder.add(effect) }
    return encoder.takeBatches()
  }

  private mutating func effects(of arrival: Arrival) -> [Effect] {
    let moment = Moment(wall: Timestamp(milliseconds: 1_000), uptime: 1_000)
    hub.receive(arrival, at: moment)
    records += hub.takeRecords().count
    hub.advance(durable: records, at: moment)
    var effects: [Effect] = []
    hub.takeEffects(into: &effects)
    return effects
  }
}

@Suite("architecture, the way of a message: encode once")
struct EffectEncoderTests {
  private func summaries(_ batch: ShardBatch) -> [[String]] {
    batch.frames.map { frame in
      var listener = FrameListener()
      listener.hear(frame)
      return listener.take().map(\.summary)
    }
  }

  /// Alice on loop 0, Bob on loops 1 and 2, all subscribed to `room`.
  private func room() throws -> Decisions {
    var decisions = Decisions()
    for (id, user) in [(connection(0), "alice"), (connection(1), "bob"), (connection(2), "bob")] {
      _ = try decisions.ask(id, #"{"id":1,"op":"hello","token":"dev:\#(user)"}"#)
    }
    let create = #"{"op":"channel.create","channel":"room","kind":"group","members":["bob"]}"#
    _ = try decisions.ask(connection(0), create)
    for loop: UInt16 in 0..<3 {
      _ = try decisions.ask(connection(loop), #"{"op":"subscribe","channel":"room"}"#)
    }
    return decisions
  }

  @Test("hello is greeted, answered, and its bytes are free again")
  func hello() throws {
    var decisions = Decisions()
    let text = #"{"id":7,"op":"hello","token":"dev:alice"}"#
    let batches = try decisions.ask(connection(1, 4), text)
    #expect(
      batches.map { $0.commands.map(line) } == [
        [], ["greeted 1.4 0", "deliver 0 to 1.4", "answered 1.4 \(text.utf8.count)"], [],
      ])
    #expect(summaries(batches[1]) == [["7 ok"]])
  }

  @Test("an event is one frame on each loop that listens, whoever listens there")
  func publish() throws {
    var decisions = try room()
    let send = #"{"id":2,"op":"message.send","channel":"room","text":"hi"}"#
    let batches = try decisions.ask(connection(0), send)
    #expect(batches.map { summaries($0).filter { $0 == ["message 1"] }.count } == [1, 1, 1])
    #expect(
      batches[0].commands.prefix(3).map(line) == [
        "deliver 0 to 0.0", "answered 0.0 \(send.utf8.count)", "publish 1",
      ])
    #expect(summaries(batches[0]).prefix(2) == [["2 ok"], ["message 1"]])
  }

  @Test("the sender's own form is one more frame, named by its user")
  func variant() throws {
    var decisions = try room()
    let send = #"{"op":"message.send","channel":"room","text":"hi","key":"k"}"#
    let batches = try decisions.ask(connection(0), send)
    for batch in batches {
      let publish = batch.commands.map(line).first { $0.hasPrefix("publish") }
      #expect(publish == "publish 0, 1 to 0")
      let keys = batch.frames.prefix(2).map { String(buffer: $0).contains(#""key":"k""#) }
      #expect(keys == [false, true])
    }
  }

  @Test("some users get another form, some nothing; a user in two variants gets the first")
  func variants() throws {
    let name = try #require(ChannelName("room"))
    let users = (0..<6).map { UserRef(index: $0) }
    let typing = try ["a", "b", "c"].map { Event.typing(name, users: [try #require(UserID($0))]) }
    var encoder = EffectEncoder(loopCount: 1)
    var decisions = try room()
    let loops = try decisions.loops()
    let publish = { (variants: [Variant]) in
      encoder.add(.publish(ChannelRef(index: 1), on: loops, typing[0], variants: variants))
    }
    publish([])
    publish([Variant(users: [users[1]], event: nil)])
    publish([Variant(users: [users[1]], event: typing[1])])
    publish([
      Variant(users: [users[1], users[2]], event: typing[1]),
      Variant(users: [users[3], users[1]], event: nil),
      Variant(users: [users[4]], event: typing[2]),
    ])
    let batch = try #require(encoder.takeBatches().first)
    #expect(
      batch.commands.map(line) == [
        "publish 0", "publish 1, nothing to 1", "publish 2, 3 to 1",
        "publish 4 and 2, +1 to 1, +1 to 2, +0 to 3, +2 to 4",
      ])
    #expect(batch.frames.count == 7)
    #expect(batch.frames[5] == batch.frames[3])
    #expect(batch.marks == Array(repeating: .latest(.typing(name)), count: 7))
  }

  @Test("each frame is marked as what it is")
  func marks() throws {
    var decisions = try room()
    let send = #"{"id":2,"op":"message.send","channel":"room","text":"hi","key":"k"}"#
    let batches = try decisions.ask(connection(0), send)
    let name = try #require(ChannelName("room"))
    let message = Mark.message(ChannelRef(index: 0), name, seq: 1)
    #expect(batches[0].marks.prefix(3) == [.reply, message, message])
    #expect(batches[1].marks.prefix(2) == [message, message])
    let subscribe = #"{"id":3,"op":"subscribe","channel":"room"}"#
    #expect(try decisions.ask(connection(1), subscribe)[1].marks == [.subscribed])
  }

  @Test("a subscription begins where its answer says that the channel stands")
  func position() throws {
    var decisions = try room()
    for _ in 0..<3 {
      _ = try decisions.ask(connection(0), #"{"op":"message.send","channel":"room","text":"x"}"#)
    }
    _ = try decisions.ask(connection(1), #"{"op":"unsubscribe","channel":"room"}"#)
    let told = #"{"id":3,"op":"subscribe","channel":"room"}"#
    let batch = try decisions.ask(connection(1), told)[1]
    #expect(batch.commands.map(line).contains("subscribe 1.0 at 3, 0"))
    _ = try decisions.ask(connection(1), #"{"op":"unsubscribe","channel":"room"}"#)
    let silent = #"{"op":"subscribe","channel":"room"}"#
    #expect(
      try decisions.ask(connection(1), silent)[1].commands.map(line).contains("subscribe 1.0"))
  }

  @Test("a success nobody asked to hear of is no frame")
  func silent() throws {
    var decisions = try room()
    let text = #"{"op":"unsubscribe","channel":"room"}"#
    let batches = try decisions.ask(connection(2), text)
    #expect(batches[2].frames.isEmpty)
    #expect(
      batches[2].commands.map(line) == [
        "unsubscribe 2.0", "answered 2.0 \(text.utf8.count)",
      ])
  }

  @Test("subscribing begins behind its answer, so that nothing comes before it")
  func subscribe() throws {
    var decisions = Decisions()
    _ = try decisions.ask(connection(0), #"{"id":1,"op":"hello","token":"dev:alice"}"#)
    let create = #"{"id":2,"op":"channel.create","channel":"room","kind":"public"}"#
    _ = try decisions.ask(connection(0), create)
    let text = #"{"id":3,"op":"subscribe","channel":"room"}"#
    let batches = try decisions.ask(connection(0), text)
    #expect(
      batches[0].commands.map(line) == [
        "deliver 0 to 0.0", "answered 0.0 \(text.utf8.count)", "subscribe 0.0 at 0, 0",
      ])
  }

  @Test("what goes to many connections of one loop is one frame there")
  func tellEach() {
    var encoder = EffectEncoder(loopCount: 2)
    let event = Event.error(op: nil, Refusal(.internal, "x"))
    let connections = [connection(0, 1), connection(1, 1), connection(0, 2), connection(0, 3)]
    encoder.add(.tellEach(connections, event))
    let batches = encoder.takeBatches()
    #expect(batches.map(\.frames.count) == [1, 1])
    #expect(
      batches.map { $0.commands.map(line) } == [
        ["deliver 0 to 0.1", "deliver 0 to 0.2", "deliver 0 to 0.3"], ["deliver 0 to 1.1"],
      ])
  }

  @Test("a refusal is a reply under the id, or an event without one; a close stands behind it")
  func refusals() throws {
    var encoder = EffectEncoder(loopCount: 1)
    let refusal = Refusal(.rateLimited, "slow down", retryAfterMilliseconds: 10)
    let id = try #require(RequestID(9))
    encoder.add(.answer(connection(0), .refusal(id, refusal), bytes: 1))
    encoder.add(.answer(connection(0), .refusalEvent(op: "ping", refusal), bytes: 2))
    encoder.add(.close(connection(0), .tooManyRequests))
    let batch = try #require(encoder.takeBatches().first)
    #expect(summaries(batch) == [["9 rate_limited"], ["error rate_limited"]])
    #expect(
      batch.commands.map(line) == [
        "deliver 0 to 0.0", "answered 0.0 1", "deliver 1 to 0.0", "answered 0.0 2",
        "close 0.0 4429",
      ])
  }

  @Test(
    "each frame has the shortest header, and nothing around it",
    arguments: [
      0, 1, 30, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80,
      1_000, 65_400, 65_470, 65_480, 65_490, 65_535, 65_536, 70_000, 500_000,
    ])
  func headers(length: Int) throws {
    var encoder = EffectEncoder(loopCount: 1)
    let refusal = Refusal(.internal, String(repeating: "x", count: length))
    encoder.add(.tell(connection(0), .error(op: nil, refusal)))
    let batch = try #require(encoder.takeBatches().first)
    let frame = try #require(batch.frames.first)
    var listener = FrameListener()
    listener.hear(frame)
    let heard = listener.take()
    guard heard.count == 1, case .message(.event("error", let event), let bytes) = heard[0] else {
      Issue.record("\(heard)")
      return
    }
    #expect(event.object("error")?.string("message")?.utf8.count == length)
    let header = bytes <= 125 ? 2 : bytes <= 0xFFFF ? 4 : 10
    #expect(frame.readableBytes == header + bytes)
  }

  @Test("batches that were taken are gone")
  func takeBatches() {
    var encoder = EffectEncoder(loopCount: 2)
    encoder.add(.close(connection(1), .badToken))
    #expect(encoder.takeBatches().map(\.commands.count) == [0, 1])
    #expect(encoder.takeBatches().map(\.commands.count) == [0, 0])
  }
}
