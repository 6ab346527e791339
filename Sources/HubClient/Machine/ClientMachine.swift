package import HubProtocol
package import NIOCore

/// One client and all its connections to the hub, one after the other: what to send, whom to tell
/// and when to come back. It has no socket, no clock and no task; time and chance are arguments.
package struct ClientMachine: ~Copyable {
  /// What the shell has to do, in order.
  package enum Action: Equatable, Sendable {
    /// Reach the hub. Whatever is heard of another attempt than the last one is to be ignored.
    case open(attempt: Int)
    /// Send this text message.
    case send([UInt8])
    /// Begin the close handshake.
    case sendClose
    /// Drop the connection without ceremony; why, for the `LinkEnd.abrupt` that comes of it.
    case abort(String)
    /// Answer the app.
    case finish(RequestID, Result<HubJSON, HubError>)
    /// Tell the readers of all events.
    case tell(HubUpdate)
    /// Tell the reader of one subscription.
    case yield(ChannelName, HubUpdate)
    /// A subscription begins: the hub said yes for the first time.
    case begin(ChannelName)
    /// A subscription is over; nil when nothing is wrong.
    case end(ChannelName, HubError?)
    /// The state changed.
    case change(HubState)
  }

  enum Phase {
    /// → `opening`
    case idle
    /// An attempt is under way. → `greeting`, `waiting`, `closed`
    case opening
    /// `hello` is sent. → `connected`, `waiting`, `closing`, `closed`
    case greeting
    /// → `waiting`, `closing`, `closed`
    case connected(since: NIODeadline)
    /// → `opening`, `closed`
    case waiting(until: NIODeadline)
    /// The close frame is sent, or the attempt dropped. → `closed`
    case closing(HubError?)
    /// → `opening`
    case closed
  }

  let configuration: HubConfiguration
  let hello: [UInt8]
  var phase = Phase.idle
  var requests = RequestTable()
  var subscriptions: [ChannelName: ChannelSubscription] = [:]
  /// No subscription waits for an earlier time; nil when none waits for any.
  var nextSubscriptionCheck: NIODeadline?
  var silence: Silence?
  private var backoff: Backoff
  /// Whether any attempt succeeded since `connect`: from then on the client comes back by itself.
  private var hasConnected = false
  /// The delay that the hub asked for before it ended the connection (protocol, `drain`).
  var drainDelay: Duration?
  package private(set) var attempt = 0

  /// - Parameter hello: the arguments of `hello`, JSON members with a comma in front.
  package init(configuration: HubConfiguration, hello: [UInt8]) {
    self.configuration = configuration
    self.hello = hello
    self.backoff = Backoff(configuration.backoff)
  }

  /// Whether requests go out at once.
  package var isConnected: Bool {
    if case .connected = phase { true } else { false }
  }

  /// Whether nothing is under way, so that `connect` may be called.
  package var isResting: Bool {
    switch phase {
    case .idle, .closed: true
    case .opening, .greeting, .connected, .waiting, .closing: false
    }
  }

  /// Whether the app listens to `channel`.
  package func isSubscribed(to channel: ChannelName) -> Bool { subscriptions[channel] != nil }

  /// Where the reader of `channel` stands; nil before the hub said yes.
  package func position(in channel: ChannelName) -> HubPosition? {
    subscriptions[channel]?.position
  }

  /// When `timePassed` must be called at the latest; nil when nothing is waited for.
  package var nextDeadline: NIODeadline? {
    var deadline = requests.nextDeadline
    func take(_ other: NIODeadline?) {
      if let other { deadline = min(deadline ?? other, other) }
    }
    if case .waiting(let until) = phase { take(until) }
    take(silence?.nextCheck)
    take(nextSubscriptionCheck)
    return deadline
  }
}

// MARK: - The connection

extension ClientMachine {
  /// The app wants a connection. Nothing unless it rests.
  package mutating func connect() -> [Action] {
    guard isResting else { return [] }
    hasConnected = false
    return open()
  }

  private mutating func open() -> [Action] {
    phase = .opening
    attempt += 1
    return [.change(.connecting), .open(attempt: attempt)]
  }

