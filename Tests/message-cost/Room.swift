import HubCore
import HubProtocol
import HubServer
import HubStage
import HubStorage

/// A hub with one room of `members`, ten of whom listen, driven without sockets.
struct Room {
  /// Members who are connected and subscribed.
  static let listeners = 10

  /// Nobody but the listeners has ever been connected.
  let members: Int
  private var hub = Hub(
    configuration: Hub.Configuration(
      registry: Registry.Configuration(windowMemory: 1 << 30, hashSeed: (1, 2)),
      requestsPerSecond: nil, heartbeatMilliseconds: 25_000, zones: FixedZones(),
      idSeed: (3, 4)))
  private var log = VolatileRecordLog()
  private var encoder = EffectEncoder(loopCount: 1)
  private var effects: [Effect] = []
  private var moment = Moment(wall: Timestamp(milliseconds: 1_700_000_000_000), uptime: 0)
  private let request = Array(
    """
    {"id":9,"op":"message.send","channel":"room:7","text":"\
    The quick brown fox jumps over the lazy dog, and the dog does not mind it at all, does it?"}
    """.utf8)

  /// Signs the listeners in, and makes and fills the room.
  init(members: Int) {
    self.members = members
    for slot in 0..<Self.listeners { greet(slot, "user-\(slot)", .person) }
    greet(Self.listeners, "backend", .admin)
    ask(0, #"{"op":"channel.create","channel":"room:7","kind":"group"}"#)
    for first in stride(from: 0, to: members, by: Limits.listEntries) {
      let ids = (first..<min(members, first + Limits.listEntries)).map { "\"user-\($0)\"" }
      let users = ids.map { #"{"id":\#($0),"name":"Member \#($0.dropFirst().dropLast())"}"# }
      ask(Self.listeners, #"{"op":"user.put","users":[\#(users.joined(separator: ","))]}"#)
      ask(0, #"{"op":"member.add","channel":"room:7","users":[\#(ids.joined(separator: ","))]}"#)
    }
    for slot in 0..<Self.listeners { ask(slot, #"{"op":"subscribe","channel":"room:7"}"#) }
  }

  /// Sends messages as they come in one tick of a loop.
  mutating func send(_ count: Int) {
    pass()
    // SAFETY: the decoder keeps none of the bytes.
    take((0..<count).map { _ in arrival(0, request.withUnsafeBytes(RequestDecoder.decode)) })
  }

  /// Asks one thing as one of the listeners.
  mutating func ask(_ slot: Int, _ text: String) {
    // SAFETY: the decoder keeps none of the bytes.
    take([arrival(slot, Array(text.utf8).withUnsafeBytes(RequestDecoder.decode))])
  }

  private mutating func pass() {
    moment = Moment(
      wall: moment.wall.advanced(byMilliseconds: 1), uptime: moment.uptime + 1)
  }

  private mutating func greet(_ slot: Int, _ name: String, _ privilege: Privilege) {
    guard let user = UserID(name) else { preconditionFailure("`\(name)` is no user id") }
    let identity = Identity(user: user, privilege: privilege)
    take([.hello(id(slot), nil, .success(identity), since: nil, bytes: 0)])
  }

  private func arrival(_ slot: Int, _ inbound: Inbound) -> Arrival {
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

  private func id(_ slot: Int) -> ConnectionID {
    ConnectionID(loop: 0, slot: UInt32(slot), generation: 0)
  }
}
