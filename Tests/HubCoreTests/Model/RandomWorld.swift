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
  /// What was refused and yet changed something.
  private(set) var flaws: [String] = []
  private var epochs: [String: (epoch: String, incarnation: Int)] = [:]
  let mayDelay: Bool
  private let looksAtState: Bool
  private var random: SplitMix64

  /// Where nothing is delayed, `looksAtState` compares everything durable before and after what is
  /// refused.
  init(seed: UInt64, mayDelay: Bool, looksAtState: Bool = false) {
    random = SplitMix64(seed: seed)
    hub = HubDriver(seed: seed)
    self.mayDelay = mayDelay
    self.looksAtState = looksAtState && !mayDelay
  }

  /// Lets `count` random things happen, then everything be told that is due.
  mutating func run(_ count: Int) {
    for _ in 0..<count { happen() }
    hub.isHolding = false
    hub.release()
    hub.pass(2_000)
  }

  private mutating func happen() {
    model.uptime = hub.uptime
    let open = model.connections.indices.filter { model.connections[$0].isOpen }
    switch random.below(24) {
    case 0 where open.count < 7: connect()
    case 1 where open.count > 2: disconnect(random.pick(open))
    case 2: hub.wall += random.below(200_001) - 100_000
    case 3: hub.pass(random.below(random.oneIn(3) ? 15_000 : 1_500))
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
    learnEpoch(of: index)
    let step = step()
    model.perform(step, by: index, wall: hub.wall)
    guard looksAtState else {
      step.ask(clients[index])
      return
    }
    let before = hub.state
    let answer = step.ask(clients[index])
    if answer.hasPrefix("refused "), hub.state != before { flaws.append("\(step): \(answer)") }
  }

  /// While nothing is pending, the last summary that a client got is the last that the model gave.
  private mutating func learnEpoch(of index: Int) {
    guard hub.pendingRecords == 0, let summary = clients[index].summary,
      let (room, incarnation) = model.connections[index].summary,
      room == summary.channel.text, incarnation >= epochs[room]?.incarnation ?? 0
    else { return }
    epochs[room] = (summary.epoch, incarnation)
  }

  private mutating func step() -> Step {
    let direct = random.pick(Self.directNames.values.sorted())
    let room = random.oneIn(4) ? direct : random.pick(Self.rooms)
    let seq = random.below((model.rooms[room]?.seq ?? 0) + 3)
    switch random.below(36) {
    case 0, 1:
      let kind = random.pick([ChannelKind.group, .public, .broadcast])
      return .create(random.pick(Self.rooms), kind, Self.names.filter { _ in random.oneIn(3) })
    case 2, 3: return .join(room)
    case 4: return random.oneIn(3) ? .delete(room) : .leave(room)
    case 5: return .open(random.pick(Self.names))
    case 6, 7, 8: return .moderate(room, .random(of: Self.names, &random))
    case 9, 10: return .read(room, seq)
    case 11: return random.oneIn(2) ? .delivered(room, seq) : .readUnread(room, seq)
    case 12, 13: return .subscribe(room, limit: random.below(4))
    case 14, 15, 16: return recovery(of: room, seq)
    case 17: return .unsubscribe(room)
    case 18: return .before(room, seq, limit: 1 + random.below(5))
    case 19: return .after(room, seq, limit: 1 + random.below(5))
    case 20: return .thread(room, seq)
    case 21: return .get(room)
    case 22, 23, 24, 25, 26, 27: return .change(room, seq, .random(of: Self.names, &random))
    default: return send(room, seq)
    }
  }

  private mutating func send(_ room: String, _ seq: Int) -> Step {
    .send(
      room, "text\(random.below(100))", key: random.oneIn(3) ? "k\(random.below(5))" : nil,
      mention: random.oneIn(4) ? random.pick(Self.names) : nil,
      replyTo: random.oneIn(3) ? seq : nil)
  }

  private mutating func recovery(of room: String, _ seq: Int) -> Step {
    let known = random.oneIn(6) ? nil : epochs[room]
    let rev = random.oneIn(3) ? nil : random.below((model.rooms[room]?.rev ?? 0) + 2)
    let position = Position(epoch: known?.epoch ?? "another", seq: seq, rev: rev)
    let isRight = known != nil && known?.incarnation == model.rooms[room]?.incarnation
    return .recover(room, position, isRightEpoch: isRight)
  }
}
