import HubCore
import HubProtocol
import SeededRandom

/// A hub in which everything happens that changes inboxes, and the model of them.
final class InboxWorld {
  static let people = ["alice", "bob", "carol", "dave"]
  static let publishers = ["blog", "shop", "root"]
  static let room = "room:a"
  /// A channel of all people that bots see.
  static let square = "square"
  private static let lists: [(types: [String]?, states: [InboxState]?)] = [
    (nil, InboxState.allCases), (nil, nil), (["like", "mention"], nil),
    (["sale"], [.unseen, .seen]), (nil, [.archived]),
  ]

  /// A connection, and how much its user had been told when it came.
  struct Reader {
    let client: Client
    let user: String
    var heard: Int
  }

  let hub: HubDriver
  var model = InboxModel(users: people + publishers)
  var posts = PostModel()
  var readers: [Reader] = []
  var bots: [Client] = []
  var random: SplitMix64
  private(set) var flaws: [String] = []
  /// Events that were compared.
  private(set) var compared = 0
  /// Whether history answers when it likes.
  private let isLate: Bool

  init(seed: UInt64, isLate: Bool) {
    random = SplitMix64(seed: seed)
    self.isLate = isLate
    hub = HubDriver(seed: seed)
    bots = zip(Self.publishers, [.bot, .bot, .admin]).map { hub.connect($0, as: $1) }
    for name in Self.people { connect(name) }
    let creator = readers[0].client
    creator.create(Self.room, .group, members: Array(Self.people.dropLast()))
    for name in ["bob", "carol"] { creator.appoint(Self.room, name, .moderator) }
    creator.create(Self.square, .public, members: Self.people)
    for name in Self.people.prefix(2) {
      posts.feeds[name] = []
      reader(of: name)?.client.create("feed:\(name)", .broadcast)
    }
    hub.clear()
    hub.isAsking = isLate
  }

  var questionCount: Int { hub.questionCount }

  func run(_ count: Int) {
    for _ in 0..<count where flaws.isEmpty {
      happen()
      settle()
      if !isLate || random.oneIn(3) { hear() }
    }
    hear()
    hub.isAsking = false
    for name in Self.people where reader(of: name) == nil { connect(name) }
    settle()
    hear()
    for name in Self.people { compareAll(name) }
    compareUsage()
    flaws += hub.replayFlaws
  }

  private func happen() {
    switch random.below(40) {
    case 0: connect(random.pick(Self.people))
    case 1: leave()
    case 2...5: pass()
    case 6, 7: look()
    case 8...10: mark()
    case 11, 12: discard()
    case 13, 14: act()
    case 15: open()
    case 16, 17: wish()
    case 18...20: follow()
    case 21...25: write()
    case 26, 27: edit()
    case 28: erase()
    case 29, 30: react()
    case 31, 32: retract()
    case 33 where random.oneIn(12): flood()
    default: notify()
    }
  }

  // MARK: - Time and connections

  func reader(of user: String) -> Reader? { readers.first { $0.user == user } }

  /// Somebody who is there; nobody waits for an answer between steps.
  func anyone() -> Reader? { readers.isEmpty ? nil : random.pick(readers) }

  private func connect(_ user: String) {
    // Whoever comes hears what waits, too.
    hear()
    let client = hub.connect(user)
    readers.append(Reader(client: client, user: user, heard: model.told[user]?.count ?? 0))
    client.clear()
  }

  /// All of somebody's connections, or one of several, go.
  private func leave() {
    guard let leaver = anyone(), readers.count > 2 else { return }
    // Nothing of theirs expires while it is looked at for nobody.
    let expiries = model.boxes[leaver.user]?.items.compactMap {
      $0.parts.last?.notification.expiresTs?.milliseconds
    }
    if let first = expiries?.min(), first <= hub.wall + 10_001 { return }
    hear()
    for reader in readers where reader.user == leaver.user { reader.client.close() }
    readers.removeAll { $0.user == leaver.user }
    // So long that nobody looks at the inbox any more.
    elapse(10_001)
  }

  private func pass() { elapse(random.below(random.oneIn(9) ? 13 * 3_600_000 : 4_000)) }

  /// Time passes; inboxes of those who are there lose what expires, when it does.
  private func elapse(_ milliseconds: Int) {
    let end = hub.wall + milliseconds
    while let next = nextExpiry, next <= end {
      hub.pass(next - hub.wall)
      settle()
    }
    hub.pass(end - hub.wall)
    settle()
  }

