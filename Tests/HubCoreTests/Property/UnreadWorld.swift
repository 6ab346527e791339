import HubCore
import HubProtocol
import SeededRandom

/// A hub in which people do everything that changes numbers, and the ledger of it.
final class UnreadWorld {
  private static let names = ["alice", "bob", "carol", "dave"]

  /// A connection, and the numbers as its client knows them.
  private struct Reader {
    let client: Client
    let user: String
    var counts: [String: (unread: Int, mentions: Int)] = [:]
    var total = 0
  }

  private let hub: HubDriver
  private var ledger = UnreadLedger()
  private var readers: [Reader] = []
  private var names: [String] = ["room:p", "room:g", "room:h", "news"]
  private var random: SplitMix64
  private(set) var flaws: [String] = []
  /// How many numbers were compared.
  private(set) var compared = 0

  /// Who history is asked for.
  private var asker = 0

  /// - Parameter isForgetful: whether most of what is changed is loaded from history first, and
  ///   others go on meanwhile.
  init(seed: UInt64, isForgetful: Bool = false) {
    random = SplitMix64(seed: seed)
    hub = HubDriver(windowMemory: isForgetful ? 3_000 : 1 << 30, seed: seed)
    for name in Self.names { connect(name) }
    create("room:p", .public, Self.names, by: 0)
    create("room:g", .group, Array(Self.names.dropLast()), by: 1)
    create("room:h", .group, ["alice", "dave"], by: 0)
    create("news", .broadcast, ["bob"], by: 0)
    readers[0].client.openDirect("bob")
    if let direct = readers[0].client.summary?.channel.text {
      names.append(direct)
      ledger.rooms[direct] = UnreadLedger.Room(kind: .direct, members: ["alice": 0, "bob": 0])
    }
    listen()
    guard isForgetful else { return }
    hub.meanwhile = { [weak self] query in
      // Events of inboxes are looked up in the middle of everything.
      if case .notifications = query { return }
      self?.interrupt()
    }
  }

  /// How often history was asked.
  var questionCount: Int { hub.questionCount }

  /// Others go on while history looks.
  private func interrupt() {
    for _ in 0..<random.below(3) {
      let index = random.below(readers.count)
      guard index != asker else { continue }
      let name = random.pick(names)
      switch random.below(4) {
      case 0: change(index, name)
      case 1: read(index, name)
      default: send(index, name)
      }
      listen()
    }
  }

  func run(_ count: Int) {
    for _ in 0..<count where flaws.isEmpty {
      happen()
      listen()
    }
    pass(2_000)
    for reader in readers { compareAll(reader) }
    flaws += hub.replayFlaws
  }

  private func happen() {
    let index = random.below(readers.count)
    let name = random.pick(names)
    asker = index
    switch random.below(30) {
    case 0: connect(random.pick(Self.names))
    case 1 where readers.count > 3: readers.remove(at: index).client.close()
    case 2, 3: pass(random.below(random.oneIn(4) ? 15_000 : 1_200))
    case 4, 5: block(index)
    case 6: mute(index, name)
    case 7: moveAbout(index, name)
    case 8: moderate(index, name)
    case 9: end(index, name)
    case 10, 11, 12, 13: change(index, name)
    case 14, 15, 16, 17: read(index, name)
    default: send(index, name)
    }
  }

  /// Time passes from deadline to deadline, so that each number is looked at when it is told.
  private func pass(_ milliseconds: Int) {
    let end = hub.uptime + milliseconds
    while let next = hub.nextDeadline, next <= end {
      hub.pass(max(0, next - hub.uptime))
      listen()
    }
    hub.pass(end - hub.uptime)
  }
}

/// What people do; the ledger follows what was not refused.
extension UnreadWorld {
  private func connect(_ user: String) {
    let client = hub.connect(user)
    var reader = Reader(client: client, user: user)
    for summary in client.userStream?.channels ?? [] {
      guard let standing = summary.standing, summary.kind != .broadcast else { continue }
      reader.counts[summary.channel.text] = (standing.unread, standing.mentions)
      if !standing.isMuted { reader.total += standing.unread }
    }
    readers.append(reader)
  }

  private func create(
    _ name: String, _ kind: ChannelKind, _ members: [String], by index: Int
  ) {
    guard isDone(readers[index].client.create(name, kind, members: members)) else { return }
    ledger.rooms[name] = UnreadLedger.Room(kind: kind)
    for user in [readers[index].user] + members { ledger.join(user, name) }
  }

  private func end(_ index: Int, _ name: String) {
    guard random.oneIn(3), !name.hasPrefix("dm:") else { return }
    if ledger.rooms[name] == nil {
      let kind = random.pick([ChannelKind.group, .public])
      return create(name, kind, Self.names.filter { _ in random.oneIn(2) }, by: index)
    }
    if isDone(readers[index].client.delete(name)) { ledger.end(name) }
  }

  private func block(_ index: Int) {
    let (client, user, other) = (readers[index].client, readers[index].user, pickName())
    let isOn = random.oneIn(3)
    guard isDone(isOn ? client.block(other) : client.unblock(other)) else { return }
    ledger.everBlocked.insert(other)
    if isOn {
      ledger.blocked[user, default: []].insert(other)
    } else {
      ledger.blocked[user]?.remove(other)
    }
  }

