import HubProtocol
import HubWebSocket
import NIOCore

/// Something that a hub sent.
enum Heard {
  case message(ServerMessage, bytes: Int)
  case ping
  case pong(String)
  case close(UInt16?)
  case nonsense(String)

  /// In short: `7 ok`, `7 not_member`, `message 3`, `close 4408`.
  var summary: String {
    switch self {
    case .message(.reply(let id, .success), _): "\(id.number) ok"
    case .message(.reply(let id, .failure(let refusal)), _): "\(id.number) \(refusal.code.rawValue)"
    case .message(.event(let name, let event), _): Self.summary(of: name, event)
    case .ping: "ping"
    case .pong(let text): "pong \(text)"
    case .close(let code): "close \(code ?? 0)"
    case .nonsense(let what): "nonsense: \(what)"
    }
  }

  /// Bytes of a text message.
  var bytes: Int {
    guard case .message(_, let bytes) = self else { return 0 }
    return bytes
  }

  /// What stands in `ok` of a reply.
  var ok: JSONObject? {
    guard case .message(.reply(_, .success(let ok)), _) = self else { return nil }
    return ok
  }

  private static func summary(of name: String, _ event: JSONObject) -> String {
    if let error = event.object("error")?.string("code") { return "\(name) \(error)" }
    return event.integer("seq").map { "\(name) \($0)" } ?? name
  }
}

/// Reads a hub's frames as a client does.
struct FrameListener: ~Copyable {
  private var decoder = MessageDecoder(expectsMask: false, maxMessageBytes: 1 << 24)
  private var heard: [Heard] = []

  init() {}

  mutating func hear(_ bytes: ByteBuffer) {
    var bytes = bytes
    while let unit = decoder.next(&bytes) { heard.append(Self.heard(unit)) }
  }

  /// What was heard since the last call.
  mutating func take() -> [Heard] {
    defer { heard = [] }
    return heard
  }

  private static func heard(_ unit: ReceivedUnit) -> Heard {
    switch unit {
    case .message(let message):
      let bytes = Array(message.payload.readableBytesView)
      return ServerMessage.decode(bytes).map { .message($0, bytes: bytes.count) }
        ?? .nonsense(String(buffer: message.payload))
    case .ping: return .ping
    case .pong(let payload): return .pong(String(buffer: payload))
    case .close(let frame): return .close(frame.code?.rawValue)
    case .violation(let violation): return .nonsense("\(violation)")
    }
  }
}
