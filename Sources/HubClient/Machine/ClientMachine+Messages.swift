package import HubProtocol
package import NIOCore

extension ClientMachine {
  /// The app asks for something. It goes out at once, or with the next connection.
  /// - Parameter isRepeatable: whether it is sent again when the connection ends before the answer.
  package mutating func request(
    _ id: RequestID, bytes: [UInt8], isRepeatable: Bool, _ now: NIODeadline
  ) -> [Action] {
    if let error = admit(bytes) { return [.finish(id, .failure(error))] }
    add(id, .caller, bytes, isRepeatable: isRepeatable, now)
    guard isConnected, let bytes = requests.send(id) else { return [] }
    return [.send(bytes)]
  }

  /// A fresh id for `request`.
  package mutating func makeID() -> RequestID { requests.makeID() }

  /// The app waits no longer. What was sent is done all the same.
  package mutating func cancel(_ id: RequestID) -> [Action] {
    guard requests.remove(id) != nil else { return [] }
    let error = HubError(HubError.cancelled, "the task was cancelled")
    return [.finish(id, .failure(error))]
  }

  private func admit(_ bytes: [UInt8]) -> HubError? {
    switch phase {
    case .idle: return HubError(HubError.closed, "not connected yet: call connect() first")
    case .closed, .closing: return HubError(HubError.closed, "the connection is closed")
    case .opening, .greeting, .connected, .waiting: break
    }
    guard bytes.count <= Limits.messageBytes else {
      let sentence = "a request must not exceed \(Limits.messageBytes) bytes"
      return HubError(ErrorCode.tooLarge.rawValue, sentence)
    }
    guard requests.count < configuration.maxPendingRequests else {
      let sentence = "\(requests.count) requests are unanswered already"
      return HubError(HubError.tooManyRequests, sentence)
    }
    return nil
  }

  mutating func add(
    _ id: RequestID, _ purpose: RequestTable.Purpose, _ bytes: [UInt8], isRepeatable: Bool,
    _ now: NIODeadline
  ) {
    requests.add(
      RequestTable.Pending(
        id: id, purpose: purpose, bytes: bytes,
        deadline: now + TimeAmount(configuration.requestDeadline), isRepeatable: isRepeatable))
  }

  /// A text message of the hub. What is neither reply nor event of any version is ignored.
  package mutating func received(_ bytes: [UInt8], _ now: NIODeadline) -> [Action] {
    switch Incoming(bytes) {
    case .reply(let id, let result): replied(id, result, now)
    case .event(let event): received(event, now)
    case nil: []
    }
  }

  private mutating func replied(
    _ id: RequestID, _ result: Result<HubJSON, HubError>, _ now: NIODeadline
  ) -> [Action] {
    guard let request = requests.remove(id) else { return [] }
    switch request.purpose {
    case .caller: return [.finish(id, result)]
    case .hello: return repliedToHello(result, now)
    case .subscription(let channel):
      guard subscriptions[channel]?.phase == .asking(id) else { return [] }
      return repliedToSubscribe(channel, result, now)
    }
  }

  private mutating func repliedToHello(
    _ result: Result<HubJSON, HubError>, _ now: NIODeadline
  ) -> [Action] {
    guard case .greeting = phase else { return [] }
    switch result {
    case .success(let json):
      guard let session = HubSession(json: json) else {
        phase = .closing(.badReply(to: "hello"))
        return [.sendClose]
      }
      return greeted(session, now)
    case .failure(let error):
      if error.mayPass { return [.abort("hello was refused: \(error)")] }
      phase = .closing(error)
      return [.sendClose]
    }
  }

  private mutating func received(_ event: HubEvent, _ now: NIODeadline) -> [Action] {
    var actions: [Action] = [.tell(.event(event))]
    if case .drain(let delay) = event.body { drainDelay = delay }
    guard let channel = event.channel.flatMap({ ChannelName($0) }),
      let verdict = subscriptions[channel]?.received(event)
    else { return actions }
    switch verdict {
    case .tell: actions.append(.yield(channel, .event(event)))
    case .drop: break
    case .recover: actions += ask(channel, now)
    case .tellAndRecover: actions += [.yield(channel, .event(event))] + ask(channel, now)
    case .end:
      let held = subscriptions[channel]?.takeHeld() ?? []
      subscriptions[channel] = nil
      actions += (held + [.event(event)]).map { .yield(channel, $0) }
      actions.append(.end(channel, nil))
    }
    return actions
  }
}

