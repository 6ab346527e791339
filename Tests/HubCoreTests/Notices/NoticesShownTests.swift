import HubCore
import SeededRandom
import Testing

@Suite("Protocol, Notices: `notice.retract`")
struct NoticesShownTests {
  private let room = ChannelRef(index: 1)
  private let other = ChannelRef(index: 2)
  private let phone = ConnectionID(loop: 0, slot: 1, generation: 0)
  private let laptop = ConnectionID(loop: 1, slot: 1, generation: 0)

  private func shown(
    _ channel: ChannelRef, _ seq: Int, _ connections: ConnectionID...
  ) -> NoticesShown.Shown {
    NoticesShown.Shown(channel: channel, seq: seq, connections: connections)
  }

  @Test("what was read is taken back where it went, the oldest first, and once")
  func read() {
    var notices = NoticesShown()
    notices.note(room, seq: 1, connections: [phone, laptop])
    notices.note(other, seq: 2, connections: [phone])
    notices.note(room, seq: 3, connections: [laptop])
    notices.note(room, seq: 4, connections: [phone])
    let read = notices.retract(room, upTo: 3)
    #expect(read == [shown(room, 1, phone, laptop), shown(room, 3, laptop)])
    let again = notices.retract(room, upTo: 3)
    #expect(again.isEmpty && notices.count == 2)
  }

  @Test("a deleted message is taken back alone")
  func deleted() {
    var notices = NoticesShown()
    for seq in 1...3 { notices.note(room, seq: seq, connections: [phone]) }
    let deleted = notices.retract(room, seq: 2)
    #expect(deleted == shown(room, 2, phone))
    let never = [notices.retract(room, seq: 2), notices.retract(other, seq: 1)]
    #expect(never == [nil, nil] && notices.count == 2)
  }

  @Test("with a channel that was left everything of it goes")
  func left() {
    var notices = NoticesShown()
    notices.note(room, seq: 1, connections: [phone])
    notices.note(other, seq: 1, connections: [phone])
    notices.note(room, seq: 9, connections: [phone])
    let left = notices.retract(room)
    #expect(left == [shown(room, 1, phone), shown(room, 9, phone)])
    #expect(notices.count == 1)
  }

  @Test("a connection that ended has nothing to take back; the user's others have")
  func ended() {
    var notices = NoticesShown()
    notices.note(room, seq: 1, connections: [phone, laptop])
    notices.note(room, seq: 2, connections: [phone])
    notices.note(room, seq: 3, connections: [laptop])
    notices.forget(phone)
    #expect(notices.count == 2)
    let read = notices.retract(room, upTo: 3)
    #expect(read == [shown(room, 1, laptop), shown(room, 3, laptop)])
  }

  @Test("a notice that went to further connections is taken back from all of them")
  func again() {
    var notices = NoticesShown()
    notices.note(room, seq: 1, connections: [phone])
    notices.note(room, seq: 2, connections: [phone])
    notices.note(room, seq: 1, connections: [laptop, phone])
    #expect(notices.count == 2)
    let read = notices.retract(room, upTo: 2)
    #expect(read == [shown(room, 2, phone), shown(room, 1, phone, laptop)])
  }

  @Test("what went to nobody is not remembered")
  func nobody() {
    var notices = NoticesShown()
    notices.note(room, seq: 1, connections: [])
    #expect(notices.count == 0)
  }

  @Test("the newest 100 of a user are remembered, over all channels")
  func bounded() {
    var notices = NoticesShown()
    for seq in 1...80 { notices.note(room, seq: seq, connections: [phone]) }
    for seq in 1...80 { notices.note(other, seq: seq, connections: [phone]) }
    #expect(notices.count == NoticesShown.limit)
    let first = notices.retract(room, upTo: 60)
    #expect(first.isEmpty)
    let rest = notices.retract(room).map(\.seq)
    #expect(rest == Array(61...80) && notices.count == 80)
  }

  @Test("what is taken back equals a look at everything shown, for random lives")
  func recount() {
    var random = SplitMix64(seed: TestSeed.value)
    let channels = (0..<4).map { ChannelRef(index: UInt32($0)) }
    let connections = (0..<5).map { ConnectionID(loop: 0, slot: $0, generation: 0) }
    for _ in 0..<10 {
      var notices = NoticesShown()
      var model: [NoticesShown.Shown] = []
      for _ in 0..<600 {
        let channel = random.pick(channels)
        let seq = random.below(80)
        let (found, expected): ([NoticesShown.Shown], [NoticesShown.Shown])
        switch random.below(40) {
        case 0:
          let ended = random.pick(connections)
          notices.forget(ended)
          (found, expected) = ([], [])
          model = Self.without(ended, model)
        case 1:
          found = notices.retract(channel)
          expected = model.filter { $0.channel == channel }
        case 2:
          found = notices.retract(channel, upTo: seq / 4)
          expected = model.filter { $0.channel == channel && $0.seq <= seq / 4 }
        case 3...6:
          found = notices.retract(channel, seq: seq).map { [$0] } ?? []
          expected = model.filter { $0.channel == channel && $0.seq == seq }
        default:
          let given = connections.filter { _ in random.oneIn(3) }
          notices.note(channel, seq: seq, connections: given)
          (found, expected) = ([], [])
          model = Self.with(Self.shown(channel, seq, given), model)
        }
        model.removeAll { expected.contains($0) }
        #expect(found == expected, "\(TestSeed.hint)")
        #expect(notices.count == model.count, "\(TestSeed.hint)")
      }
    }
  }

  private static func shown(
    _ channel: ChannelRef, _ seq: Int, _ connections: [ConnectionID]
  ) -> NoticesShown.Shown {
    NoticesShown.Shown(channel: channel, seq: seq, connections: connections)
  }

  private static func without(
    _ connection: ConnectionID, _ model: [NoticesShown.Shown]
  ) -> [NoticesShown.Shown] {
    model.map { shown($0.channel, $0.seq, $0.connections.filter { $0 != connection }) }
      .filter { !$0.connections.isEmpty }
  }

  private static func with(
    _ new: NoticesShown.Shown, _ model: [NoticesShown.Shown]
  ) -> [NoticesShown.Shown] {
    let before = model.filter { $0.channel == new.channel && $0.seq == new.seq }
    let had = before.flatMap(\.connections)
    let all = had + new.connections.filter { !had.contains($0) }
    guard !all.isEmpty else { return model }
    let others = model.filter { !before.contains($0) }
    return Array((others + [shown(new.channel, new.seq, all)]).suffix(100))
  }
}
