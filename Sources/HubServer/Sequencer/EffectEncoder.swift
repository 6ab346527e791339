package import HubCore
import HubProtocol
import HubWebSocket
import NIOCore

/// Turns effects into one batch for each loop. Each event is encoded once, frame header included,
/// whatever the number of its receivers.
package struct EffectEncoder {
  private var encoder = WireEncoder(capacity: 4_096)
  private let allocator = ByteBufferAllocator()
  package private(set) var batches: [ShardBatch]

  package init(loopCount: Int) {
    batches = Array(repeating: ShardBatch(), count: loopCount)
  }

  /// Hands the batches over and begins new ones.
  package mutating func takeBatches() -> [ShardBatch] {
    let taken = batches
    batches = Array(repeating: ShardBatch(), count: taken.count)
    return taken
  }

  /// Adds one effect behind the others.
  package mutating func add(_ effect: Effect) {
    switch effect {
    case .answer(let connection, let answer, let bytes):
      add(answer, to: connection, bytes: bytes)
    case .tell(let connection, let event):
      deliver(frame(event), to: connection)
    case .tellEach(let connections, let event):
      tell(connections, event)
    case .publish(let channel, let loops, let event, let variant):
      publish(event, variant, to: channel, on: loops)
    case .greeted(let connection, let user):
      batches[Int(connection.loop)].commands.append(.greeted(connection, user))
    case .subscribed(let connection, let channel):
      batches[Int(connection.loop)].commands.append(.subscribe(connection, channel))
    case .unsubscribed(let connection, let channel):
      batches[Int(connection.loop)].commands.append(.unsubscribe(connection, channel))
    case .close(let connection, let code):
      batches[Int(connection.loop)].commands.append(.close(connection, code))
    case .loadOlder, .takeSnapshot:
      preconditionFailure("the sequencer takes these itself")
    }
  }

  private mutating func add(_ answer: Answer, to connection: ConnectionID, bytes: Int) {
    encoder.begin(reserving: FrameHeader.reservedBytes)
    var isSilent = false
    switch answer {
    case .silent: isSilent = true
    case .reply(let id, let reply): encoder.encode(reply, id: id)
    case .refusal(let id, let refusal): encoder.encode(refusal, id: id)
    case .refusalEvent(let op, let refusal): encoder.encode(.error(op: op, refusal))
    }
    if !isSilent { deliver(finish(), to: connection) }
    batches[Int(connection.loop)].commands.append(.answered(connection, bytes: bytes))
  }

  private mutating func tell(_ connections: [ConnectionID], _ event: Event) {
    let frame = frame(event)
    var indices = [Int32](repeating: -1, count: batches.count)
    for connection in connections {
      let loop = Int(connection.loop)
      if indices[loop] < 0 { indices[loop] = batches[loop].add(frame) }
      batches[loop].commands.append(.deliver(frame: indices[loop], to: connection))
    }
  }

  private mutating func publish(
    _ event: Event, _ variant: Variant?, to channel: ChannelRef, on loops: LoopSet
  ) {
    let frame = frame(event)
    let other = variant.map { (user: $0.user, frame: self.frame($0.event)) }
    for loop in batches.indices where loops.contains(loop) {
      let index = batches[loop].add(frame)
      let otherIndex = other.map { (user: $0.user, frame: batches[loop].add($0.frame)) }
      batches[loop].commands.append(.publish(frame: index, to: channel, other: otherIndex))
    }
  }

  private mutating func deliver(_ frame: ByteBuffer, to connection: ConnectionID) {
    let loop = Int(connection.loop)
    let index = batches[loop].add(frame)
    batches[loop].commands.append(.deliver(frame: index, to: connection))
  }

  private mutating func frame(_ event: Event) -> ByteBuffer {
    encoder.begin(reserving: FrameHeader.reservedBytes)
    encoder.encode(event)
    return finish()
  }

  /// Fills in the header in front of the JSON and copies both into a buffer of just that size.
  private mutating func finish() -> ByteBuffer {
    let start = FrameHeader.fill(&encoder.bytes)
    var buffer = allocator.buffer(capacity: encoder.bytes.count - start)
    buffer.writeBytes(encoder.bytes[start...])
    return buffer
  }
}