// MARK: - Subscriptions

extension ClientMachine {
  /// The app subscribes. It is told the outcome by `begin` or `end`.
  package mutating func subscribe(
    to channel: ChannelName, since: HubPosition?, newest: Int, _ now: NIODeadline
  ) -> [Action] {
    if let error = admit([]) { return [.end(channel, error)] }
    let deadline = now + TimeAmount(configuration.requestDeadline)
    subscriptions[channel] = ChannelSubscription(
      channel: channel, since: since, newest: newest, beginsBy: deadline)
    check(at: deadline)
    return isConnected ? ask(channel, now) : []
  }

  /// The app no longer listens. The hub is told by a request of its own.
  package mutating func forget(_ channel: ChannelName) -> [Action] {
    subscriptions.removeValue(forKey: channel) == nil ? [] : [.end(channel, nil)]
  }

  /// Asks the hub for a channel from where its reader stands.
  mutating func ask(_ channel: ChannelName, _ now: NIODeadline) -> [Action] {
    guard let subscribe = subscriptions[channel]?.request else { return [] }
    let id = requests.makeID()
    let bytes = RequestEncoder.encode(Request(id: id, operation: .subscribe(subscribe)))
    add(id, .subscription(channel), bytes, isRepeatable: true, now)
    subscriptions[channel]?.phase = .asking(id)
    return requests.send(id).map { [.send($0)] } ?? []
  }

  private mutating func repliedToSubscribe(
    _ channel: ChannelName, _ result: Result<HubJSON, HubError>, _ now: NIODeadline
  ) -> [Action] {
    let isFirst = subscriptions[channel]?.isConfirmed == false
    switch result {
    case .success(let json):
      guard let updates = subscriptions[channel]?.replied(json) else {
        return drop(channel, .badReply(to: "subscribe"))
      }
      return (isFirst ? [.begin(channel)] : []) + updates.map { .yield(channel, $0) }
    case .failure(let error):
      guard error.mayPass, !isFirst else { return drop(channel, error) }
      let delay = error.retryAfter ?? .seconds(1)
      let again = now + TimeAmount(delay)
      subscriptions[channel]?.phase = .delayed(until: again)
      check(at: again)
      return []
    }
  }

  private mutating func drop(_ channel: ChannelName, _ error: HubError) -> [Action] {
    subscriptions[channel] = nil
    return [.end(channel, error)]
  }

  /// The hub left the request `id` unanswered: a subscription that was alive needs a better
  /// connection. New ones have a deadline of their own.
  mutating func late(_ channel: ChannelName, _ id: RequestID) -> [Action] {
    guard let subscription = subscriptions[channel], subscription.isConfirmed,
      subscription.phase == .asking(id)
    else { return [] }
    return [.abort("the hub did not answer subscribe in time")]
  }

  private mutating func check(at time: NIODeadline) {
    nextSubscriptionCheck = min(nextSubscriptionCheck ?? time, time)
  }

  /// Subscriptions that did not begin in time fail; those whose delay is over are asked for again.
  mutating func checkSubscriptions(_ now: NIODeadline) -> [Action] {
    guard let next = nextSubscriptionCheck, next <= now else { return [] }
    var actions: [Action] = []
    for (channel, subscription) in subscriptions {
      if let deadline = subscription.beginsBy, deadline <= now {
        actions += drop(channel, .late(configuration))
      } else if case .delayed(let until) = subscription.phase, until <= now {
        actions += ask(channel, now)
      }
    }
    nextSubscriptionCheck = nil
    for subscription in subscriptions.values {
      if let time = subscription.nextCheck { check(at: time) }
    }
    return actions
  }
}

extension HubError {
  /// Whether the hub may answer the same question otherwise in a moment.
  var mayPass: Bool {
    let codes: [ErrorCode] = [.rateLimited, .unavailable, .internal]
    return origin == .hub && codes.contains { $0.rawValue == code }
  }

  static func late(_ configuration: HubConfiguration) -> HubError {
    HubError(timedOut, "no answer within \(configuration.requestDeadline)")
  }
}