  private var nextExpiry: Int? {
    Set(readers.map(\.user)).flatMap { user in
      model.boxes[user]?.items.compactMap {
        $0.parts.last?.notification.expiresTs?.milliseconds
      } ?? []
    }.min()
  }

  /// What is due at this moment is done.
  func settle() {
    hub.pass(0)
    model.now = Timestamp(milliseconds: hub.wall)
    for user in Set(readers.map(\.user)).sorted() { model.expire(user) }
  }

  // MARK: - Comparing

  /// History answers all, and everybody has heard what they are to hear.
  func hear() {
    hub.answer()
    for index in readers.indices {
      let reader = readers[index]
      let lines = reader.client.inboxEvents.map {
        Line.whole($0.event) + " | " + Line.whole($0.stand)
      }
      reader.client.clear()
      let expected = (model.told[reader.user] ?? []).dropFirst(reader.heard)
      readers[index].heard += expected.count
      compared += expected.count
      guard lines != Array(expected) else { continue }
      let place = zip(lines, expected).prefix { $0 == $1 }.count
      note(
        "\(reader.user) heard", lines.dropFirst(place).first ?? "nothing",
        expected.dropFirst(place).first ?? "nothing")
    }
  }

  func note(_ what: String, _ found: String, _ expected: String) {
    if found != expected { flaws.append("\(what): \(found), not \(expected)") }
  }

  /// Somebody lists their inbox; others go on while history looks.
  private func look() {
    guard let reader = anyone() else { return }
    let list = random.pick(Self.lists)
    if random.oneIn(3) {
      return ask("counts", .inboxCounts(types: list.types), reader) {
        "counts " + Line.of($0.stand(of: reader.user, types: list.types))
      }
    }
    hear()
    let limit = random.pick([1, 7, 100])
    if reader.client.inbox(types: list.types, states: list.states, limit: limit) == "pending" {
      interrupt()
      hub.answer()
    }
    let shown = model.list(of: reader.user, types: list.types, states: list.states)
    var stand: InboxStand?
    if case .inbox(_, let told, _) = reader.client.reply { stand = told }
    note(
      "\(reader.user) lists", describe(reader.client.items, stand),
      describe(Array(shown.prefix(limit)), model.stand(of: reader.user)))
    note("\(reader.user)'s page", "\(reader.client.cursor != nil)", "\(shown.count > limit)")
    hear()
  }

  private func describe(_ items: [InboxItem], _ stand: InboxStand?) -> String {
    items.map { Line.whole($0) }.joined(separator: "; ")
      + (stand.map { " | " + Line.whole($0) } ?? "")
  }

  /// Somebody asks about their inbox; where the answer waits, others go on, and the model does it
  /// behind them.
  func ask(
    _ what: String, _ operation: HubProtocol.Operation, _ reader: Reader,
    _ effect: (inout InboxModel) -> String
  ) {
    var line = reader.client.ask(operation)
    let isLate = line == "pending"
    if isLate { interrupt() }
    let expected = effect(&model)
    if isLate {
      hub.answer()
      line = reader.client.received.last { !$0.isEvent }?.description ?? "nothing"
    }
    note("\(reader.user): \(what)\(isLate ? ", late" : "")", line, expected)
  }

  /// Others do something while somebody waits.
  private func interrupt() {
    for _ in 0..<random.below(3) {
      if random.oneIn(2) { notify() } else { retract() }
      settle()
    }
  }

  private func compareAll(_ user: String) {
    guard let client = reader(of: user)?.client else { return }
    for list in Self.lists {
      var items: [InboxItem] = []
      var cursor: String?
      repeat {
        client.inbox(types: list.types, states: list.states, cursor: cursor, limit: 30)
        items += client.items
        cursor = client.cursor
      } while cursor != nil
      note(
        "\(user)'s pages", describe(items, client.stand),
        describe(
          model.list(of: user, types: list.types, states: list.states), model.stand(of: user)))
    }
  }

  private func compareUsage() {
    let usage = hub.hub.inboxUsage
    note("opened by", "\(usage.people)", "\(model.openedCount)")
    note("viewed", "\(usage.viewed)", "\(model.viewedCount)")
    note("deleted", "\(usage.deleted)", "\(model.deletedCount)")
  }
}
