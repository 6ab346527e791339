import HubCore
import HubProtocol
import HubStage

/// A hub with what stands around it in the server: loops that know who is subscribed, a log that
/// makes records durable, a history, and clocks that move only when told.
final class HubDriver {
  var hub: Hub
  let windowMemory: Int
  let requestsPerSecond: Int?
  var seed: UInt64
  var clients: [ConnectionID: Client] = [:]
  var subscribers: [ChannelRef: Set<ConnectionID>] = [:]
  /// Connections that the hub has ended.
  private var ended: Set<ConnectionID> = []
  private var connectionCount: UInt32 = 0
  var logged = 0
  /// Records of the runs before the last start.
  var before = 0
  var durable = 0

  /// Milliseconds since 1970 that the hub is told.
  var wall = 1_700_000_000_000
  /// Milliseconds of the clock that never jumps.
  private(set) var uptime = 5_000
  /// Whether records become durable only by `release`.
  var isHolding = false
  /// Whether arrivals gather until `run`.
  var isGathering = false
  /// Snapshots that operators asked for.
  private(set) var snapshotRequests = 0
  /// Where operators wanted copies.
  private(set) var backups: [String] = []
  /// Everything that was logged.
  var tape = RecordTape()
  /// What history holds; nil where there is none.
  var history: ModelHistory?
  /// What is asked of history and not answered, with the answer where it is known already.
  var asked: [Asked] = []
  /// How many questions history was asked.
  var questionCount = 0
  /// Whether history answers only by `answer`.
  var isAsking = false
  /// Whether history shows what was when it was asked, and not what is when it answers.
  var answersEarly = false
  /// What happens while history looks, but for what this itself asks for.
  var meanwhile: ((HistoryQuery) -> Void)?
  /// What no hub may do to its loops; empty at the end of every test that looks.
  private(set) var strayDeliveries: [String] = []
  /// What playing the log again told at earlier starts.
  var flawsBefore: [String] = []

  init(
    windowMemory: Int = 1 << 30, requestsPerSecond: Int? = nil, seed: UInt64 = 1,
    hasHistory: Bool = true
  ) {
    history = hasHistory ? ModelHistory() : nil
    self.windowMemory = windowMemory
    self.requestsPerSecond = requestsPerSecond
    self.seed = seed
    hub = Hub(configuration: Self.configuration(windowMemory, requestsPerSecond, seed))
    run()
  }

  static func configuration(
    _ windowMemory: Int, _ requestsPerSecond: Int?, _ seed: UInt64
  ) -> Hub.Configuration {
    Hub.Configuration(
      registry: Registry.Configuration(windowMemory: windowMemory, hashSeed: (seed, 2)),
      requestsPerSecond: requestsPerSecond, heartbeatMilliseconds: 25_000, zones: FixedZones(),
      idSeed: (seed, 4))
  }

  var moment: Moment { Moment(wall: Timestamp(milliseconds: wall), uptime: uptime) }

  /// When the hub has something to do without being asked.
  var nextDeadline: Int? { hub.nextDeadline }

  /// Records that wait to become durable.
  var pendingRecords: Int { logged - durable }

  /// A connection that has not said anything.
  func open() -> Client {
    connectionCount += 1
    let connection = ConnectionID(
      loop: UInt16(connectionCount % 3), slot: connectionCount, generation: 0)
    let client = Client(connection, of: self)
    clients[connection] = client
    return client
  }

  /// A connection that has said hello.
  func connect(_ name: String, as privilege: Privilege = .person) -> Client {
    let client = open()
    client.hello(name, as: privilege)
    return client
  }

  /// Connections of users called `prefix` and a number, who thereby exist.
  func connect(_ count: Int, _ prefix: String) -> [Client] {
    (1...count).map { connect("\(prefix)\($0)") }
  }

  /// Hands an arrival to the hub.
  func receive(_ arrival: Arrival) {
    hub.receive(arrival, at: moment)
    if !isGathering { run() }
  }

  /// Does what the sequencer does after a batch.
  func run() {
    advance()
    while hub.hasReleased {
      hub.receiveReleased(at: moment)
      advance()
    }
    var effects: [Effect] = []
    hub.takeEffects(into: &effects)
    for effect in effects { carryOut(effect) }
    if !isAsking { answer() }
  }

  /// Makes the oldest pending records durable, one by one.
  func release(_ count: Int = .max) {
    let target = min(logged, count < logged ? durable + count : logged)
    while durable < target {
      durable += 1
      run()
    }
  }

  /// Lets time pass, doing what is due when it is due.
  func pass(_ milliseconds: Int) {
    let target = uptime + milliseconds
    while let deadline = hub.nextDeadline, deadline <= target {
      move(to: max(deadline, uptime))
      hub.tick(at: moment)
      run()
    }
    move(to: target)
  }

  /// Forgets what the clients have received so far.
  func clear() {
    for client in clients.values { client.clear() }
  }

  /// The client's end of the connection closes.
  func close(_ client: Client) {
    for channel in subscribers.keys { subscribers[channel]?.remove(client.connection) }
    guard clients.removeValue(forKey: client.connection) != nil else { return }
    receive(.closed(client.connection))
  }

  private func move(to target: Int) {
    wall += target - uptime
    uptime = target
  }

  private func advance() {
    let records = hub.takeRecords()
    logged += records.count
    tape.append(records)
    if !isHolding { durable = logged }
    hub.advance(durable: durable, at: moment)
    var changes: [HistoryChange] = []
    _ = hub.takeHistoryChanges(into: &changes)
    history?.take(changes)
  }
}

/// What the loops do.
extension HubDriver {
  private func carryOut(_ effect: Effect) {
    switch effect {
    case .answer(let connection, let answer, _):
      note(ended.contains(connection), "answered after the hub ended it")
      deliver(Received(answer), to: connection)
    case .tell(let connection, let event):
      deliver(.event(event), to: connection)
    case .tellEach(let connections, let event):
      for connection in connections { deliver(.event(event), to: connection) }
    case .publish(let channel, let loops, let event, let variants):
      for connection in subscribers[channel] ?? [] {
        publish(event, variants, on: loops, to: connection)
      }
    case .greeted(let connection, let user):
      clients[connection]?.ref = user
    case .subscribed(let connection, let channel):
      note(ended.contains(connection), "subscribed after the hub ended it")
      if clients[connection] != nil { subscribers[channel, default: []].insert(connection) }
    case .unsubscribed(let connection, let channel):
      subscribers[channel]?.remove(connection)
    case .close(let connection, let code):
      guard let client = clients[connection] else { return }
      client.received.append(.closed(code))
      ended.insert(connection)
      close(client)
    case .ask(let query, let read): ask(query, read)
    case .takeSnapshot: snapshotRequests += 1
    case .backUp(let directory, _): backups.append(directory)
    }
  }

  private func publish(
    _ event: Event, _ variants: [Variant], on loops: LoopSet, to connection: ConnectionID
  ) {
    note(!loops.contains(Int(connection.loop)), "not published on a subscriber's loop")
    let own = variants.first { variant in
      clients[connection]?.ref.map { variant.users.contains($0) } ?? false
    }
    guard let own else { return deliver(.event(event), to: connection) }
    if let other = own.event { deliver(.event(other), to: connection) }
  }

  private func deliver(_ received: Received?, to connection: ConnectionID) {
    guard let received else { return }
    clients[connection]?.hear(received)
  }

  private func note(_ isStray: Bool, _ sentence: String) {
    if isStray { strayDeliveries.append(sentence) }
  }
}
