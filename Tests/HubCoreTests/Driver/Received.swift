import HubCore
import HubProtocol

/// One thing that came to a connection.
enum Received {
  case reply(RequestID, Reply)
  case refusal(RequestID, Refusal)
  case event(Event)
  case closed(CloseCode)

  /// Nil for a success nobody asked to hear of.
  init?(_ answer: Answer) {
    switch answer {
    case .silent: return nil
    case .reply(let id, let reply): self = .reply(id, reply)
    case .refusal(let id, let refusal): self = .refusal(id, refusal)
    case .refusalEvent(let op, let refusal): self = .event(.error(op: op, refusal))
    }
  }

  /// The request that this answers.
  var id: RequestID? {
    switch self {
    case .reply(let id, _), .refusal(let id, _): id
    case .event, .closed: nil
    }
  }

  var isEvent: Bool {
    switch self {
    case .event: true
    case .reply, .refusal, .closed: false
    }
  }
}

extension Received {
  /// The line, and behind it the messages of a page in their present state.
  var detail: String {
    switch self {
    case .reply(_, .subscribed(let reply)): description + " {\(Line.list(reply.messages))}"
    case .reply(_, .history(let messages, _)): description + " {\(Line.list(messages))}"
    case .reply, .refusal, .event, .closed: description
    }
  }
}

extension Received: CustomStringConvertible {
  var description: String {
    switch self {
    case .reply(_, let reply): Line.of(reply)
    case .refusal(_, let refusal): "refused \(refusal.code.rawValue)"
    case .event(let event): Line.of(event)
    case .closed(let code): "closed \(code.rawValue)"
    }
  }
}
