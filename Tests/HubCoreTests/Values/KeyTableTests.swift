import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Messages: which keys are remembered")
struct KeyTableTests {
  private let alice = UserRef(index: 1)
  private let room = ChannelRef(index: 2)
  private let start = Timestamp(milliseconds: 1_700_000_000_000)

  private func table(capacity: Int = 100, pageCount: Int = 4) -> KeyTable {
    KeyTable(hashKey: SipHash.Key(low: 1, high: 2), capacity: capacity, pageCount: pageCount)
  }

  private func sent(_ seq: Int, after milliseconds: Int = 0) -> KeyTable.Sent {
    KeyTable.Sent(seq: seq, ts: start.advanced(byMilliseconds: milliseconds))
  }

  @Test("a key is found by sender, channel and key together, with its seq and time")
  func found() {
    var table = table()
    let far = KeyTable.Sent(seq: 1 << 47, ts: Timestamp(milliseconds: 1 << 47))
    table.insert(sender: alice, channel: room, key: "k", sent: sent(7))
    table.insert(sender: alice, channel: room, key: "far", sent: far)
    let (other, elsewhere) = (UserRef(index: 2), ChannelRef(index: 1))
    #expect(table.find(sender: alice, channel: room, key: "k", now: start) == sent(7))
    #expect(table.find(sender: alice, channel: room, key: "far", now: start) == far)
    #expect(table.find(sender: other, channel: room, key: "k", now: start) == nil)
    #expect(table.find(sender: alice, channel: elsewhere, key: "k", now: start) == nil)
    #expect(table.find(sender: alice, channel: room, key: "K", now: start) == nil)
    #expect(table.find(sender: other, channel: elsewhere, key: "k", now: start) == nil)
  }

  @Test("it lives 24 h, to the millisecond")
  func lifetime() {
    var table = table()
    table.insert(sender: alice, channel: room, key: "k", sent: sent(1))
    let end = start.advanced(byMilliseconds: KeyTable.lifetimeMilliseconds)
    let last = end.advanced(byMilliseconds: -1)
    #expect(KeyTable.lifetimeMilliseconds == 86_400_000)
    #expect(table.find(sender: alice, channel: room, key: "k", now: last) == sent(1))
    #expect(table.find(sender: alice, channel: room, key: "k", now: end) == nil)
  }

  @Test("the newest `capacity` are remembered, no more and no less", arguments: [1, 7, 100])
  func capacity(limit: Int) {
    var table = table(capacity: limit)
    for seq in 1...500 {
      table.insert(sender: alice, channel: room, key: "\(seq)", sent: sent(seq, after: seq))
    }
    let found = (1...500).filter {
      table.find(sender: alice, channel: room, key: "\($0)", now: start) != nil
    }
    #expect(found == Array((501 - limit)...500))
  }

  @Test("a million keyed sends are remembered")
  func million() {
    #expect(KeyTable.capacity == 1_000_000)
  }

  @Test("a key used again after its time answers the newer send")
  func again() {
    var table = table()
    table.insert(sender: alice, channel: room, key: "k", sent: sent(1))
    let later = KeyTable.lifetimeMilliseconds
    table.insert(sender: alice, channel: room, key: "k", sent: sent(2, after: later))
    let now = start.advanced(byMilliseconds: later)
    #expect(table.find(sender: alice, channel: room, key: "k", now: now)?.seq == 2)
  }
}
