import HubProtocol
import HubServer
import NIOCore
import Testing

@Suite("protocol, Subscribing and recovery: a gap for what a slow connection missed of a channel")
struct GapTests {
  private var lanes = OutboundLanes(limit: 1_000)
  private let room: TestChannel
  private let other: TestChannel

  init() throws {
    room = try TestChannel(1)
    other = try TestChannel(2)
    lanes.add("full", .reply, bytes: 1_000)
  }

  @Test("all messages that did not fit are one gap, in the place of the first")
  mutating func messages() {
    for seq in 3...7 { lanes.add("m\(seq)", room.message(seq), behind: (seq - 1, 2)) }
    lanes.add("ok", .reply)
    #expect(lanes.takeAll() == ["full", "gap room:1 3-7 r2", "ok"])
  }

  @Test("the gap has the rev before the first change that is missed")
  mutating func messagesAndChanges() {
    lanes.add("m3", room.message(3), behind: (2, 4))
    lanes.add("edit", room.change(5), behind: (3, 4))
    lanes.add("reaction", room.change(6), behind: (3, 5))
    lanes.add("m4", room.message(4), behind: (3, 6))
    #expect(lanes.takeAll() == ["full", "gap room:1 3-4 r4"])
  }

  @Test("when only changes are missed the gap begins at the next message and ends before it")
  mutating func changes() {
    lanes.add("edit", room.change(5), behind: (12, 4))
    lanes.add("edit", room.change(6), behind: (12, 5))
    #expect(lanes.takeAll() == ["full", "gap room:1 13-12 r4"])
  }

  @Test("a change that is missed before messages counts them in")
  mutating func changesThenMessages() {
    lanes.add("edit", room.change(5), behind: (12, 4))
    lanes.add("m13", room.message(13), behind: (12, 5))
    lanes.add("m14", room.message(14), behind: (13, 5))
    #expect(lanes.takeAll() == ["full", "gap room:1 13-14 r4"])
  }

  @Test("who came or left is part of what is missed of a channel")
  mutating func members() {
    lanes.add("joined", room.event, behind: (12, 4))
    #expect(lanes.takeAll() == ["full", "gap room:1 13-12 r4"])
  }

  @Test("each channel has a gap of its own")
  mutating func channels() {
    lanes.add("m1", room.message(1), behind: (0, 0))
    lanes.add("m8", other.message(8), behind: (7, 3))
    lanes.add("m2", room.message(2), behind: (1, 0))
    lanes.add("m9", other.message(9), behind: (8, 3))
    #expect(lanes.takeAll() == ["full", "gap room:1 1-2 r0", "gap room:2 8-9 r3"])
  }

  @Test("the gap grows until it is written; what comes then is delivered")
  mutating func growing() {
    lanes.add("m1", room.message(1), bytes: 100)
    #expect(lanes.takePiece(ofAbout: 1_000).map(\.summary) == ["full"])
    lanes.add("m2", room.message(2), bytes: 100)
    #expect(lanes.takePiece(ofAbout: 1_000).map(\.summary) == ["gap room:1 1-2 r0"])
    lanes.add("m3", room.message(3), bytes: 100)
    #expect(lanes.takeAll() == ["m3"])
  }

  @Test("until all gaps are written no channel's events are taken in, so that the lanes run empty")
  mutating func runsEmpty() {
    lanes.add("m1", room.message(1))
    lanes.add("m1", other.message(1))
    #expect(lanes.takePiece(ofAbout: 1_000).map(\.summary) == ["full"])
    #expect(lanes.takePiece(ofAbout: 1).map(\.summary) == ["gap room:1 1-1 r0"])
    lanes.add("signal", .ephemeral)
    lanes.add("m2", room.message(2), behind: (1, 0))
    #expect(lanes.takeAll() == ["gap room:2 1-1 r0", "gap room:1 2-2 r0"])
    lanes.add("signal", .ephemeral)
    lanes.add("m3", room.message(3), behind: (2, 0))
    #expect(lanes.takeAll() == ["signal", "m3"])
  }

  @Test("behind the answer to a subscribe it is another gap")
  mutating func subscribed() {
    lanes.add("m1", room.message(1))
    lanes.add("subscribed", .subscribed)
    lanes.add("m2", room.message(2))
    #expect(lanes.takeAll() == ["full", "gap room:1 1-1 r0", "subscribed", "gap room:1 2-2 r0"])
  }

  @Test("nothing of a channel, no gap either, comes behind its `unsubscribed`")
  mutating func ended() throws {
    var lanes = OutboundLanes(limit: 1_000)
    let ana = try #require(UserID("ana"))
    lanes.add("m1", room.message(1), bytes: 500)
    lanes.add("m1 there", other.message(1), bytes: 300)
    lanes.add("typing", room.typing)
    lanes.add("there", .latest(.present(room.name)))
    lanes.add("read", .latest(.receipt(room.name, ana)))
    lanes.add("activity", .latest(.activity(room.name)))
    lanes.add("0 unread", room.unread)
    lanes.add("typing there", other.typing)
    lanes.add("unsubscribed", .ended(room.name))
    #expect(
      lanes.takeAll() == ["m1", "m1 there", "0 unread", "unsubscribed", "typing there"])
  }

  @Test("a gap that was there stays before `unsubscribed`; what comes of a new subscription is new")
  mutating func endedWithGap() {
    lanes.add("m1", room.message(1))
    lanes.add("unsubscribed", .ended(room.name))
    lanes.add("subscribed", .subscribed)
    lanes.add("m2", room.message(2), behind: (1, 0))
    #expect(
      lanes.takeAll() == [
        "full", "gap room:1 1-1 r0", "unsubscribed", "subscribed", "gap room:1 2-2 r0",
      ])
  }

  @Test("a typing set that had to go is not told of a channel that has ended")
  mutating func endedTyping() {
    lanes.add("typing", room.typing)
    lanes.add("unsubscribed", .ended(room.name))
    #expect(lanes.takeAll() == ["full", "unsubscribed"])
  }
}
