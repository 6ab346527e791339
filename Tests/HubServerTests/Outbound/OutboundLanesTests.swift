import HubCore
import HubProtocol
import HubServer
import NIOCore
import Testing

@Suite("architecture, Outbound lanes: what waits for a slow connection")
struct OutboundLanesTests {
  private var lanes = OutboundLanes(limit: 1_000)
  private let room: TestChannel
  private let other: TestChannel
  private let ana: UserID

  init() throws {
    room = try TestChannel(1)
    other = try TestChannel(2)
    ana = try #require(UserID("ana"))
  }

  @Test("replies and events keep their order; latest values come when nothing ordered waits")
  mutating func order() {
    lanes.add("typing", room.typing)
    lanes.add("m1", room.message(1))
    lanes.add("ok", .reply)
    lanes.add("inbox", .userStream)
    lanes.add("signal", .ephemeral)
    lanes.add("m2", room.message(2))
    lanes.add("presence", .latest(.presence(ana)))
    #expect(
      lanes.takeAll() == ["m1", "ok", "inbox", "signal", "m2", "typing", "presence"])
    #expect(lanes.isEmpty && lanes.bytes == 0)
  }

  @Test("a newer value overwrites the one under its key, and comes when the newer would")
  mutating func coalescing() {
    lanes.add("ana types", room.typing, bytes: 400)
    lanes.add("3 unread", room.unread)
    lanes.add("there: ana", other.typing)
    lanes.add("ana and ben type", room.typing)
    #expect(lanes.bytes == "3 unread".count + "there: ana".count + "ana and ben type".count)
    #expect(lanes.takeAll() == ["3 unread", "there: ana", "ana and ben type"])
  }

  @Test("each kind of value of each channel and person is a slot of its own")
  mutating func keys() throws {
    let ben = try #require(UserID("ben"))
    let keys: [LatestKey] = [
      .typing(room.name), .typing(other.name), .present(room.name), .receipt(room.name, ana),
      .receipt(room.name, ben), .receipt(other.name, ana), .presence(ana), .presence(ben),
      .activity(room.name), .unread(room.name),
    ]
    for round in 1...2 {
      for (index, key) in keys.enumerated() { lanes.add("\(index).\(round)", .latest(key)) }
    }
    #expect(lanes.takeAll() == keys.indices.map { "\($0).2" })
  }

  @Test(
    "pieces are of about the size asked for, and one frame always", arguments: [1, 99, 250, 999])
  mutating func pieces(bytes: Int) {
    for seq in 1...9 { lanes.add("m\(seq)", room.message(seq), bytes: 100) }
    var pieces: [Int] = []
    while !lanes.isEmpty { pieces.append(lanes.takePiece(ofAbout: bytes).count) }
    let full = max(1, bytes / 100)
    #expect(pieces.dropLast().allSatisfy { $0 == full })
    #expect(pieces.reduce(0, +) == 9)
    #expect(lanes.takePiece(ofAbout: bytes).isEmpty)
  }

  @Test("latest values go first when room is needed, and one user gap says so at the end")
  mutating func latestFirst() {
    lanes.add("presence", .latest(.presence(ana)), bytes: 300)
    lanes.add("unread", room.unread, bytes: 300)
    lanes.add("m1", room.message(1), bytes: 500)
    lanes.add("presence again", .latest(.presence(ana)), bytes: 10)
    lanes.add("inbox", .userStream, bytes: 10)
    lanes.add("m2", room.message(2), bytes: 500)
    #expect(lanes.takeAll() == ["m1", "m2", "user gap"])
  }

  @Test("a typing set that had to go is told as empty, unless a newer one fits")
  mutating func typing() {
    lanes.add("typing", room.typing, bytes: 300)
    lanes.add("typing there", other.typing, bytes: 300)
    lanes.add("m1", room.message(1), bytes: 900)
    lanes.add("typing there again", other.typing, bytes: 50)
    #expect(lanes.takeAll() == ["m1", "nobody types in room:1", "typing there again"])
  }

  @Test("a value that does not fit is one that went")
  mutating func newValueGoes() {
    lanes.add("m1", room.message(1), bytes: 990)
    lanes.add("typing", room.typing, bytes: 50)
    #expect(lanes.bytes == 990)
    lanes.add("receipt", .latest(.receipt(room.name, ana)), bytes: 50)
    #expect(lanes.takeAll() == ["m1", "nobody types in room:1", "user gap"])
  }

  @Test("a value may be overwritten by one that needs the room of the one before")
  mutating func overwriteWhenFull() {
    lanes.add("m1", room.message(1), bytes: 600)
    lanes.add("old", room.unread, bytes: 400)
    lanes.add("new", room.unread, bytes: 390)
    #expect(lanes.takeAll() == ["m1", "new"])
  }

  @Test("after a user gap the user stream is delivered as before")
  mutating func afterUserGap() {
    lanes.add("m1", room.message(1), bytes: 990)
    lanes.add("dropped", .userStream, bytes: 20)
    #expect(lanes.takeAll() == ["m1", "user gap"])
    lanes.add("inbox", .userStream, bytes: 20)
    lanes.add("unread", room.unread, bytes: 20)
    #expect(lanes.takeAll() == ["inbox", "unread"])
  }

  @Test("a signal that does not fit goes without a word")
  mutating func ephemeral() {
    lanes.add("m1", room.message(1), bytes: 990)
    lanes.add("signal", .ephemeral, bytes: 20)
    #expect(lanes.takeAll() == ["m1"])
  }

  @Test("replies, refusals and `unsubscribed` are taken in whatever waits")
  mutating func neverDropped() {
    lanes.add("m1", room.message(1), bytes: 990)
    lanes.add("m2", room.message(2), bytes: 100)
    for index in 1...20 { lanes.add("ok \(index)", .reply, bytes: 100) }
    lanes.add("subscribed", .subscribed, bytes: 100)
    lanes.add("unsubscribed", .ended(room.name), bytes: 100)
    let replies = (1...20).map { "ok \($0)" }
    #expect(
      lanes.takeAll() == ["m1", "gap room:1 2-2 r0"] + replies + ["subscribed", "unsubscribed"])
  }

  @Test("what may be dropped never takes more than the limit")
  mutating func bounded() throws {
    let channels = try (1...5).map { try TestChannel($0) }
    for step in 1...2_000 {
      let channel = channels[step % 5]
      lanes.add("m", channel.message(step), bytes: step % 300)
      lanes.add("typing", channel.typing, bytes: step % 70)
      lanes.add("unread", channel.unread, bytes: 60)
      lanes.add("inbox", .userStream, bytes: step % 90)
      lanes.add("signal", .ephemeral, bytes: 200)
      #expect(lanes.bytes <= 1_000 + channels.count * OutboundLanes.eventBytes)
    }
  }
}
