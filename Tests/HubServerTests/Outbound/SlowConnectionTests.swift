import HubCore
import HubProtocol
import HubServer
import HubWebSocket
import NIOCore
import NIOEmbedded
import Testing

@Suite("architecture, Outbound lanes: a connection that does not keep up")
struct SlowConnectionTests {
  private let stage = ServerStage()
  private let ana: StageClient
  private let slow: StageClient
  private let holder = OutboundHolder()

  init() throws {
    ana = try stage.join("ana")
    slow = try stage.join("slow")
    try ana.send(
      #"{"op":"channel.create","channel":"room","kind":"group","members":["slow"]}"#,
      #"{"op":"subscribe","channel":"room"}"#)
    try slow.send(#"{"id":2,"op":"subscribe","channel":"room"}"#)
    try slow.channel.pipeline.syncOperations.addHandler(holder, position: .first)
    _ = try ana.heard()
    _ = try slow.heard()
  }

  /// Messages of about 5 kB from Ana.
  private func flood(_ count: Int) throws {
    let text = String(repeating: "x", count: 5_000)
    for _ in 0..<count {
      try ana.send(#"{"op":"message.send","channel":"room","text":"\#(text)"}"#)
    }
  }

  private func messages(_ seqs: ClosedRange<Int>) -> [String] { seqs.map { "message \($0)" } }

  /// Whether it is no number and no notice, which come beside what is told in order.
  private func isOrdered(_ summary: String) -> Bool {
    summary != "unread" && !summary.hasPrefix("notice")
  }

  @Test("what comes while the channel is full waits in the lanes and not in the pipeline")
  func waits() throws {
    let flushes = slow.socket.flushes
    slow.setWritable(false)
    try flood(20)
    #expect(slow.socket.flushes == flushes)
    #expect(slow.bufferedBytes == 0)
    slow.setWritable(true)
    #expect(try slow.heard().filter { $0.hasPrefix("message") } == messages(1...20))
    try flood(1)
    #expect(try slow.heard().filter { $0.hasPrefix("message") } == ["message 21"])
  }

  @Test("what comes while a write is under way waits for its end")
  func waitsForWrites() throws {
    holder.isHolding = true
    try flood(1)
    let first = slow.bufferedBytes
    #expect((5_000...6_000).contains(first))
    try flood(100)
    #expect(slow.bufferedBytes == first)
    holder.release()
    #expect(try slow.heard().filter { $0.hasPrefix("message") } == messages(1...101))
  }

  @Test("the lanes go on in pieces of at most 64 KiB, each when the one before was taken")
  func pieces() throws {
    holder.isHolding = true
    try flood(101)
    holder.letOne()
    var pieces: [Int] = []
    while slow.bufferedBytes > 0 {
      pieces.append(slow.bufferedBytes)
      holder.letOne()
    }
    #expect(pieces.allSatisfy { $0 <= 65_536 })
    #expect(pieces.dropLast().allSatisfy { $0 > 60_000 })
    #expect(try slow.heard().filter { $0.hasPrefix("message") } == messages(1...101))
  }

  @Test("latest values come behind everything ordered, only the newest")
  func latestValues() throws {
    slow.setWritable(false)
    try ana.send(#"{"op":"typing","channel":"room","on":true}"#)
    try flood(3)
    try ana.send(
      #"{"op":"typing","channel":"room","on":true}"#,
      #"{"op":"typing","channel":"room","on":false}"#)
    slow.setWritable(true)
    let heard = try slow.heard().filter(isOrdered)
    #expect(Array(heard.prefix(4)) == messages(1...3) + ["typing"])
    #expect(heard.count { $0 == "typing" } == 1)
  }

  @Test("more than 1 MiB becomes a gap, which brings the rest when asked for; nobody is closed")
  func gap() throws {
    slow.setWritable(false)
    try flood(400)
    slow.setWritable(true)
    let heard = try slow.messages()
    let texts = heard.map(\.summary).filter(isOrdered)
    let last = texts.count { $0.hasPrefix("message") }
    #expect((195...210).contains(last))
    #expect(Array(texts.prefix(last + 1)) == messages(1...last) + ["gap"])
    guard case .message(.event("gap", let gap), _)? = heard.first(where: { $0.summary == "gap" })
    else { return }
    #expect(gap.string("channel") == "room")
    #expect(["from", "to", "rev"].map { gap.integer($0) } == [last + 1, 400, 0])
    try flood(1)
    #expect(try slow.heard().contains("message 401"))
  }

  @Test("what of the user stream did not fit is one gap of scope user, behind the channel's")
  func userGap() throws {
    slow.setWritable(false)
    try flood(300)
    for name in ["a", "b"] {
      try ana.send(
        #"{"op":"channel.create","channel":"\#(name)","kind":"group","members":["slow"]}"#)
    }
    try ana.send(#"{"op":"message.send","channel":"a","text":"hi"}"#)
    slow.setWritable(true)
    let heard = try slow.messages().filter { !$0.summary.hasPrefix("message") }
    #expect(heard.map(\.summary).filter(isOrdered) == ["gap", "activity 1", "gap"])
    guard case .message(.event("gap", let gap), _)? = heard.last else { return }
    #expect(gap.string("scope") == "user")
  }

  @Test("requests wait until the lanes are empty; then they are answered behind what waited")
  func requestsWait() throws {
    holder.isHolding = true
    try flood(30)
    let reads = slow.socket.reads
    slow.channel.read()
    try slow.send(#"{"id":7,"op":"ping"}"#)
    #expect(slow.socket.reads == reads)
    holder.letOne()
    #expect(try slow.heard().filter(isOrdered) == ["message 1"])
    holder.release()
    stage.run()
    #expect(try slow.heard().filter(isOrdered) == messages(2...30) + ["7 ok"])
    #expect(slow.socket.reads == reads + 1)
  }

  @Test("requests that were under way when it became slow are all answered")
  func repliesAreKept() throws {
    stage.disk.delay()
    try slow.send(
      (10..<40).map { #"{"id":\#($0),"op":"message.send","channel":"room","text":"x"}"# })
    slow.setWritable(false)
    stage.sync()
    stage.disk.release()
    try flood(300)
    slow.setWritable(true)
    let replies = try slow.heard().filter { $0.hasSuffix(" ok") }
    #expect(replies == (10..<40).map { "\($0) ok" })
  }

  @Test("after `unsubscribed` nothing of the channel comes, no gap either")
  func unsubscribed() throws {
    slow.setWritable(false)
    try ana.send(#"{"op":"typing","channel":"room","on":true}"#)
    try flood(300)
    try ana.send(#"{"op":"channel.delete","channel":"room"}"#)
    slow.setWritable(true)
    let heard = try slow.heard()
    let end = try #require(heard.firstIndex(of: "unsubscribed"))
    #expect(heard[..<end].contains("gap"))
    #expect(heard[(end + 1)...].allSatisfy { $0 == "gap" || $0 == "channel.deleted" })
  }

  @Test("a close comes behind what waits")
  func closedBehind() throws {
    slow.setWritable(false)
    try flood(30)
    _ = stage.shard.closeAll(.goingAway)
    let heard = try slow.heard().filter(isOrdered)
    #expect(heard == messages(1...30) + ["close 1001"])
  }
}

@Suite("architecture, Outbound lanes: who takes nothing for 10 s is closed 4413")
struct StalledConnectionTests {
  private let stage = ServerStage()
  private let slow: StageClient
  private let holder = OutboundHolder()

  init() throws {
    slow = try stage.join("slow")
    try slow.channel.pipeline.syncOperations.addHandler(holder, position: .first)
    holder.isHolding = true
  }

  /// Ticks every 250 ms; when the connection was closed.
  private func closed(until end: Int, _ each: (Int) throws -> Void) rethrows -> Int? {
    for time in stride(from: 0, through: end, by: 250) {
      slow.handler.tick(now: slow.openedAt + time)
      if slow.handler.id == nil { return time }
      try each(time)
    }
    return nil
  }

  @Test("who takes nothing while something waits is closed after 10 s")
  func stalled() throws {
    try slow.send(#"{"id":2,"op":"ping"}"#)
    #expect(closed(until: 60_000) { _ in } == 10_000)
    holder.release()
    #expect(try slow.heard() == ["2 ok", "close 4413"])
    #expect(stage.shard.count == 0)
  }

  @Test("who takes one write every 9 s is not, nor for the silence of who is not read from")
  func slowly() throws {
    try slow.send((10..<60).map { #"{"id":\#($0),"op":"ping"}"# })
    let end = try closed(until: 120_000) { time in
      guard time % 9_000 == 0 else { return }
      holder.letOne()
      try slow.send(Array(repeating: #"{"op":"nonsense"}"#, count: 9))
    }
    #expect(end == nil)
  }

  @Test("who has taken everything may be silent for heartbeat + 10 s from then")
  func silence() throws {
    try slow.send(#"{"id":2,"op":"ping"}"#)
    let end = closed(until: 120_000) { time in
      if time == 9_000 { holder.release() }
    }
    #expect(end == 9_000 + 35_000)
  }
}
