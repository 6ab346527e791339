import HubProtocol
import SeededRandom

/// One thing that a connection asks, in the words of the random tests.
enum Step {
  case create(String, ChannelKind, [String])
  case join(String)
  case leave(String)
  case add(String, [String])
  case open(String)
  case send(String, String, key: String?, mention: String?)
  case read(String, Int)
  case delivered(String, Int)
  case subscribe(String, limit: Int)
  /// From a position whose epoch is the channel's, or another.
  case recover(String, Position, isRightEpoch: Bool)
  case unsubscribe(String)
  case before(String, Int, limit: Int)
  case after(String, Int, limit: Int)
  case get(String)

  /// Whether it goes through the log, and so is given a time.
  var isRecorded: Bool {
    switch self {
    case .create, .join, .leave, .add, .open, .send, .read, .delivered: true
    case .subscribe, .recover, .unsubscribe, .before, .after, .get: false
    }
  }

  func ask(_ client: Client) {
    switch self {
    case .create(let name, let kind, let members): client.create(name, kind, members: members)
    case .join(let name): client.join(name)
    case .leave(let name): client.leave(name)
    case .add(let name, let users): client.add(name, users)
    case .open(let other): client.openDirect(other)
    case .send(let name, let text, let key, let mention):
      client.send(name, text, key: key, mentions: mention.map { [$0] } ?? [])
    case .read(let name, let seq): client.read(name, seq)
    case .delivered(let name, let seq): client.delivered(name, seq)
    case .subscribe(let name, let limit): client.subscribe(name, limit: limit)
    case .recover(let name, let position, _): client.subscribe(name, since: position)
    case .unsubscribe(let name): client.unsubscribe(name)
    case .before(let name, let seq, let limit): client.history(name, .before(seq), limit: limit)
    case .after(let name, let seq, let limit): client.history(name, .after(seq), limit: limit)
    case .get(let name): client.get(name)
    }
  }
}
