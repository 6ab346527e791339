import HubCore
import HubProtocol
import HubServer
import HubStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures what one `message.send` in a room of ten costs the hub without the sockets: decode,
/// admit, log, apply, encode. One connection sends, nine others listen; with a warm window, on one
/// thread.
///
/// message-cost [rounds]        # prints nanoseconds per message; run it under `perf record` for a
/// profile
@main
struct MessageCost {
  static let listeners: UInt32 = 10
  static let batch = 16

  static func main() {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
    var room = Room()
    room.open(listeners: Self.listeners)
    for _ in 0..<200 { room.sendBatch(Self.batch) }
    var best = Int.max
    for _ in 0..<5 {
      // Processor time: another program on the machine must not count.
      let start = clock()
      for _ in 0..<(rounds / Self.batch) { room.sendBatch(Self.batch) }
      best = min(best, Int(clock() - start))
    }
    let sent = rounds / Self.batch * Self.batch
    let nanoseconds = best * (1_000_000_000 / Int(CLOCKS_PER_SEC)) / max(1, sent)
    print("message.send in a room of \(Self.listeners): \(nanoseconds) ns (best of 5 × \(sent))")
  }
}

/// A hub with one room, driven without sockets.
struct Room {
  private var hub = Hub(
    configuration: Hub.Configuration(
      registry: Registry.Configuration(windowMemory: 1 << 30, hashSeed: (1, 2)),
      requestsPerSecond: nil, heartbeatMilliseconds: 25_000, idSeed: (3, 4)))
  private var log = VolatileRecordLog()
  private var encoder = EffectEncoder(loopCount: 1)
  private var effects: [Effect] = []
  private var moment = Moment(wall: Timestamp(milliseconds: 1_700_000_000_000), uptime: 0)
  private let request = Array(
    """
    {"id":9,"op":"message.send","channel":"room:7","text":"\
    The quick brown fox jumps over the lazy dog, and the dog does not mind it at all, does it?"}
    """.utf8)

  /// Signs everybody in and subscribes them.
  mutating func open(listeners: UInt32) {
    for slot in 0..<listeners {
      guard let user = UserID("user-\(slot)") else { continue }
      let identity = Identity(user: user, privilege: .person)
      take([.hello(id(slot), nil, .success(identity), bytes: 0)])
      let op = slot == 0 ? #""channel.create","kind":"group""# : #""ping""#
      ask(slot, #"{"op":\#(op),"channel":"room:7"}"#)
    }
    let users = (1..<listeners).map { "\"user-\($0)\"" }.joined(separator: ",")
    ask(0, #"{"op":"member.add","channel":"room:7","users":[\#(users)]}"#)
    for slot in 0..<listeners { ask(slot, #"{"op":"subscribe","channel":"room:7"}"#) }
  }

  /// Sends messages as they come in one tick of a loop.
  mutating func sendBatch(_ count: Int) {
    moment = Moment(
      wall: moment.wall.advanced(byMilliseconds: 1), uptime: moment.uptime + 1)
    // SAFETY: the decoder keeps none of the bytes.
    take((0..<count).map { _ in arrival(0, request.withUnsafeBytes(RequestDecoder.decode)) })
  }

  private mutating func ask(_ slot: UInt32, _ text: String) {
    // SAFETY: the decoder keeps none of the bytes.
    take([arrival(slot, Array(text.utf8).withUnsafeBytes(RequestDecoder.decode))])
  }

  private func arrival(_ slot: UInt32, _ inbound: Inbound) -> Arrival {
    switch inbound {
    case .request(let request): .request(id(slot), request, bytes: 0)
    case .refused(_, _, let refusal): preconditionFailure("refused: \(refusal.message)")
    case .notAnObject: preconditionFailure("the requests here are objects")
    }
  }

  private mutating func take(_ arrivals: [Arrival]) {
    for arrival in arrivals { hub.receive(arrival, at: moment) }
    let records = hub.takeRecords()
    var durable = log.last.number
    if !records.isEmpty, case .durable(let lsn) = log.append(records) { durable = lsn.number }
    hub.advance(durable: durable, at: moment)
    hub.takeEffects(into: &effects)
    for effect in effects { encoder.add(effect) }
    effects.removeAll(keepingCapacity: true)
    _ = encoder.takeBatches()
  }

  private func id(_ slot: UInt32) -> ConnectionID {
    ConnectionID(loop: 0, slot: slot, generation: 0)
  }
}
