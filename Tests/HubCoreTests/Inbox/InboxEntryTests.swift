import HubCore
import HubProtocol
import SeededRandom
import Testing

@Suite("Architecture, Inbox: an item in 32 bytes")
struct InboxEntryTests {
  private static let places = [1, 255, 1 << 16, 1 << 32 - 1, 1 << 32, 1 << 33 + 5, 1 << 40 - 1]
  private static let bodies = [1, 1 << 32, 1 << 47, 1 << 48 - 1]

  @Test("it takes 32 bytes")
  func size() {
    #expect(MemoryLayout<InboxEntry>.stride == 32)
  }

  @Test("ids and bodies up to the largest are kept", arguments: places, bodies)
  func kept(id: Int, body: Int) {
    let entry = InboxEntry(
      id: id, type: 9_999, publisher: .user(UserRef(index: .max)), key: .max, body: body)
    #expect(entry.id == id && entry.position == id && entry.body == body)
    #expect(entry.type == 9_999 && entry.key == .max)
    #expect(entry.state == .unseen && !entry.isViewed)
    #expect(entry.publisher == .user(UserRef(index: .max)))
  }

  @Test("the hub as publisher names a channel")
  func hub() {
    let entry = InboxEntry(
      id: 1, type: 0, publisher: .hub(ChannelRef(index: 7)), key: 0, body: 1)
    #expect(entry.publisher == .hub(ChannelRef(index: 7)))
    #expect(entry.publisher != .user(UserRef(index: 7)))
  }

  @Test("whatever is changed, the rest stays")
  func apart() {
    var random = SplitMix64(seed: TestSeed.value)
    for _ in 0..<2_000 {
      let id = random.pick(Self.places)
      var entry = InboxEntry(
        id: id, type: UInt16(random.below(10_000)),
        publisher: random.oneIn(2)
          ? .hub(ChannelRef(index: UInt32(random.below(1 << 32))))
          : .user(UserRef(index: UInt32(random.below(1 << 32)))),
        key: random.next(), body: random.pick(Self.bodies))
      for _ in 0..<9 { change(&entry, id, &random) }
    }
  }

  private func change(_ entry: inout InboxEntry, _ id: Int, _ random: inout SplitMix64) {
    let before = entry
    var (position, body) = (entry.position, entry.body)
    var (state, isViewed, type) = (entry.state, entry.isViewed, entry.type)
    switch random.below(5) {
    case 0:
      position = id + random.below(InboxEntry.largestPosition - id + 1)
      entry.position = position
    case 1:
      body = 1 + random.below(InboxEntry.largestBody)
      entry.body = body
    case 2:
      state = random.pick(InboxState.allCases)
      entry.state = state
    case 3:
      isViewed.toggle()
      entry.isViewed = isViewed
    default:
      type = UInt16(random.below(10_000))
      entry.type = type
    }
    #expect(entry.id == id && entry.position == position && entry.body == body, "\(TestSeed.hint)")
    #expect(entry.state == state && entry.isViewed == isViewed, "\(TestSeed.hint)")
    #expect(entry.type == type && entry.key == before.key, "\(TestSeed.hint)")
    #expect(entry.publisher == before.publisher, "\(TestSeed.hint)")
  }
}
