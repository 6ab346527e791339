import HubCore
import HubProtocol
import HubStage
import SeededRandom

/// A hub with 1,100,000 memberships: 100,000 public rooms of ten people each, and one group of
/// everybody. A hundred people are there; nobody is subscribed.
struct LargeHub {
  static let people = 100_000
  static let rooms = 100_000
  private static let connected = 100

  private var hub = Hub(
    configuration: Hub.Configuration(
      registry: Registry.Configuration(windowMemory: 1 << 30, hashSeed: (1, 2)),
      requestsPerSecond: nil, heartbeatMilliseconds: 25_000, zones: FixedZones(),
      idSeed: (3, 4)))
  private var logged = 0
  private var effects: [Effect] = []
  private var wall = 1_700_000_000_000
  private var random = SplitMix64(seed: 1)
  private let message = MessageContent(text: String(repeating: "a word or two ", count: 8))

  init() {
    let people = (0..<Self.people).map { user("user-\($0)") }
    for (index, user) in people.enumerated() { appear(user, at: index) }
    let everybody = channel("everybody")
    create(everybody, .group, with: Array(people.dropFirst()), by: people[0])
    for room in 0..<Self.rooms {
      let members = (0..<10).map { people[(room * 10 + $0) % Self.people] }
      create(Self.room(room), .public, with: Array(members.dropFirst()), by: members[0])
    }
    for person in 0..<Self.connected { connect(people[Self.person(person)], at: person) }
    for _ in 0..<4_000 { apply(batchOf: 64) }
  }

  /// The registry as it is now.
  var image: RegistryImage { hub.image }

  /// Does what a tick of the loops may bring: mostly messages in many rooms, some to everybody,
  /// some people who come and go, some who read.
  mutating func apply(batchOf count: Int) {
    wall += 1
    let moment = moment
    for _ in 0..<count { hub.receive(next(), at: moment) }
    advance(at: moment)
  }

  private mutating func next() -> Arrival {
    let index = random.below(Self.connected)
    let operation: Operation
    switch random.below(16) {
    case 0...1:
      operation = .messageSend(MessageSend(channel: channel("everybody"), content: message))
    case 2: operation = .channelJoin(Self.room(random.below(Self.rooms)))
    case 3: operation = .channelLeave(Self.room(random.below(Self.rooms)))
    case 4: operation = .read(ownRoom(of: index), seq: 1)
    default:
      operation = .messageSend(
        MessageSend(
          channel: ownRoom(of: index), content: message, key: "k-\(random.below(1 << 40))"))
    }
    return .request(
      Self.connection(index), Request(id: RequestID(1), operation: operation), bytes: 0)
  }

  private mutating func ownRoom(of index: Int) -> ChannelName {
    Self.room((Self.person(index) / 10 + random.below(10) * Self.people / 10) % Self.rooms)
  }

  private static func person(_ index: Int) -> Int { index * 997 % people }

  private static func room(_ index: Int) -> ChannelName { channel("room:\(index)") }

  private static func connection(_ index: Int) -> ConnectionID {
    ConnectionID(loop: 0, slot: UInt32(index), generation: 0)
  }

  private mutating func appear(_ user: UserID, at index: Int) {
    connect(user, at: index)
    hub.receive(.closed(Self.connection(index)), at: moment)
    advance(at: moment)
  }

  private mutating func connect(_ user: UserID, at index: Int) {
    let identity = Identity(user: user, privilege: .person)
    hub.receive(
      .hello(Self.connection(index), nil, .success(identity), since: nil, bytes: 0), at: moment)
    advance(at: moment)
  }

  private mutating func create(
    _ name: ChannelName, _ kind: ChannelKind, with members: [UserID], by creator: UserID
  ) {
    let create = ChannelCreate(
      channel: name, kind: kind, profile: ChannelProfile(), members: members)
    connect(creator, at: 0)
    hub.receive(
      .request(
        Self.connection(0), Request(id: nil, operation: .channelCreate(create)), bytes: 0),
      at: moment)
    hub.receive(.closed(Self.connection(0)), at: moment)
    advance(at: moment)
  }

  private var moment: Moment { Moment(wall: Timestamp(milliseconds: wall), uptime: wall) }

  private mutating func advance(at moment: Moment) {
    logged += hub.takeRecords().count
    hub.advance(durable: logged, at: moment)
    hub.takeEffects(into: &effects)
    effects.removeAll(keepingCapacity: true)
  }
}
