import HubClient
import HubProtocol
import HubWebSocket
import NIOCore
import Testing

@Suite("A connection to a server of the test's own", .timeLimit(.minutes(1)))
struct HubConnectionTests {
  /// Impatient where the defaults would keep a test waiting.
  static var quick: HubConfiguration {
    var configuration = HubConfiguration()
    configuration.backoff.first = .milliseconds(10)
    configuration.backoff.longest = .milliseconds(50)
    return configuration
  }

  private func connection(
    to hub: FakeHub, _ configuration: HubConfiguration = quick
  ) throws -> HubConnection {
    try HubConnection(url: hub.url, token: "dev:ana", configuration: configuration)
  }

  @Test("connects, says who it is, asks, and closes with 1000")
  func wholeLife() async throws {
    let hub = try await FakeHub { asked in
      switch asked.op {
      case "hello":
        let isRight =
          asked.json.string("token") == "dev:ana"
          && asked.json.object("client")?.string("name") == "HubClient"
        return isRight ? [] : [.close(4500)]
      case "ping": return [FakeHub.ok(asked, #"{"server_ts":77}"#)]
      default: return []
      }
    }
    let connection = try connection(to: hub)
    let session = try await connection.connect()
    #expect(session.user == "ana")
    #expect(try await connection.ping() == 77)
    await connection.close()
    #expect(await connection.state == .closed(nil))
    await #expect(throws: HubError.self) { try await connection.ping() }
    try await hub.stop()
  }

  @Test("many requests at once get their own answers")
  func manyInFlight() async throws {
    let hub = try await FakeHub { asked in
      guard asked.op == "message.send" else { return [] }
      let text = asked.json.string("text") ?? ""
      return [FakeHub.ok(asked, #"{"seq":\#(text),"ts":1}"#)]
    }
    let connection = try connection(to: hub)
    try await connection.connect()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 1...500 {
        group.addTask { try await connection.send("\(number)", to: "room:x").seq == number }
      }
      for try await isRight in group { #expect(isRight) }
    }
    await connection.close()
    try await hub.stop()
  }

  @Test("a send whose answer was lost is sent again with its key, and is done once")
  func resend() async throws {
    let hub = try await FakeHub { asked in
      guard asked.op == "message.send" else { return [] }
      let isKeyed = asked.json.string("key") == "k1"
      guard asked.connection > 1 else { return [.drop] }
      return [FakeHub.ok(asked, #"{"seq":9,"ts":1,"duplicate":\#(isKeyed)}"#)]
    }
    let connection = try connection(to: hub)
    try await connection.connect()
    let sent = try await connection.send("hi", to: "room:x", key: "k1")
    #expect(sent.seq == 9 && sent.isDuplicate)
    await connection.close()
    try await hub.stop()
  }

  @Test("a subscription survives a broken connection without loss or repetition")
  func survives() async throws {
    let room = try #require(ChannelName("room:x"))
    let hub = try await FakeHub { asked in
      guard asked.op == "subscribe" else { return [] }
      let since = asked.json.object("since")?.integer("seq")
      let reply = subscribeReply(
        asked.id, seq: 3, recovered: since != nil, messages: since.map { Array($0 + 1...3) } ?? [],
        channel: room)
      guard asked.connection == 1 else { return [.text(reply), .text(messageEvent(room, 4))] }
      let first = subscribeReply(asked.id, seq: 0, recovered: false, channel: room)
      return [.text(first), .text(messageEvent(room, 1)), .drop]
    }
    let connection = try connection(to: hub)
    try await connection.connect()
    let subscription = try await connection.subscribe(to: "room:x")
    var seqs: [Int] = []
    for try await update in subscription {
      guard case .event(let event) = update, case .message(let message) = event.body else {
        continue
      }
      seqs.append(message.seq)
      if seqs.count == 4 { break }
    }
    #expect(seqs == [1, 2, 3, 4])
    await connection.close()
    try await hub.stop()
  }

  @Test("the hub's refusal to subscribe is thrown; the channel may be tried again")
  func refusedSubscription() async throws {
    let hub = try await FakeHub { asked in
      guard asked.op == "subscribe" else { return [] }
      return [.text(#"{"id":\#(asked.id),"error":{"code":"not_found","message":"none"}}"#)]
    }
    let connection = try connection(to: hub)
    try await connection.connect()
    for _ in 0..<2 {
      let error = try await #require(throws: HubError.self) {
        _ = try await connection.subscribe(to: "room:x")
      }
      #expect(error.code == "not_found")
    }
    await connection.close()
    try await hub.stop()
  }

  @Test("a slow reader is told how much it missed")
  func slowReader() async throws {
    let room = try #require(ChannelName("room:x"))
    let hub = try await FakeHub { asked in
      if asked.op == "ping" { return [FakeHub.ok(asked, #"{"server_ts":1}"#)] }
      if asked.op == "unsubscribe" { return [FakeHub.ok(asked)] }
      guard asked.op == "subscribe" else { return [] }
      let reply = subscribeReply(asked.id, seq: 0, recovered: false, channel: room)
      return [.text(reply)] + (1...10).map { .text(messageEvent(room, $0)) }
    }
    var configuration = Self.quick
    configuration.maxWaitingUpdates = 3
    let connection = try connection(to: hub, configuration)
    let events = await connection.events()
    try await connection.connect()
    let subscription = try await connection.subscribe(to: "room:x")
    // Its answer comes behind the messages.
    try await connection.ping()
    #expect(await subscription.position?.seq == 10)
    var updates = subscription.makeAsyncIterator()
    for seq in 1...3 {
      guard case .event(let event)? = try await updates.next() else { break }
      #expect(event.json.text == messageEvent(room, seq))
    }
    #expect(try await updates.next() == .missed(7))
    var all = events.makeAsyncIterator()
    for _ in 1...3 { _ = await all.next() }
    #expect(await all.next() == .missed(7))
    try await subscription.unsubscribe()
    #expect(try await updates.next() == nil)
    await connection.close()
    #expect(await all.next() == nil)
    try await hub.stop()
  }

  @Test("a connection that nobody refers to any more is dropped")
  func dropped() async throws {
    let hub = try await FakeHub { _ in [] }
    for await state in try await forgotten(hub) {
      #expect(state != .closed(nil))
    }
    try await hub.stop()
  }

  private func forgotten(_ hub: FakeHub) async throws -> HubStates {
    let connection = try connection(to: hub)
    try await connection.connect()
    return await connection.states()
  }

  @Test("an unanswered request fails at its deadline")
  func deadline() async throws {
    let hub = try await FakeHub { _ in [] }
    var configuration = Self.quick
    configuration.requestDeadline = .milliseconds(50)
    let connection = try connection(to: hub, configuration)
    try await connection.connect()
    let error = try await #require(throws: HubError.self) { try await connection.ping() }
    #expect(error.code == HubError.timedOut)
    await connection.close()
    try await hub.stop()
  }

  @Test("a silent hub counts as dead and is reached anew")
  func silence() async throws {
    let hello = FakeHub.hello.replacing("25000", with: "20")
    let hub = try await FakeHub(hello: hello) { _ in [] }
    var configuration = Self.quick
    configuration.silenceAllowance = .milliseconds(30)
    let connection = try connection(to: hub, configuration)
    let states = await connection.states()
    try await connection.connect()
    var connects = 0
    for await state in states {
      if case .connected = state { connects += 1 }
      if connects == 2 { break }
    }
    #expect(connects == 2)
    await connection.close()
    try await hub.stop()
  }

  @Test("4503 ends everything, with the reason")
  func endedByHub() async throws {
    let room = try #require(ChannelName("room:x"))
    let hub = try await FakeHub { asked in
      guard asked.op == "subscribe" else { return [] }
      let reply = subscribeReply(asked.id, seq: 0, recovered: false, channel: room)
      return [.text(reply), .close(4503)]
    }
    let connection = try connection(to: hub)
    try await connection.connect()
    let subscription = try await connection.subscribe(to: "room:x")
    let error = try await #require(throws: HubError.self) { for try await _ in subscription {} }
    #expect(error.code == HubError.ended && error.message.contains("4503"))
    #expect(await connection.state == .closed(error))
    try await hub.stop()
  }

  @Test("where nobody listens, connecting fails at once and may be tried again")
  func nobody() async throws {
    let hub = try await FakeHub { _ in [] }
    let connection = try connection(to: hub)
    try await hub.stop()
    for _ in 0..<2 {
      let error = try await #require(throws: HubError.self) { try await connection.connect() }
      #expect(error.code == HubError.unreachable)
    }
  }

  @Test("a server without a hub is explained by its status")
  func noHub() async throws {
    let hub = try await FakeHub { _ in [] }
    let port = try #require(hub.url.split(separator: ":").last)
    let connection = try HubConnection(
      url: "ws://127.0.0.1:\(port)", token: String(repeating: "x", count: 300_000))
    // A hello beyond every limit: the server closes with 1009.
    let error = try await #require(throws: HubError.self) { try await connection.connect() }
    #expect(error.code == HubError.ended)
    try await hub.stop()
  }

  @Test("a cancelled request ends its task only")
  func cancellation() async throws {
    let hub = try await FakeHub { asked in
      asked.op == "read" ? [FakeHub.ok(asked)] : []
    }
    let connection = try connection(to: hub)
    try await connection.connect()
    let asking = Task { try await connection.ping() }
    asking.cancel()
    let error = await #expect(throws: HubError.self) { try await asking.value }
    #expect(error?.code == HubError.cancelled)
    try await connection.read("room:x", upTo: 1)
    await connection.close()
    try await hub.stop()
  }

  @Test("arguments that cannot be right are refused before anything is sent")
  func badArguments() async throws {
    let hub = try await FakeHub { _ in [] }
    let connection = try connection(to: hub)
    try await connection.connect()
    for name in ["", "@x", "a b", String(repeating: "x", count: 129)] {
      let error = try await #require(throws: HubError.self) {
        _ = try await connection.send("hi", to: name)
      }
      #expect(error.code == "bad_request")
    }
    let json = try #require(HubJSON(#"{"id":1}"#))
    await #expect(throws: HubError.self) { try await connection.request("x", arguments: json) }
    await connection.close()
    try await hub.stop()
  }
}
