import HubCore
import HubProtocol
import SeededRandom
import Testing

/// A hub and the model of it, driven together by random numbers.
final class RandomWorld {
  /// What makes one world differ from another besides its seed.
  struct Manner: CustomTestStringConvertible {
    /// Whether records become durable late and in pieces.
    var mayDelay = false
    /// Bytes of messages in memory: where there is room for few, most of what is older is loaded
    /// from history.
    var memory = 1 << 30
    /// Whether others go on while history looks for something.
    var isInterrupted = false

    var testDescription: String {
      "delays: \(mayDelay), memory: \(memory), interrupted: \(isInterrupted)"
    }

    var isForgetful: Bool { memory < 1 << 30 }
  }

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
  private(set) var model = Model(directNames: RandomWorld.directNames)
  /// What was refused and yet changed something.
  private(set) var flaws: [String] = []
  /// How often something was refused because it had changed while history looked.
  private(set) var staleCount = 0
  private var epochs: [String: (epoch: String, incarnation: Int)] = [:]
  let manner: Manner
  private let looksAtState: Bool
  private var random: SplitMix64
  /// The connection that history is asked for.
  private var asker: Int?
  /// How often others went on while history looked.
  private(set) var interruptions = 0

  /// Where nothing is delayed, `looksAtState` compares everything durable before and after what is
  /// refused.
  init(seed: UInt64, _ manner: Manner, looksAtState: Bool = false) {
    random = SplitMix64(seed: seed)
    hub = HubDriver(windowMemory: manner.memory, seed: seed)
    self.manner = manner
    self.looksAtState = looksAtState && !manner.mayDelay && !manner.isInterrupted
    guard manner.isInterrupted else { return }
    hub.meanwhile = { [weak self] in self?.interrupt($0) }
  }

  /// Lets `count` random things happen, then everything be told that is due.
  func run(_ count: Int) {
    for _ in 0..<count { happen() }
    hub.isHolding = false
    hub.release()
    hub.pass(2_000)
    flaws += hub.replayFlaws
  }

  private func happen() {
    model.uptime = hub.uptime
    let open = model.connections.indices.filter { model.connections[$0].isOpen }
    switch random.below(24) {
    case 0 where open.count < 7: connect()
    case 1 where open.count > 2: disconnect(random.pick(open))
    case 2: hub.wall += random.below(200_001) - 100_000
    case 3: hub.pass(random.below(random.oneIn(3) ? 15_000 : 1_500))
    case 4 where manner.mayDelay: hub.isHolding = true
    case 5, 6: hub.release(random.below(4))
    default:
      guard !open.isEmpty else { return connect() }
      ask(random.pick(open))
    }
  }

  /// Says hello when nothing is pending: what waits behind a `hello` has its own tests.
  private func connect() {
    hub.isHolding = false
    hub.release()
    let name = random.pick(Self.names)
    model.connect(name, wall: hub.wall)
    clients.append(hub.connect(name))
  }

  private func disconnect(_ index: Int) {
    model.disconnect(index)
    clients[index].close()
  }

  private func ask(_ index: Int) {
    learnEpoch(of: index)
    let step = step()
    guard !manner.isInterrupted else { return askInterrupted(step, index) }
    model.perform(step, by: index, wall: hub.wall)
    guard looksAtState else {
      step.ask(clients[index])
      return
    }
    let before = hub.state
    let answer = step.ask(clients[index])
    if answer.hasPrefix("refused "), hub.state != before { flaws.append("\(step): \(answer)") }
  }

  /// The same where others may go on before it takes effect: what was looked up may then be out of
  /// date, which only the hub can know.
  private func askInterrupted(_ step: Step, _ index: Int) {
    let (outer, before) = (asker, interruptions)
    asker = index
    hub.answersEarly = random.oneIn(2)
    let answer = step.ask(clients[index])
    asker = outer
    let wasInterrupted = interruptions > before
    if wasInterrupted, answer == "refused unavailable" {
      staleCount += 1
      model.refuse(step, by: index, wall: hub.wall)
    } else if case .recover(let room, let position, _) = step {
      let known = epochs[room]
      let isRight =
        known?.epoch == position.epoch && known?.incarnation == model.rooms[room]?.incarnation
      let isLost = wasInterrupted && !answer.contains(" recovered")
      if isLost, isRight { staleCount += 1 }
      model.perform(
        .recover(room, position, isRightEpoch: isRight && !isLost), by: index, wall: hub.wall)
    } else {
      model.perform(step, by: index, wall: hub.wall)
    }
  }

  /// Others go on. Pages, and the newest messages, are looked up at once: they show things as they
  /// were when they were asked for, and the model as they are in the end.
  private func interrupt(_ query: HistoryQuery) {
    switch query {
    case .missed(_, range: _, changedAfter: _, upTo: 0, limit: _), .range, .thread, .posts, .search,
      .notifications:
      return
    case .facts, .missed: break
    }
    interruptions += 1
    for _ in 0..<random.below(4) {
      let others = model.connections.indices.filter {
        $0 != asker && model.connections[$0].isOpen
      }
      if !others.isEmpty { ask(random.pick(others)) }
    }
  }

  /// While nothing is pending, the last summary that a client got is the last that the model gave.
  private func learnEpoch(of index: Int) {
    guard hub.pendingRecords == 0, let summary = clients[index].summary,
      let (room, incarnation) = model.connections[index].summary,
      room == summary.channel.text, incarnation >= epochs[room]?.incarnation ?? 0
    else { return }
    epochs[room] = (summary.epoch, incarnation)
  }

  private func step() -> Step {
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

  private func send(_ room: String, _ seq: Int) -> Step {
    .send(
      room, "text\(random.below(100))", key: random.oneIn(3) ? "k\(random.below(5))" : nil,
      mention: random.oneIn(4) ? random.pick(Self.names) : nil,
      replyTo: random.oneIn(3) ? seq : nil)
  }

  private func recovery(of room: String, _ seq: Int) -> Step {
    let known = random.oneIn(6) ? nil : epochs[room]
    let rev = random.oneIn(3) ? nil : random.below((model.rooms[room]?.rev ?? 0) + 2)
    let position = Position(epoch: known?.epoch ?? "another", seq: seq, rev: rev)
    let isRight = known != nil && known?.incarnation == model.rooms[room]?.incarnation
    return .recover(room, position, isRightEpoch: isRight)
  }
}