  private func mute(_ index: Int, _ name: String) {
    let (client, user) = (readers[index].client, readers[index].user)
    switch random.below(4) {
    case 0:
      let until = random.oneIn(3) ? nil : hub.wall + 1 + random.below(8_000)
      guard isDone(client.mute(name, until: until)) else { return }
      ledger.muted[user, default: [:]][name] = until ?? .max
    case 1:
      guard isDone(client.unmute(name)) else { return }
      ledger.muted[user]?[name] = nil
      ledger.listed[user]?.remove(name)
    default:
      let listed = names.filter { _ in random.oneIn(4) }
      client.settings { $0.mutedChannels = listed.map(channel) }
      ledger.listed[user] = Set(listed)
    }
  }

  private func moveAbout(_ index: Int, _ name: String) {
    let (client, user) = (readers[index].client, readers[index].user)
    if random.oneIn(2) {
      if isDone(client.join(name)) { ledger.join(user, name) }
    } else if isDone(client.leave(name)) {
      ledger.leave(user, name)
    }
  }

  private func moderate(_ index: Int, _ name: String) {
    let (client, other) = (readers[index].client, pickName())
    switch random.below(6) {
    case 0: if isDone(client.remove(name, other)) { ledger.leave(other, name) }
    case 1: if isDone(client.ban(name, other)) { ledger.leave(other, name) }
    case 2: client.unban(name, other)
    case 3: client.appoint(name, other, random.pick([.moderator, .owner]))
    default: if isDone(client.add(name, other)) { ledger.join(other, name) }
    }
  }

  private func send(_ index: Int, _ name: String) {
    let (client, user) = (readers[index].client, readers[index].user)
    let mentions = Self.names.filter { _ in random.oneIn(4) }
    let everybody = random.oneIn(8)
    guard isDone(client.send(name, "m", mentions: mentions, everybody: everybody)) else { return }
    ledger.send(
      .init(author: user, mentions: Set(mentions), mentionsAll: everybody), to: name)
  }

  private func change(_ index: Int, _ name: String) {
    guard let count = ledger.rooms[name]?.messages.count, count > 0 else { return }
    let client = readers[index].client
    let seq = 1 + random.below(count)
    if random.oneIn(2) {
      guard isDone(client.delete(name, seq)) else { return }
      ledger.rooms[name]?.messages[seq - 1].isDeleted = true
      return
    }
    let mentions = Self.names.filter { _ in random.oneIn(3) }
    let everybody = random.oneIn(6)
    let text = "e\(random.below(3))"
    guard isDone(client.edit(name, seq, text, mentions: mentions, everybody: everybody)) else {
      return
    }
    ledger.rooms[name]?.messages[seq - 1].mentions = Set(mentions)
    ledger.rooms[name]?.messages[seq - 1].mentionsAll = everybody
  }

  private func read(_ index: Int, _ name: String) {
    let (client, user) = (readers[index].client, readers[index].user)
    let seq = random.below((ledger.rooms[name]?.messages.count ?? 0) + 1)
    if random.oneIn(3) {
      if isDone(client.readUnread(name, seq)) { ledger.readUnread(user, name, seq) }
    } else if isDone(client.read(name, seq)) {
      ledger.read(user, name, upTo: seq)
    }
  }

  private func pickName() -> String { random.pick(Self.names) }

  private func isDone(_ answer: String) -> Bool { !answer.hasPrefix("refused") }
}

/// What was told, against the ledger.
extension UnreadWorld {
  private func listen() {
    for index in readers.indices {
      for case .event(.unread(let told)) in readers[index].client.received {
        compare(told, readers[index].user)
        readers[index].counts[told.channel.text] = (told.unread, told.mentions)
        readers[index].total = told.total
      }
      readers[index].client.clear()
    }
  }

  private func compare(_ told: UnreadCounts, _ user: String) {
    compared += 1
    let name = told.channel.text
    let (unread, mentions) = ledger.count(user, in: name)
    let total = ledger.total(of: user, at: hub.wall)
    let seq = ledger.rooms[name]?.messages.count ?? told.at
    let line = "\(unread)/\(mentions) of \(total) at \(seq)"
    let heard = "\(told.unread)/\(told.mentions) of \(told.total) at \(told.at)"
    if heard != line { flaws.append("\(user) was told \(heard) in \(name), not \(line)") }
  }

  /// At the end every connection knows the right numbers.
  private func compareAll(_ reader: Reader) {
    for (name, room) in ledger.rooms where room.kind != .broadcast {
      guard room.members[reader.user] != nil else { continue }
      let (unread, mentions) = ledger.count(reader.user, in: name)
      let known = reader.counts[name] ?? (0, 0)
      let isRight =
        known.unread == unread
        && (known.mentions == mentions || ledger.everBlocked.contains(reader.user))
      guard !isRight else { continue }
      flaws.append("\(reader.user) knows \(known) in \(name), not \((unread, mentions))")
    }
    let total = ledger.total(of: reader.user, at: hub.wall)
    guard reader.total != total else { return }
    flaws.append("\(reader.user) knows of \(reader.total) in all, not \(total)")
  }
}
