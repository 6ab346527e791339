import HubProtocol
import SeededRandom

/// A hub and the model of it, driven together by random numbers.
struct RandomWorld {
  static let names = ["alice", "bob", "carol", "dave"]
  static let rooms = ["room:1", "room:2", "room:3"]
  /// Direct channels of any two, as a hub names them; the names themselves are tested elsewhere.
  static let directNames: [Set<String>: String] = {
    let hub = HubDriver()
    let clients = names.map { hub.connect($0) }
    var found: [Set<String>: String] = [:]
    for (name, client) in zip(names, clients) {
      for other in names where other != name {
        client.openDirect(other)
        found[[name, other]] = client.summary?.channel.text
      }
    }
    return found
  }()

  let hub: HubDriver
  private(set) var clients: [Client] = []
  private(set) var model = Model(directNames: Self.directNames)
  private(set) var epochs: [String: String] = [:]
  private let mayDelay: Bool
  private var random: SplitMix64

  init(seed: UInt64, mayDelay: Bool) {
    random = SplitMix64(seed: seed)
    hub = HubDriver(seed: seed)
    self.mayDelay = mayDelay
  }

  /// Lets `count` random things happen, then everything be told that is due.
  mutating func run(_ count: Int) {
    for _ in 0..<count { happen() }
    hub.isHolding = false
    hub.release()
    hub.pass(2_000)
  }

  private mutating func happen() {
    let open = model.connections.indices.filter { model.connections[$0].isOpen }
    switch random.below(24) {
    case 0 where open.count < 7: connect()
    case 1 where open.count > 2: disconnect(random.pick(open))
    case 2: hub.wall += random.below(200_001) - 100_000
    case 3: hub.pass(random.below(1_500))
    case 4 where mayDelay: hub.isHolding = true
    case 5, 6: hub.release(random.below(4))
    default:
      guard !open.isEmpty else { return connect() }
      ask(random.pick(open))
    }
  }

  /// Says hello when nothing is pending: what waits behind a `hello` has its own tests.
  private mutating func connect() {
    hub.isHolding = false
    hub.release()
    let name = random.pick(Self.names)
    model.connect(name, wall: hub.wall)
    clients.append(hub.connect(name))
  }

  private mutating func disconnect(_ index: Int) {
    model.disconnect(index)
    clients[index].close()
  }

  private mutating func ask(_ index: Int) {
    learnEpochs(from: clients[index])
    let step = step(by: model.connections[index].user)
    model.perform(step, by: index, wall: hub.wall)
    step.ask(clients[index])
  }

  private mutating func learnEpochs(from client: Client) {
    guard let summary = client.summary else { return }
    epochs[summary.channel.text] = summary.epoch
  }

  private mutating func step(by user: String) -> Step {
    let direct = random.pick(Self.directNames.values.sorted())
    let room = random.oneIn(4) ? direct : random.pick(Self.rooms)
    let seq = random.below((model.rooms[room]?.seq ?? 0) + 3)
    switch random.below(26) {
    case 0, 1: return create(random.pick(Self.rooms))
    case 2, 3: return .join(room)
    case 4: return .leave(room)
    case 5: return .add(room, users())
    case 6: return .open(random.pick(Self.names))
    case 7, 8: return .read(room, seq)
    case 9: return .delivered(room, seq)
    case 10, 11: return .subscribe(room, limit: random.below(4))
    case 12, 13: return recovery(of: room, seq)
    case 14: return .unsubscribe(room)
    case 15: return .before(room, seq, limit: 1 + random.below(5))
    case 16: return .after(room, seq, limit: 1 + random.below(5))
    case 17: return .get(room)
    default: return send(room)
    }
  }

  private mutating func create(_ room: String) -> Step {
    .create(room, random.pick([.group, .public, .broadcast]), users())
  }

  private mutating func send(_ room: String) -> Step {
    .send(
      room, "text\(random.below(100))", key: random.oneIn(3) ? "k\(random.below(5))" : nil,
      mention: random.oneIn(4) ? random.pick(Self.names) : nil)
  }

  private mutating func recovery(of room: String, _ seq: Int) -> Step {
    let epoch = random.oneIn(6) ? nil : epochs[room]
    let position = Position(epoch: epoch ?? "another", seq: seq, rev: random.oneIn(3) ? 0 : nil)
    return .recover(room, position, isRightEpoch: epoch != nil)
  }

  private mutating func users() -> [String] {
    Self.names.filter { _ in random.oneIn(3) }
  }
}
