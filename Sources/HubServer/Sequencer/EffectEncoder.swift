package import HubCore
import HubProtocol
import NIOCore

/// Turns effects into one batch for each loop. Each event is encoded once, frame header included,
/// whatever the number of its receivers.
package struct EffectEncoder {
  private var encoder = FrameEncoder()
  package private(set) var batches: [ShardBatch]
  /// Who was answered last, and where the answer said that a channel stands.
  private var told: (connection: ConnectionID, position: ChannelPosition)?

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
      deliver(encoder.frame(event), Mark(of: event), to: connection)
    case .tellEach(let connections, let event):
      tell(connections, event)
    case .publish(let channel, let loops, let event, let variants):
      publish(event, variants, to: channel, on: loops)
    case .greeted(let connection, let user):
      batches[Int(connection.loop)].commands.append(.greeted(connection, user))
    case .subscribed(let connection, let channel):
      let position = told?.connection == connection ? told?.position : nil
      batches[Int(connection.loop)].commands.append(.subscribe(connection, channel, at: position))
    case .unsubscribed(let connection, let channel):
      batches[Int(connection.loop)].commands.append(.unsubscribe(connection, channel))
    case .close(let connection, let code):
      batches[Int(connection.loop)].commands.append(.close(connection, code))
    case .ask, .takeSnapshot, .backUp:
      preconditionFailure("the sequencer takes these itself")
    }
  }

  private mutating func add(_ answer: Answer, to connection: ConnectionID, bytes: Int) {
    told = nil
    switch answer {
    case .silent:
      break
    case .reply(let id, .subscribed(let reply)):
      told = (connection, ChannelPosition(seq: reply.seq, rev: reply.rev))
      deliver(encoder.frame(.subscribed(reply), id: id), .subscribed, to: connection)
    case .reply(let id, let reply):
      deliver(encoder.frame(reply, id: id), .reply, to: connection)
    case .refusal(let id, let refusal):
      deliver(encoder.frame(refusal, id: id), .reply, to: connection)
    case .refusalEvent(let op, let refusal):
      deliver(encoder.frame(.error(op: op, refusal)), .reply, to: connection)
    }
    batches[Int(connection.loop)].commands.append(.answered(connection, bytes: bytes))
  }

  private mutating func tell(_ connections: [ConnectionID], _ event: Event) {
    let frame = encoder.frame(event)
    let mark = Mark(of: event)
    var indices = [Int32](repeating: -1, count: batches.count)
    for connection in connections {
      let loop = Int(connection.loop)
      if indices[loop] < 0 { indices[loop] = batches[loop].add(frame, mark) }
      batches[loop].commands.append(.deliver(frame: indices[loop], to: connection))
    }
  }

  private mutating func deliver(_ frame: ByteBuffer, _ mark: Mark, to connection: ConnectionID) {
    let loop = Int(connection.loop)
    let index = batches[loop].add(frame, mark)
    batches[loop].commands.append(.deliver(frame: index, to: connection))
  }
}

// MARK: - Publishing

extension EffectEncoder {
  private mutating func publish(
    _ event: Event, _ variants: [Variant], to channel: ChannelRef, on loops: LoopSet
  ) {
    let frame = encoder.frame(event)
    let mark = Mark(of: event, publishedIn: channel)
    if let variant = variants.first {
      if variants.count == 1, variant.users.count == 1 {
        return publish(frame, mark, variant.event, to: variant.users[0], in: channel, on: loops)
      }
      return publish(frame, mark, variants, in: channel, on: loops)
    }
    for loop in batches.indices where loops.contains(loop) {
      let index = batches[loop].add(frame, mark)
      batches[loop].commands.append(.publish(frame: index, to: channel, .none))
    }
  }

  /// With another form, or none, for one user.
  private mutating func publish(
    _ frame: ByteBuffer, _ mark: Mark, _ event: Event?, to user: UserRef, in channel: ChannelRef,
    on loops: LoopSet
  ) {
    let other = event.map { encoder.frame($0) }
    for loop in batches.indices where loops.contains(loop) {
      let index = batches[loop].add(frame, mark)
      let otherIndex = other.map { batches[loop].add($0, mark) }
      batches[loop].commands.append(
        .publish(frame: index, to: channel, .one(user, frame: otherIndex)))
    }
  }

  /// With other forms for several users.
  private mutating func publish(
    _ frame: ByteBuffer, _ mark: Mark, _ variants: [Variant], in channel: ChannelRef,
    on loops: LoopSet
  ) {
    var others: [ByteBuffer] = []
    var offsets: [UserRef: Int32] = [:]
    for variant in variants {
      if let event = variant.event { others.append(encoder.frame(event)) }
      let offset = variant.event == nil ? 0 : Int32(others.count)
      for user in variant.users where offsets[user] == nil { offsets[user] = offset }
    }
    for loop in batches.indices where loops.contains(loop) {
      let index = batches[loop].add(frame, mark)
      for other in others { _ = batches[loop].add(other, mark) }
      let all = ShardBatch.Variants.several(count: Int32(others.count), offsets: offsets)
      batches[loop].commands.append(.publish(frame: index, to: channel, all))
    }
  }
}
