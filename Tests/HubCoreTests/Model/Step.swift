import HubProtocol
import SeededRandom

/// One thing that a connection asks, in the words of the random tests.
enum Step {
  case create(String, ChannelKind, [String])
  case delete(String)
  case join(String)
  case leave(String)
  case open(String)
  case moderate(String, Moderation)
  case send(String, String, key: String?, mention: String?, replyTo: Int?)
  case change(String, Int, Change)
  case read(String, Int)
  case delivered(String, Int)
  case readUnread(String, Int)
  case subscribe(String, limit: Int)
  /// From a position whose epoch is the channel's, or another.
  case recover(String, Position, isRightEpoch: Bool)
  case unsubscribe(String)
  case before(String, Int, limit: Int)
  case after(String, Int, limit: Int)
  case thread(String, Int)
  case get(String)

  /// What moderators do.
  enum Moderation {
    case add([String])
    case remove([String])
    case appoint(String, Role)
    case ban(String)
    case unban(String)
  }

  /// What is done to a message that is there.
  enum Change {
    case edit(String, mention: String?)
    case delete
    case react(String, on: Bool)
  }

  /// Whether it goes through the log, and so is given a time.
  var isRecorded: Bool {
    switch self {
    case .create, .delete, .join, .leave, .open, .moderate, .send, .change, .read, .delivered,
      .readUnread:
      true
    case .subscribe, .recover, .unsubscribe, .before, .after, .thread, .get: false
    }
  }

  /// The answer's line, or `pending`.
  @discardableResult
  func ask(_ client: Client) -> String {
    switch self {
    case .create(let name, let kind, let members): client.create(name, kind, members: members)
    case .delete(let name): client.delete(name)
    case .join(let name): client.join(name)
    case .leave(let name): client.leave(name)
    case .open(let other): client.openDirect(other)
    case .moderate(let name, let moderation): moderation.ask(client, name)
    case .send(let name, let text, let key, let mention, let replyTo):
      client.send(
        name, text, key: key, mentions: mention.map { [$0] } ?? [], replyTo: replyTo)
    case .change(let name, let seq, let change): change.ask(client, name, seq)
    case .read(let name, let seq): client.read(name, seq)
    case .delivered(let name, let seq): client.delivered(name, seq)
    case .readUnread(let name, let seq): client.readUnread(name, seq)
    case .subscribe(let name, let limit): client.subscribe(name, limit: limit)
    case .recover(let name, let position, _): client.subscribe(name, since: position)
    case .unsubscribe(let name): client.unsubscribe(name)
    case .before(let name, let seq, let limit): client.history(name, .before(seq), limit: limit)
    case .after(let name, let seq, let limit): client.history(name, .after(seq), limit: limit)
    case .thread(let name, let seq): client.thread(name, seq)
    case .get(let name): client.get(name)
    }
  }
}

extension Step.Moderation {
  fileprivate func ask(_ client: Client, _ name: String) -> String {
    switch self {
    case .add(let users): client.add(name, users)
    case .remove(let users): client.remove(name, users)
    case .appoint(let user, let role): client.appoint(name, user, role)
    case .ban(let user): client.ban(name, user)
    case .unban(let user): client.unban(name, user)
    }
  }

  /// Something that concerns some of these.
  static func random(of names: [String], _ random: inout SplitMix64) -> Self {
    let name = random.pick(names)
    return switch random.below(7) {
    case 0, 1: .add(names.filter { _ in random.oneIn(3) })
    case 2: .remove(names.filter { _ in random.oneIn(4) })
    case 3, 4: .appoint(name, random.pick(Role.allCases))
    case 5: .ban(name)
    default: .unban(name)
    }
  }
}

extension Step.Change {
  fileprivate func ask(_ client: Client, _ name: String, _ seq: Int) -> String {
    switch self {
    case .edit(let text, let mention):
      client.edit(name, seq, text, mentions: mention.map { [$0] } ?? [])
    case .delete: client.delete(name, seq)
    case .react(let word, let on): client.react(name, seq, word, on: on)
    }
  }

  /// Something that mentions one of these.
  static func random(of names: [String], _ random: inout SplitMix64) -> Self {
    switch random.below(6) {
    case 0, 1:
      .edit("text\(random.below(3))", mention: random.oneIn(3) ? random.pick(names) : nil)
    case 2: .delete
    default: .react(random.pick(["a", "b", "c"]), on: !random.oneIn(3))
    }
  }
}
