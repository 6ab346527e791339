import HashTreeCollections
import HubProtocol

/// Admission: what came is checked as far as no pending record could change the verdict, stamped,
/// and put into the pipeline.
extension Hub {
  /// Takes what came from a connection. What comes behind a `hello` that has not taken effect, or
  /// behind a request for which something is being loaded, waits for it.
  package mutating func receive(_ arrival: Arrival, at moment: Moment) {
    let connection = arrival.connection
    var session = sessions[connection] ?? makeSession(at: moment)
    if session.isEnded {
      if arrival.isClosing { sessions[connection] = nil }
      return
    }
    if session.keepWaiting(arrival) {
      sessions[connection] = session
      return
    }
    if session.isViolator, !arrival.isClosing { return }
    let verdict = limit(arrival, &session, at: moment)
    sessions[connection] = session
    switch verdict {
    case .pass:
      admit(arrival, of: session, at: moment)
    case .refuse(let wait):
      let refusal = Refusal(
        .rateLimited, "at most \(configuration.requestsPerSecond ?? 0) requests a second",
        retryAfterMilliseconds: wait)
      append(.refusal(refusal), arrival.origin, of: session)
    case .close:
      violate(.tooManyRequests, arrival.origin, of: session)
    }
  }

  private func makeSession(at moment: Moment) -> Session {
    var session = Session()
    session.limiter = configuration.requestsPerSecond.map {
      RateLimiter(perSecond: $0, uptime: moment.uptime)
    }
    return session
  }

  private func limit(
    _ arrival: Arrival, _ session: inout Session, at moment: Moment
  ) -> RateLimiter.Verdict {
    switch arrival {
    case .violation, .closed: .pass
    case .hello, .refresh, .request, .refused:
      session.limiter?.admit(uptime: moment.uptime) ?? .pass
    }
  }

  private mutating func admit(_ arrival: Arrival, of session: Session, at moment: Moment) {
    switch arrival {
    case .hello(let connection, _, let identity, let since, _):
      guard session.user == nil else {
        let refusal = Refusal(.badRequest, "this connection has said hello before")
        return append(.refusal(refusal), arrival.origin, of: session)
      }
      let step = greeting(identity, since: since, at: moment)
      if !step.isRefusal { sessions[connection]?.phase = .greeting(waiting: []) }
      append(step, arrival.origin, of: session)
    case .refresh(_, _, let identity, _):
      let isKnown = session.user != nil
      append(
        isKnown ? .refresh(identity) : .refusal(.noHello), arrival.origin, of: session)
    case .request(_, let request, _):
      guard let user = session.user else {
        return append(.refusal(.noHello), arrival.origin, of: session)
      }
      if let (query, purpose) = load(for: request.operation, by: user, at: moment) {
        sessions[arrival.connection]?.phase = .loading(user, waiting: [])
        let read = PendingRead(origin: arrival.origin, user: user, purpose: purpose)
        return effects.append(.ask(query, read))
      }
      if request.operation.isAboutInbox { dropLost(of: user) }
      let facts = carried(by: request.operation)
      var origin = arrival.origin
      if request.operation.isDoneInParts {
        origin.holdsUp = true
        sessions[arrival.connection]?.phase = .loading(user, waiting: [])
      }
      append(step(request.operation, by: user, at: moment, facts), origin, of: session)
    case .refused(_, _, let op, let refusal, _):
      // A `hello` that is not well-formed is told what is wrong with it.
      let isKnown = session.user != nil || op == "hello"
      append(.refusal(isKnown ? refusal : .noHello), arrival.origin, of: session)
    case .violation(_, let code):
      violate(code, arrival.origin, of: session)
    case .closed:
      append(.disconnection, arrival.origin, of: session)
    }
  }

  private mutating func violate(_ code: CloseCode, _ origin: Origin, of session: Session) {
    sessions[origin.connection]?.isViolator = true
    append(.violation(code), origin, of: session)
  }

  mutating func append(_ step: Pipeline.Step, _ origin: Origin, of session: Session) {
    pipeline.append(Pipeline.Entry(origin: origin, user: session.user, step: step))
  }

  private mutating func greeting(
    _ identity: Result<Identity, Refusal>, since: String?, at moment: Moment
  ) -> Pipeline.Step {
    switch identity {
    case .failure(let refusal):
      return .badToken(refusal)
    case .success(let identity):
      guard let known = registry.userRefs[identity.user] else {
        if let writeRefusal { return .refusal(writeRefusal) }
        return .record(
          Record(
            ts: stamp(moment), change: .userAppeared(identity.user, identity.privilege)))
      }
      // A privilege never changes, so this cannot go stale.
      guard registry.users[known.index].privilege == identity.privilege else {
        return .badToken(.wrongPrivilege(identity.user))
      }
      return .greeting(identity, since: since)
    }
  }
}

extension Arrival {
  /// Where the arrival's answer goes.
  var origin: Origin {
    switch self {
    case .hello(let connection, let id, _, _, let bytes):
      Origin(connection: connection, id: id, op: "hello", bytes: bytes)
    case .refresh(let connection, let id, _, let bytes):
      Origin(connection: connection, id: id, op: "token.refresh", bytes: bytes)
    case .request(let connection, let request, let bytes):
      Origin(connection: connection, id: request.id, op: request.operation.name, bytes: bytes)
    case .refused(let connection, let id, let op, _, let bytes):
      Origin(connection: connection, id: id, op: op, bytes: bytes)
    case .violation(let connection, _), .closed(let connection):
      Origin(connection: connection, id: nil, op: nil, bytes: 0)
    }
  }
}

extension Refusal {
  fileprivate static var noHello: Refusal { Refusal(.unauthenticated, "say `hello` first") }
}
