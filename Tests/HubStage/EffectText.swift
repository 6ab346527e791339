import HubCore
import HubProtocol

/// Effects as lines of text, the same whatever order hashes give to what has none.
struct EffectText {
  private var encoder = WireEncoder(capacity: 1_024)

  mutating func line(_ effect: Effect) -> String {
    switch effect {
    case .answer(let connection, let answer, _): "answer \(connection.slot) " + text(answer)
    case .tell(let connection, let event): "to \([connection.slot]) " + text(event)
    case .tellEach(let connections, let event):
      "to \(connections.map(\.slot).sorted()) " + text(event)
    case .publish(let channel, _, let event, let variants):
      "in \(channel.index) " + text(event) + text(variants)
    case .greeted(let connection, let user): "greeted \(connection.slot) as \(user.index)"
    case .subscribed(let connection, let channel): "in \(channel.index): \(connection.slot)"
    case .unsubscribed(let connection, let channel): "in \(channel.index): no \(connection.slot)"
    case .close(let connection, let code): "close \(connection.slot) \(code)"
    case .ask(let query, _): "ask \(query)"
    case .takeSnapshot: "snapshot"
    case .backUp(let directory, _): "backup \(directory)"
    }
  }

  /// Who gets which form of a published event, or none.
  private mutating func text(_ variants: [Variant]) -> String {
    var lines: [String] = []
    for variant in variants {
      let users = variant.users.map(\.index).sorted()
      lines.append("but \(users) " + (variant.event.map { text($0) } ?? "nothing"))
    }
    return lines.sorted().map { " " + $0 }.joined()
  }

  private mutating func text(_ answer: Answer) -> String {
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

  private mutating func text(_ event: Event) -> String {
    encoder.begin(reserving: 0)
    encoder.encode(event)
    return String(decoding: encoder.bytes, as: UTF8.self)
  }
}
