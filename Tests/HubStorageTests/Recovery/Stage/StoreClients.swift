import HubCore
import HubProtocol
import HubStage

/// Everybody who uses a hub, across its runs: what they asked, and what they were told.
final class StoreClients {
  /// A message as somebody was told of it last.
  struct Known {
    let user: UserID
    var text: String?
    var reactions: Set<String> = []
    let key: String?
  }

  /// Where a key was used.
  struct Use: Hashable {
    let user: UserID
    let channel: ChannelName
    let key: String
  }

  /// Milliseconds since 1970, and since the machine began.
  private var now = 1_700_000_000_000
  private var slots: [String: UInt32] = [:]
  private(set) var names: [UInt32: String] = [:]
  var present: Set<String> = []
  var asked: [RequestID: (user: UserID, operation: HubProtocol.Operation)] = [:]
  private var requests = 0

  var messages: [ChannelName: [Int: Known]] = [:]
  var uses: [Use: Int] = [:]
  /// Each user's read pointers.
  var read: [UserID: [ChannelName: Int]] = [:]
  /// What came into each user's inbox, by id, with when it expires.
  var inbox: [UserID: [Int: Timestamp?]] = [:]
  var epochs: [ChannelName: String] = [:]
  /// Channels that somebody left: whoever left last has ended them.
  var left: Set<ChannelName> = []
  /// Requests that were done.
  var replies = 0
  /// Why others were refused.
  var refusals: [ErrorCode] = []
  /// What somebody was told that contradicts what they were told before.
  var flaws: [String] = []

  var moment: Moment { Moment(wall: Timestamp(milliseconds: now), uptime: now) }

  /// The hub is gone: everybody says hello to the next, and forgets what may have been done or not.
  func lose() {
    present = []
    for (_, operation) in asked.values {
      if let channel = operation.touched { remove(channel) }
      if operation.mayTakeBack { inbox = [:] }
    }
    asked = [:]
  }

  /// Nothing of what was told counts any more.
  func forget() {
    lose()
    (messages, uses, read, inbox, epochs) = ([:], [:], [:], [:], [:])
    left = []
  }

  /// A request as it arrives, behind the `hello` of somebody who is not there.
  func arrivals(_ name: String, _ text: String) -> [Arrival] {
    now += 1
    let connection = connection(of: name)
    var arrivals: [Arrival] = []
    if present.insert(name).inserted {
      let identity = Identity(user: user(name), privilege: Self.privilege(of: name))
      arrivals.append(.hello(connection, nextID(), .success(identity), since: nil, bytes: 0))
    }
    let inbound = Array(text.utf8).withUnsafeBytes(RequestDecoder.decode)
    guard case .request(let request) = inbound, let id = nextID() else { return arrivals }
    asked[id] = (user(name), request.operation)
    let numbered = Request(id: id, operation: request.operation)
    return arrivals + [.request(connection, numbered, bytes: 0)]
  }

  private func nextID() -> RequestID? {
    requests += 1
    return RequestID(requests)
  }

  private func connection(of name: String) -> ConnectionID {
    let slot = slots[name] ?? UInt32(slots.count)
    (slots[name], names[slot]) = (slot, name)
    return ConnectionID(loop: 0, slot: slot, generation: 0)
  }

  private static func privilege(of name: String) -> Privilege {
    name.hasPrefix("bot-") ? .bot : name.hasPrefix("admin-") ? .admin : .person
  }
}
