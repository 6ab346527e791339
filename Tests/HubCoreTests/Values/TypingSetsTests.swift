import HubCore
import Testing

@Suite("Protocol, Ephemeral: who types")
struct TypingSetsTests {
  private let alice = UserRef(index: 1)
  private let bob = UserRef(index: 2)
  private let room = ChannelRef(index: 1)
  private let phone = ConnectionID(loop: 0, slot: 1, generation: 0)
  private let desk = ConnectionID(loop: 1, slot: 2, generation: 0)

  /// The channels that `expire` tells.
  private func expired(_ typing: inout TypingSets, at uptime: Int) -> [ChannelRef] {
    typing.expire(uptime: uptime).map(\.channel)
  }

  private func ended(_ typing: inout TypingSets, _ connection: ConnectionID) -> [ChannelRef] {
    typing.end(on: connection)
  }

  @Test("it is forgotten 6 s after the last word of it, to the millisecond")
  func expiry() {
    var typing = TypingSets()
    _ = typing.begin(alice, on: phone, in: room, uptime: 0)
    let isNew = typing.begin(alice, on: phone, in: room, uptime: 3_000)
    #expect(!isNew)
    #expect(expired(&typing, at: 8_999) == [])
    #expect(typing.users(in: room) == [alice])
    #expect(expired(&typing, at: 9_000) == [room])
    #expect(typing.users(in: room) == [])
    #expect(typing.nextExpiry == nil)
  }

  @Test("a user on two connections types until both have stopped")
  func twoConnections() {
    var typing = TypingSets()
    let changes = [
      typing.begin(alice, on: phone, in: room, uptime: 0),
      typing.begin(alice, on: desk, in: room, uptime: 1_000),
      typing.end(on: phone, in: room), typing.end(on: phone, in: room),
      typing.end(on: desk, in: room),
    ]
    #expect(changes == [true, false, false, false, true])
  }

  @Test("one connection's expiry does not end the other's typing")
  func partialExpiry() {
    var typing = TypingSets()
    _ = typing.begin(alice, on: phone, in: room, uptime: 0)
    _ = typing.begin(alice, on: desk, in: room, uptime: 1_000)
    #expect(expired(&typing, at: 6_500) == [])
    #expect(typing.users(in: room) == [alice])
    #expect(expired(&typing, at: 7_000) == [room])
  }

  @Test("those who type come in the order in which they began, each once")
  func order() {
    var typing = TypingSets()
    for (user, connection) in [(bob, desk), (alice, phone)] {
      _ = typing.begin(user, on: connection, in: room, uptime: 0)
    }
    #expect(typing.users(in: room) == [bob, alice])
    #expect(expired(&typing, at: 6_000) == [room])
  }

  @Test("a connection's end tells only the channels where that changes something")
  func disconnect() {
    var typing = TypingSets()
    let other = ChannelRef(index: 2)
    for (connection, channel) in [(phone, room), (desk, room), (phone, other)] {
      _ = typing.begin(alice, on: connection, in: channel, uptime: 0)
    }
    #expect(ended(&typing, phone) == [other])
    #expect(ended(&typing, phone) == [])
    let isChange = typing.end(of: alice, in: room)
    #expect(isChange)
    #expect(expired(&typing, at: 6_000) == [])
  }
}
