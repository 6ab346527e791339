import Crypto
package import HubCore
package import HubProtocol

/// A hub without sockets or clock, and what stands behind it: a log that keeps every record, and a
/// history. What it says is kept as the text that would be sent.
package final class DrivenHub {
  private var hub: Hub
  /// What history holds; nil where there is none.
  package private(set) var history: ModelHistory?
  private var tape: RecordTape
  private var slots: [String: UInt32] = [:]
  private var present: Set<String> = []
  private var effects: [Effect] = []
  private var text = EffectText()
  private var logged = 0
  /// What was asked of history and is not answered.
  private var asked: [(query: HistoryQuery, read: PendingRead)] = []
  /// Milliseconds since 1970 that the hub is told.
  package var wall = 1_700_000_000_000
  private var uptime = 0

  /// A hub with nothing in it, or with what was loaded; its history is made of that.
  package convenience init(
    _ registry: Registry? = nil, windowMemory: Int = 1 << 30, seed: UInt64 = 7
  ) {
    let history = registry.map { ModelHistory(seededFrom: $0) } ?? ModelHistory()
    self.init(registry, history: history, windowMemory: windowMemory, seed: seed)
  }

  /// - Parameter history: What history holds; nil where there is none.
  package init(
    _ registry: Registry?, history: ModelHistory?, windowMemory: Int = 1 << 30, seed: UInt64 = 7
  ) {
    self.history = history
    tape = RecordTape(after: registry, history ?? ModelHistory())
    hub = Hub(
      configuration: Hub.Configuration(
        registry: Registry.Configuration(windowMemory: windowMemory, hashSeed: (seed, 2)),
        requestsPerSecond: nil, heartbeatMilliseconds: 25_000, zones: FixedZones(),
        idSeed: (seed, 4)),
      registry: registry)
    run()
  }

  /// The hub as it is now.
  package var image: RegistryImage { hub.image }

  /// SHA-256 over all blocks of the image.
  package var digest: [UInt8] { image.digest }

  /// Gives every channel a new epoch.
  package func renewEpochs() {
    hub.renewEpochs()
    run()
  }

  /// What differs when the log is played again; nothing, in a hub that is right.
  package var replayFlaws: [String] { tape.flaws(against: image, history) }

  /// Signs a user in: `bot-…` and `admin-…` as such, others as people. Nothing if they are.
  @discardableResult
  package func connect(_ name: String, since: String? = nil) -> String {
    guard present.insert(name).inserted else { return "" }
    slots[name] = slots[name] ?? UInt32(slots.count)
    let privilege: Privilege =
      name.hasPrefix("bot-") ? .bot : name.hasPrefix("admin-") ? .admin : .person
    let identity = Identity(user: user(name), privilege: privilege)
    return receive(
      .hello(connection(of: name), RequestID(1), .success(identity), since: since, bytes: 0))
  }

  /// Everybody goes, and so much time passes that nothing is left of their having been there.
  package func leaveAlone() {
    for name in present.sorted() { receive(.closed(connection(of: name))) }
    present = []
    // What is held back at most once a second is told, and then nothing is held back any more.
    for _ in 0..<60 { pass(1_000) }
  }

  /// Lets time pass; what became due meanwhile, as text.
  @discardableResult
  package func pass(_ milliseconds: Int) -> String {
    wall += milliseconds
    uptime += milliseconds
    while let due = hub.nextDeadline, due <= uptime {
      hub.tick(at: moment)
      run()
    }
    return takeText()
  }

  /// Everything that one request led to, as text, in an order that no hash decides.
  @discardableResult
  package func ask(_ name: String, _ operation: HubProtocol.Operation) -> String {
    connect(name)
    return receive(
      .request(
        connection(of: name), Request(id: RequestID(1), operation: operation), bytes: 0))
  }

  /// The same of the text of a request.
  @discardableResult
  package func ask(_ name: String, _ text: String) -> String {
    let inbound = Array(text.utf8).withUnsafeBytes(RequestDecoder.decode)
    guard case .request(let request) = inbound else { return "\(inbound)" }
    return ask(name, request.operation)
  }

  private var moment: Moment { Moment(wall: Timestamp(milliseconds: wall), uptime: uptime) }

  private func connection(of name: String) -> ConnectionID {
    ConnectionID(loop: 0, slot: slots[name] ?? 0, generation: 0)
  }

  @discardableResult
  private func receive(_ arrival: Arrival) -> String {
    wall += 1
    uptime += 1
    if let due = hub.nextDeadline, due <= uptime { hub.tick(at: moment) }
    hub.receive(arrival, at: moment)
    run()
    return takeText()
  }

  /// Logs, and lets take effect, whatever there is.
  private func run() {
    advance()
    while hub.hasReleased {
      hub.receiveReleased(at: moment)
      advance()
    }
  }

  private func advance() {
    let records = hub.takeRecords()
    logged += records.count
    tape.append(records)
    hub.advance(durable: logged, at: moment)
    var changes: [HistoryChange] = []
    _ = hub.takeHistoryChanges(into: &changes)
    history?.take(changes)
  }

  private func takeText() -> String {
    var lines: [String] = []
    takeEffects(&lines)
    while !asked.isEmpty {
      let (query, read) = asked.removeFirst()
      hub.resume(read, with: history?.answer(query) ?? ModelHistory.nothing(query), at: moment)
      run()
      takeEffects(&lines)
    }
    return lines.sorted().joined(separator: "\n")
  }

  private func takeEffects(_ lines: inout [String]) {
    hub.takeEffects(into: &effects)
    for effect in effects {
      if case .ask(let query, let read) = effect {
        asked.append((query, read))
      } else {
        lines.append(text.line(effect))
      }
    }
  }
}

extension RegistryImage {
  /// SHA-256 over all blocks and what they are.
  package var digest: [UInt8] {
    var hash = SHA256()
    write { section, block in
      hash.update(data: [section.rawValue])
      hash.update(data: block)
    }
    return Array(hash.finalize())
  }

  /// The blocks as they would be written.
  package var blocks: [(section: ImageSection, bytes: [UInt8])] {
    var blocks: [(section: ImageSection, bytes: [UInt8])] = []
    write { blocks.append(($0, $1)) }
    return blocks
  }

  /// The registry that is made of the image's blocks.
  package func loaded(windowMemory: Int = 1 << 30) throws -> Registry {
    var loader = RegistryLoader(windowMemory: windowMemory)
    for block in blocks { try loader.take(block.section, block.bytes) }
    return try loader.finish()
  }
}

/// A channel's name, well formed.
package func channel(_ text: String) -> ChannelName {
  guard let name = ChannelName(text) else { preconditionFailure("`\(text)` names no channel") }
  return name
}

/// The name of the direct channel of two users (protocol, "Channels and membership").
package func directChannel(_ one: String, _ other: String) -> ChannelName {
  var hash = SHA256()
  for id in [user(one), user(other)].sorted() {
    hash.update(data: [UInt8(id.text.utf8.count)])
    hash.update(data: Array(id.text.utf8))
  }
  return ChannelName(directDigest: Array(hash.finalize().prefix(16)))
}

/// A user's id, well formed.
package func user(_ text: String) -> UserID {
  guard let id = UserID(text) else { preconditionFailure("`\(text)` is no user id") }
  return id
}
