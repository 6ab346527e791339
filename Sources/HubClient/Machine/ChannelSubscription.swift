package import HubProtocol
package import NIOCore

/// One subscription over all connections: remembers where its reader stands, and makes of replies
/// and events what the reader is told (protocol, "Subscribing and recovery").
package struct ChannelSubscription: Sendable {
  package enum Phase: Hashable, Sendable {
    /// There is no connection. → `asking`
    case offline
    /// The hub was asked; messages and changes are left to its reply, which comes behind them and
    /// brings them, and other events wait for it. → `live`, `delayed`, `offline`
    case asking(RequestID)
    /// The hub could not answer just now; it is asked again then. → `asking`, `offline`
    case delayed(until: NIODeadline)
    /// The hub's numbering continues `position`. → `asking`, `offline`
    case live
  }

  /// What to do with an event of the channel.
  package enum Verdict: Hashable, Sendable {
    case tell
    /// It is known already, comes with the hub's reply, or is held until then.
    case drop
    /// Something is missing before it: drop it, and ask the hub for everything since `position`.
    case recover
    /// It says what is missing: tell it, and ask the hub for everything since `position`.
    case tellAndRecover
    /// Tell what was held and then this, and nothing after it.
    case end
  }

  /// The most events that wait for the hub's reply; those beyond are only counted.
  package static let heldEvents = 1_000

  package let channel: ChannelName
  /// Nil until the first reply, unless the app came with one.
  package private(set) var position: HubPosition?
  package var phase = Phase.offline
  /// Until when the hub must have said yes for the first time; nil once it has.
  package private(set) var beginsBy: NIODeadline?
  private let newest: Int
  /// Events that came while messages and changes were missing before them.
  private var held = Mailbox<HubUpdate>(limit: heldEvents, overflow: .count)
  /// The newest messages that came meanwhile, in case the hub's reply does not bring them.
  private var uncovered: [HubEvent] = []

  package init(channel: ChannelName, since: HubPosition?, newest: Int, beginsBy: NIODeadline) {
    self.channel = channel
    self.position = since
    self.newest = newest
    self.beginsBy = beginsBy
  }

  /// Whether the hub ever said yes.
  package var isConfirmed: Bool { beginsBy == nil }

  /// When it must be looked at; nil when it waits for no time.
  package var nextCheck: NIODeadline? {
    if let beginsBy { return beginsBy }
    if case .delayed(let until) = phase { return until }
    return nil
  }

  /// What to ask the hub for.
  package var request: Subscribe {
    let since = position.map { Position(epoch: $0.epoch, seq: $0.seq, rev: $0.rev) }
    return Subscribe(channel: channel, since: since, limit: since == nil ? newest : 0)
  }

  /// The hub said yes: gives what the reader is told, or nil when the reply makes no sense.
  package mutating func replied(_ json: HubJSON) -> [HubUpdate]? {
    guard let object = json.object, let epoch = object.string("epoch"),
      let seq = object.integer("seq")
    else { return nil }
    let before = position
    position = HubPosition(epoch: epoch, seq: seq, rev: object.integer("rev"))
    phase = .live
    beginsBy = nil
    let came = takeUncovered(upTo: seq, isSameNumbering: before?.epoch == epoch)
    if before != nil, object.bool("recovered") != true {
      // What came behind the gap, without a hole up to now, is not lost.
      let start = HubPosition(epoch: epoch, seq: seq - came.count, rev: object.integer("rev"))
      return [.reset(start)] + came.map { .event($0) } + takeHeld()
    }
    let changed = object.messages("changed").map { message in
      HubEvent(message, name: message.deletedTs == nil ? "message.updated" : "message.deleted")
    }
    let missed = object.messages("messages").filter { $0.seq > before?.seq ?? 0 }
    let events = changed + missed.map { HubEvent($0, name: "message") }
    return events.map { .event($0) } + takeHeld()
  }

  /// The messages that came while the hub was asked, as far as they lead up to `seq` without a
  /// hole.
  private mutating func takeUncovered(upTo seq: Int, isSameNumbering: Bool) -> [HubEvent] {
    defer { uncovered = [] }
    guard isSameNumbering else { return [] }
    var first = seq + 1
    for event in uncovered.reversed() {
      guard case .message(let message) = event.body, message.seq == first - 1 else { continue }
      first -= 1
    }
    return uncovered.filter { event in
      guard case .message(let message) = event.body else { return false }
      return first <= message.seq && message.seq <= seq
    }
  }

  /// What was held until now, in order.
  package mutating func takeHeld() -> [HubUpdate] {
    var updates: [HubUpdate] = []
    while let next = held.take() {
      switch next {
      case .element(let update): updates.append(update)
      case .missed(let count): updates.append(.missed(count))
      }
    }
    return updates
  }
}

// MARK: - Events

extension ChannelSubscription {
  /// An event of this channel arrived.
  package mutating func received(_ event: HubEvent) -> Verdict {
    if case .unsubscribed = event.body { return .end }
    if case .message(let message) = event.body { return received(event, seq: message.seq) }
    if event.isChange { return receivedChange(rev: event.rev) }
    guard phase == .live else {
      held.offer(.event(event))
      return .drop
    }
    guard case .gap(_, _, let rev) = event.body else { return .tell }
    receivedGap(rev: rev)
    return .tellAndRecover
  }

  private mutating func received(_ event: HubEvent, seq: Int) -> Verdict {
    guard phase == .live else {
      uncovered.append(event)
      if uncovered.count > Self.heldEvents { uncovered.removeFirst() }
      return .drop
    }
    guard let position, seq > position.seq else { return .drop }
    guard seq == position.seq + 1 else { return .recover }
    self.position = HubPosition(epoch: position.epoch, seq: seq, rev: position.rev)
    return .tell
  }

  private mutating func receivedChange(rev: Int?) -> Verdict {
    guard phase == .live, let position else { return .drop }
    guard let rev else { return .tell }
    if let known = position.rev, rev <= known { return .drop }
    self.position = HubPosition(epoch: position.epoch, seq: position.seq, rev: rev)
    return .tell
  }

  /// Messages from `from` on are missing. Where the reader stands is just below that, or above it
  /// when a reply has brought some of them since; changes are asked for from the gap's `rev` on.
  private mutating func receivedGap(rev: Int?) {
    guard let position, let rev else { return }
    let known = min(position.rev ?? rev, rev)
    self.position = HubPosition(epoch: position.epoch, seq: position.seq, rev: known)
  }
}
