import Crypto
package import HubCore
package import HubProtocol

/// A hub without sockets or clock. What it says is kept as the text that would be sent.
package final class DrivenHub {
  private var hub: Hub
  private var connections: [String: ConnectionID] = [:]
  private var encoder = WireEncoder(capacity: 1_024)
  private var effects: [Effect] = []
  private var logged = 0
  /// Milliseconds since 1970 that the hub is told.
  package var wall = 1_700_000_000_000
  private var uptime = 0

  /// A hub with nothing in it, or with what was loaded.
  package init(_ registry: Registry? = nil, windowMemory: Int = 1 << 30, seed: UInt64 = 7) {
    hub = Hub(
      configuration: Hub.Configuration(
        registry: Registry.Configuration(windowMemory: windowMemory, hashSeed: (seed, 2)),
        requestsPerSecond: nil, heartbeatMilliseconds: 25_000, idSeed: (seed, 4)),
      registry: registry)
  }

  /// The hub as it is now.
  package var image: RegistryImage { hub.image }

  /// SHA-256 over all blocks of the image.
  package var digest: [UInt8] { image.digest }

  /// Gives every channel a new epoch.
  package func renewEpochs() { hub.renewEpochs() }

  /// Signs a user in: `bot-…` and `admin-…` as such, others as people. Nothing if they are.
  @discardableResult
  package func connect(_ name: String) -> String {
    guard connections[name] == nil else { return "" }
    let connection = ConnectionID(loop: 0, slot: UInt32(connections.count), generation: 0)
    connections[name] = connection
    let privilege: Privilege =
      name.hasPrefix("bot-") ? .bot : name.hasPrefix("admin-") ? .admin : .person
    let identity = Identity(user: user(name), privilege: privilege)
    return receive(.hello(connection, RequestID(1), .success(identity), bytes: 0))
  }

  /// Everything that one request led to, as text, in an order that no hash decides.
  @discardableResult
  package func ask(_ name: String, _ operation: HubProtocol.Operation) -> String {
    connect(name)
    guard let connection = connections[name] else { return "" }
    return receive(
      .request(connection, Request(id: RequestID(1), operation: operation), bytes: 0))
  }

  /// The same of the text of a request.
  @discardableResult
  package func ask(_ name: String, _ text: String) -> String {
    let inbound = Array(text.utf8).withUnsafeBytes(RequestDecoder.decode)
    guard case .request(let request) = inbound else { return "\(inbound)" }
    return ask(name, request.operation)
  }

  private func receive(_ arrival: Arrival) -> String {
    wall += 1
    uptime += 1
    let moment = Moment(wall: Timestamp(milliseconds: wall), uptime: uptime)
    hub.receive(arrival, at: moment)
    logged += hub.takeRecords().count
    hub.advance(durable: logged, at: moment)
    hub.takeEffects(into: &effects)
    var lines: [String] = []
    for effect in effects { carryOut(effect, &lines) }
    return lines.sorted().joined(separator: "\n")
  }

  private func carryOut(_ effect: Effect, _ lines: inout [String]) {
    switch effect {
    case .answer(_, let answer, _): lines.append("answer " + text(answer))
    case .tell(let connection, let event): lines.append("to \(connection.slot) " + text(event))
    case .tellEach(let connections, let event):
      lines.append("to \(connections.map(\.slot).sorted()) " + text(event))
    case .publish(let channel, _, let event, _):
      lines.append("in \(channel.index) " + text(event))
    case .loadOlder(_, let read):
      hub.resume(read, with: nil)
      var more: [Effect] = []
      hub.takeEffects(into: &more)
      for effect in more { carryOut(effect, &lines) }
    case .greeted, .subscribed, .unsubscribed, .close, .takeSnapshot: lines.append("\(effect)")
    }
  }

  private func text(_ answer: Answer) -> String {
    encoder.begin(reserving: 0)
    switch answer {
    case .silent: return ""
    case .reply(let id, .hello(let hello)):
      // Session names are drawn anew by every hub.
      let plain = HelloReply(
        user: hello.user, session: "", serverTs: hello.serverTs,
        heartbeatMilliseconds: hello.heartbeatMilliseconds,
        requestsPerSecond: hello.requestsPerSecond, userStream: hello.userStream)
      encoder.encode(Reply.hello(plain), id: id)
    case .reply(let id, let reply): encoder.encode(reply, id: id)
    case .refusal(let id, let refusal): encoder.encode(refusal, id: id)
    case .refusalEvent(let op, let refusal): encoder.encode(Event.error(op: op, refusal))
    }
    return String(decoding: encoder.bytes, as: UTF8.self)
  }

  private func text(_ event: Event) -> String {
    encoder.begin(reserving: 0)
    encoder.encode(event)
    return String(decoding: encoder.bytes, as: UTF8.self)
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

/// A user's id, well formed.
package func user(_ text: String) -> UserID {
  guard let id = UserID(text) else { preconditionFailure("`\(text)` is no user id") }
  return id
}
