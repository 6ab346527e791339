import HubCore
import HubProtocol
import HubServer
import HubWebSocket
import NIOCore
import NIOEmbedded
import Testing

/// A server's frame with an event of that name in it.
private func frame(_ name: String) -> ByteBuffer {
  Frame.encode(.text, payload: ByteBuffer(string: #"{"ev":"\#(name)"}"#), mask: nil)
}

@Suite("architecture, the way of a message: one hop per loop, one flush per tick")
struct ShardTests {
  private let room = ChannelRef(index: 5)
  private let stage = ServerStage()

  private func clients(_ count: Int) throws -> [(client: StageClient, id: ConnectionID)] {
    try (0..<count).map { _ in
      let client = try stage.connect()
      return (client, try #require(client.handler.id))
    }
  }

  private func carryOut(_ frames: [String], _ commands: [ShardBatch.Command]) {
    var batch = ShardBatch()
    for name in frames { _ = batch.add(frame(name), .reply) }
    batch.commands = commands
    stage.shard.carryOut(batch)
  }

  @Test("a published frame goes to subscribers of that channel and to nobody else")
  func publish() throws {
    let all = try clients(3)
    carryOut(
      [],
      [
        .subscribe(all[0].id, room, at: nil), .subscribe(all[1].id, room, at: nil),
        .subscribe(all[2].id, ChannelRef(index: 6), at: nil),
      ])
    carryOut(["a"], [.publish(frame: 0, to: room, .none)])
    #expect(try all.map { try $0.client.heard() } == [["a"], ["a"], []])
  }

  @Test("one user's connections get the other frame, and only they")
  func variant() throws {
    let all = try clients(3)
    carryOut([], all.map { .subscribe($0.id, room, at: nil) })
    carryOut([], [.greeted(all[0].id, UserRef(index: 1)), .greeted(all[1].id, UserRef(index: 2))])
    let variants = ShardBatch.Variants.one(UserRef(index: 2), frame: 1)
    carryOut(["theirs", "own"], [.publish(frame: 0, to: room, variants)])
    #expect(try all.map { try $0.client.heard() } == [["theirs"], ["own"], ["theirs"]])
  }

  @Test("one user's connections may get nothing")
  func noVariant() throws {
    let all = try clients(3)
    carryOut([], all.map { .subscribe($0.id, room, at: nil) })
    carryOut([], [.greeted(all[1].id, UserRef(index: 2))])
    carryOut(["theirs"], [.publish(frame: 0, to: room, .one(UserRef(index: 2), frame: nil))])
    #expect(try all.map { try $0.client.heard() } == [["theirs"], [], ["theirs"]])
  }

  @Test("several users get what is meant for them, everybody else the same")
  func severalVariants() throws {
    let all = try clients(6)
    carryOut([], all.map { .subscribe($0.id, room, at: nil) })
    for index in 1..<6 {
      carryOut([], [.greeted(all[index].id, UserRef(index: UInt32(index)))])
    }
    let variants = ShardBatch.Variants.several(
      count: 2,
      offsets: [
        UserRef(index: 1): 1, UserRef(index: 2): 0, UserRef(index: 3): 2, UserRef(index: 4): 1,
      ])
    carryOut(
      ["before", "theirs", "one", "two", "after"],
      [
        .publish(frame: 0, to: room, .none), .publish(frame: 1, to: room, variants),
        .publish(frame: 4, to: room, .none),
      ])
    let middle = [["theirs"], ["one"], [], ["two"], ["one"], ["theirs"]]
    #expect(try all.map { try $0.client.heard() } == middle.map { ["before"] + $0 + ["after"] })
  }

  @Test("subscribing and unsubscribing between two events take effect between them")
  func order() throws {
    let all = try clients(1)
    let publish = (0..<4).map { ShardBatch.Command.publish(frame: $0, to: room, .none) }
    carryOut(
      ["a", "b", "c", "d"],
      [
        publish[0], .subscribe(all[0].id, room, at: nil), publish[1], publish[2],
        .unsubscribe(all[0].id, room), publish[3],
      ])
    #expect(try all[0].client.heard() == ["b", "c"])
  }

  @Test("whatever one connection gets in a batch is one write and one flush")
  func oneFlush() throws {
    let all = try clients(2)
    carryOut([], all.map { .subscribe($0.id, room, at: nil) })
    carryOut(
      ["a", "b", "c"],
      [
        .publish(frame: 0, to: room, .none), .deliver(frame: 1, to: all[0].id),
        .publish(frame: 2, to: room, .none),
      ])
    #expect(all.map { $0.client.socket.flushes } == [1, 1])
    let first = try #require(try all[0].client.channel.readOutbound(as: ByteBuffer.self))
    #expect(first.readableBytes == 3 * frame("a").readableBytes)
    #expect(try all[1].client.heard() == ["a", "c"])
  }

  @Test("a close comes behind what was to be told before, and nothing after it")
  func close() throws {
    let all = try clients(2)
    carryOut([], all.map { .subscribe($0.id, room, at: nil) })
    carryOut(
      ["a", "b"],
      [
        .publish(frame: 0, to: room, .none), .close(all[0].id, .badToken),
        .publish(frame: 1, to: room, .none), .deliver(frame: 1, to: all[0].id),
      ])
    #expect(stage.shard.count == 1)
    #expect(try all[0].client.heard() == ["a", "close 4500"])
    #expect(try all[1].client.heard() == ["a", "b"])
  }

  @Test("a place is given out again under another name, and the old name reaches nobody")
  func generations() throws {
    let gone = try clients(1)[0]
    carryOut([], [.subscribe(gone.id, room, at: nil)])
    gone.client.hangUp()
    let heir = try clients(1)[0]
    #expect(heir.id.slot == gone.id.slot)
    #expect(heir.id != gone.id)
    carryOut(
      ["a"],
      [
        .deliver(frame: 0, to: gone.id), .subscribe(gone.id, room, at: nil),
        .publish(frame: 0, to: room, .none), .close(gone.id, .badToken),
      ])
    #expect(stage.shard.count == 1)
    #expect(try heir.client.heard() == [])
  }

  @Test("a connection that was never there is no trouble")
  func unknown() throws {
    let stranger = ConnectionID(loop: 0, slot: 99, generation: 0)
    carryOut(
      ["a"],
      [
        .deliver(frame: 0, to: stranger), .answered(stranger, bytes: 1),
        .greeted(stranger, UserRef(index: 0)), .subscribe(stranger, room, at: nil),
        .unsubscribe(stranger, room), .close(stranger, .badToken),
      ])
    #expect(stage.shard.count == 0)
  }

  @Test("closing all says goodbye to each")
  func closeAll() throws {
    let all = try clients(3)
    _ = stage.shard.closeAll(.goingAway)
    #expect(try all.map { try $0.client.heard() } == Array(repeating: ["close 1001"], count: 3))
    #expect(stage.shard.count == 0)
  }
}
