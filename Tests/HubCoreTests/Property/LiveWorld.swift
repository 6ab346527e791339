import HubProtocol
import SeededRandom

/// People who come, go, type and change how they want to be seen, and what each of their
/// connections was told of it.
struct LiveWorld {
  private static let names = ["alice", "bob", "carol", "dave"]
  /// Who shares a channel with whom: dave only with alice.
  private static let rooms = ["room:a": ["alice", "bob", "carol"], "room:d": ["alice", "dave"]]
  private static let room = "room:a"

  private struct Watcher {
    let number: Int
    let client: Client
    let user: String
    /// What the connection knows of the others it shares a channel with.
    var known: [String: String] = [:]
    var isSubscribed = false
    /// Who types in its eyes.
    var typing: [String] = []
  }

  private let hub: HubDriver
  private var model: LiveModel
  private var watchers: [Watcher] = []
  private var count = 0
  private var random: SplitMix64
  private(set) var flaws: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    hub = HubDriver(seed: seed)
    model = LiveModel(names: Self.names, uptime: hub.uptime)
    for name in Self.names { hub.connect(name).close() }
    let alice = hub.connect("alice")
    for (room, members) in Self.rooms { alice.create(room, .group, members: members) }
    alice.close()
    hub.pass(20_000)
    model.advance(to: hub.uptime)
  }

  mutating func run(_ steps: Int) {
    for _ in 0..<steps where flaws.isEmpty {
      happen()
      compare()
    }
    askEverything()
    if random.oneIn(4) { flaws += hub.replayFlaws }
  }

  private mutating func happen() {
    guard !watchers.isEmpty else { return connect() }
    let index = random.below(watchers.count)
    let (client, user) = (watchers[index].client, watchers[index].user)
    switch random.below(20) {
    case 0, 1, 2: connect()
    case 3, 4: disconnect(index)
    case 5, 6, 7: pass(random.below(random.oneIn(3) ? 12_000 : 3_000))
    case 8, 9:
      let status = random.pick(PresenceStatus.allCases)
      client.appear(status)
      model.people[user]?.status = status
    case 10, 11, 12: type(index, on: true)
    case 13: type(index, on: false)
    case 14: subscribe(index)
    case 15:
      if client.send(Self.room, "m").hasPrefix("sent") { model.stopTyping(user) }
    case 16:
      let shows = random.oneIn(2)
      client.settings { $0.showsTyping = shows }
      model.setShowsTyping(shows, of: user)
    case 17: block(index)
    default: pass(random.below(200))
    }
  }

  private mutating func connect() {
    guard watchers.count < 8 else { return }
    let name = random.pick(Self.names)
    count += 1
    var watcher = Watcher(number: count, client: hub.connect(name), user: name)
    model.connect(name, count)
    for other in Self.neighbours(of: name) { watcher.known[other] = model.seen(other, by: name) }
    watchers.append(watcher)
  }

  private mutating func disconnect(_ index: Int) {
    let watcher = watchers.remove(at: index)
    watcher.client.close()
    model.disconnect(watcher.user, watcher.number)
  }

  private mutating func type(_ index: Int, on: Bool) {
    let watcher = watchers[index]
    guard watcher.client.type(Self.room, on: on) == "ok" else { return }
    model.type(watcher.user, watcher.number, on: on)
  }

  private mutating func subscribe(_ index: Int) {
    if watchers[index].isSubscribed {
      watchers[index].client.unsubscribe(Self.room)
      watchers[index].isSubscribed = false
    } else if watchers[index].client.subscribe(Self.room).hasPrefix("subscribed") {
      watchers[index].isSubscribed = true
      // Whoever comes is told with the next change.
      watchers[index].typing = model.typing(seenBy: watchers[index].user)
    }
  }

  /// What was known before is asked again: a block is told nobody.
  private mutating func block(_ index: Int) {
    let (client, user, other) = (watchers[index].client, watchers[index].user, pickName())
    let isOn = random.oneIn(2)
    guard (isOn ? client.block(other) : client.unblock(other)) == "ok" else { return }
    if isOn { model.people[user]?.blocked.insert(other) }
    if !isOn { model.people[user]?.blocked.remove(other) }
    for index in watchers.indices {
      for (one, two) in [(user, other), (other, user)] where watchers[index].user == one {
        guard watchers[index].known[two] != nil else { continue }
        watchers[index].known[two] = model.seen(two, by: one)
      }
    }
  }

  private mutating func pickName() -> String { random.pick(Self.names) }

  /// Time passes from deadline to deadline, so that each change is looked at by itself.
  private mutating func pass(_ milliseconds: Int) {
    let end = hub.uptime + milliseconds
    while let next = hub.nextDeadline, next <= end {
      hub.pass(max(0, next - hub.uptime))
      model.advance(to: hub.uptime)
      compare()
    }
    hub.pass(end - hub.uptime)
    model.advance(to: hub.uptime)
  }

  private static func neighbours(of name: String) -> [String] {
    names.filter { other in
      other != name
        && rooms.values.contains { members in members.contains(name) && members.contains(other) }
    }
  }
}

/// What was told, against the model: every change once, and nothing else.
extension LiveWorld {
  private mutating func compare() {
    for index in watchers.indices {
      comparePresence(index)
      compareTyping(index)
      watchers[index].client.clear()
    }
  }

  private mutating func comparePresence(_ index: Int) {
    let watcher = watchers[index]
    var expected: [String] = []
    for other in Self.neighbours(of: watcher.user) {
      let seen = model.seen(other, by: watcher.user)
      guard watcher.known[other] != seen else { continue }
      expected.append("presence \(other) \(seen)")
      watchers[index].known[other] = seen
    }
    let told = watcher.client.presence
    if told.sorted() != expected.sorted() {
      flaws.append("\(watcher.user) was told \(told), expected \(expected)")
    }
  }

  private mutating func compareTyping(_ index: Int) {
    let watcher = watchers[index]
    guard watcher.isSubscribed else { return }
    let seen = model.typing(seenBy: watcher.user)
    let line = "typing \(Self.room) [\(seen.joined(separator: ","))]"
    // Another order of the same people is no change: one's first connection may have stopped.
    let expected = Set(seen) == Set(watcher.typing) ? [] : [line]
    watchers[index].typing = seen
    let told = watcher.client.lines.filter { $0.hasPrefix("typing ") }
    if told != expected { flaws.append("\(watcher.user) was told \(told), expected \(expected)") }
  }

  /// What is asked must be what was told.
  private mutating func askEverything() {
    let present = Set(Self.names.filter { model.shown($0) != "offline" })
    for watcher in watchers {
      for other in Self.names where other != watcher.user {
        let answer = watcher.client.presence(of: other)
        let expected = "\(other) \(model.seen(other, by: watcher.user))"
        if answer != expected { flaws.append("\(watcher.user) hears \(answer), not \(expected)") }
      }
      guard let members = Self.rooms[Self.room], members.contains(watcher.user) else { continue }
      let users = members.filter {
        present.contains($0) && ($0 == watcher.user || !model.areApart($0, watcher.user))
      }
      let expected = "\(Self.room) \(users.count) [\(users.joined(separator: ","))]"
      let answer = watcher.client.presence(in: Self.room)
      if answer != expected { flaws.append("\(watcher.user) hears \(answer), not \(expected)") }
    }
  }
}