  /// The WebSocket is open: sign in.
  package mutating func opened(_ now: NIODeadline) -> [Action] {
    guard case .opening = phase else { return [] }
    phase = .greeting
    drainDelay = nil
    let id = requests.makeID()
    let bytes = RequestText.encode(id: id, operation: "hello", members: hello)
    add(id, .hello, bytes, isRepeatable: true, now)
    return requests.send(id).map { [.send($0)] } ?? []
  }

  /// The hub said yes to `hello`: ask for the subscriptions again, then send what had to wait.
  mutating func greeted(_ session: HubSession, _ now: NIODeadline) -> [Action] {
    phase = .connected(since: now)
    silence = Silence(
      limit: TimeAmount(session.heartbeat) + TimeAmount(configuration.silenceAllowance), now)
    var actions: [Action] = [.change(.connected(session))]
    if hasConnected { actions.append(.tell(.reset(nil))) }
    hasConnected = true
    for channel in subscriptions.keys.sorted() { actions += ask(channel, now) }
    for id in requests.waitingCalls() {
      if let bytes = requests.send(id) { actions.append(.send(bytes)) }
    }
    return actions
  }

  /// The attempt failed, or the connection is gone: come back, or give up.
  package mutating func ended(
    _ end: LinkEnd, _ now: NIODeadline, random: inout some RandomNumberGenerator
  ) -> [Action] {
    switch phase {
    case .idle, .waiting, .closed: return []
    case .closing(let error): return finish(error)
    case .opening, .greeting: break
    case .connected(let since): backoff.ended(after: Duration(now - since))
    }
    if !hasConnected { return finish(ClosePolicy.error(for: end)) }
    if let error = ClosePolicy.verdict(on: end) { return finish(error) }
    let drawn = backoff.next(using: &random)
    let delay = drainDelay.map { max($0, .milliseconds(1)) } ?? drawn
    phase = .waiting(until: now + TimeAmount(delay))
    let reason = ClosePolicy.error(for: end)
    return disconnect(reason) + [.change(.waiting(for: delay))]
  }

  /// The app wants no connection any more.
  package mutating func close() -> [Action] {
    switch phase {
    case .idle, .closed, .closing: return []
    case .waiting: return finish(nil)
    case .opening:
      phase = .closing(nil)
      return [.abort("closed while connecting")]
    case .greeting, .connected:
      phase = .closing(nil)
      silence = nil
      return [.sendClose]
    }
  }

  /// The end for good: whoever waits is told.
  private mutating func finish(_ error: HubError?) -> [Action] {
    phase = .closed
    silence = nil
    let reason = error ?? HubError(HubError.closed, "the connection is closed")
    var actions: [Action] = []
    for request in requests.removeAll() where request.purpose == .caller {
      actions.append(.finish(request.id, .failure(reason)))
    }
    for channel in subscriptions.keys.sorted() { actions.append(.end(channel, error)) }
    subscriptions.removeAll()
    return actions + [.change(.closed(error))]
  }

  private mutating func disconnect(_ reason: HubError) -> [Action] {
    silence = nil
    for channel in subscriptions.keys { subscriptions[channel]?.phase = .offline }
    return requests.disconnected().compactMap { request in
      guard request.purpose == .caller else { return nil }
      let sentence = "\(reason.message); the request may have been done"
      return .finish(request.id, .failure(HubError(HubError.connectionLost, sentence)))
    }
  }
}

// MARK: - Time

extension ClientMachine {
  /// Looks at every deadline that has passed.
  /// - Parameter hasHeard: whether any bytes came since the last call.
  package mutating func timePassed(_ now: NIODeadline, hasHeard: Bool) -> [Action] {
    if case .waiting(let until) = phase, until <= now {
      return open() + expire(now) + checkSubscriptions(now)
    }
    if silence?.isTooLong(now, hasHeard: hasHeard) == true {
      silence = nil
      return [.abort("nothing was heard from the hub for too long")]
    }
    return expire(now) + checkSubscriptions(now)
  }

  private mutating func expire(_ now: NIODeadline) -> [Action] {
    var actions: [Action] = []
    for request in requests.expire(now) {
      switch request.purpose {
      case .caller: actions.append(.finish(request.id, .failure(.late(configuration))))
      case .hello: actions.append(.abort("the hub did not answer hello in time"))
      case .subscription(let channel): actions += late(channel, request.id)
      }
    }
    return actions
  }
}
