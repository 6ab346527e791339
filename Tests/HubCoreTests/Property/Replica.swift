import HubProtocol

/// What a client that follows one channel believes of it: made of events and of recovery, as a
/// client would do it.
struct Replica {
  /// One message, as far as the client can know it.
  struct Entry: Equatable {
    var head = ""
    var replyTo: Int?
    var replies = 0
    /// In the order in which each first came.
    var reactions: [ReactionCount] = []
    var mine: Set<String> = []
    var isDeleted = false
    var isHidden = false

    var line: String {
      guard !isHidden else { return "hidden" }
      var line = head
      if replies > 0 { line += " replies \(replies)" }
      for reaction in reactions {
        line += " \(reaction.reaction)\(reaction.count)"
        if mine.contains(reaction.reaction) { line += "!" }
      }
      return line
    }
  }

  let user: String
  private(set) var epoch = ""
  private(set) var seq = 0
  private(set) var rev = 0
  private(set) var entries: [Int: Entry] = [:]
  /// How often recovery brought what was missed, and how often it could not.
  private(set) var recoveries = 0
  private(set) var losses = 0
  /// What came and should not have.
  private(set) var flaws: [String] = []

  init(user: String) { self.user = user }

  var position: Position { Position(epoch: epoch, seq: seq, rev: rev) }

  /// Takes what came to the client's connection.
  mutating func take(_ received: [Received]) {
    for item in received {
      switch item {
      case .reply(_, .subscribed(let reply)): take(reply)
      case .event(.message(let message, _)): append(message.seq, Self.entry(MessageView(message)))
      case .event(.hiddenMessage(_, let seq)): append(seq, Entry(isHidden: true))
      case .event(.messageChanged(let change)): take(change)
      case .event(.reaction(let change)): take(change)
      case .reply, .refusal, .event, .closed: break
      }
    }
  }

  private mutating func take(_ reply: SubscribeReply) {
    if reply.isRecovered { recoveries += 1 } else { losses += 1 }
    if !reply.isRecovered { entries = [:] }
    // What stands in the reply stands there with its replies counted.
    let counted = Set((reply.messages + (reply.changed ?? [])).map(\.message.seq))
    for view in reply.changed ?? [] {
      let seq = view.message.seq
      let wasDeleted = entries[seq]?.isDeleted ?? false
      entries[seq] = Self.entry(view)
      if view.message.isDeleted, !wasDeleted {
        count(-1, of: view.message.replyTo, besides: counted)
      }
    }
    for view in reply.messages {
      if reply.isRecovered, view.message.seq != seq + 1 { flaws.append("recovery has a hole") }
      seq = view.message.seq
      entries[seq] = Self.entry(view)
      if reply.isRecovered, !view.message.isDeleted {
        count(1, of: view.message.replyTo, besides: counted)
      }
    }
    if reply.isRecovered, seq != reply.seq { flaws.append("recovered to \(seq) of \(reply.seq)") }
    (epoch, seq, rev) = (reply.epoch, reply.seq, reply.rev)
  }

  private mutating func count(_ difference: Int, of parent: Int?, besides counted: Set<Int> = []) {
    guard let parent, !counted.contains(parent) else { return }
    entries[parent]?.replies += difference
  }

  private mutating func append(_ number: Int, _ entry: Entry) {
    if number != seq + 1 { flaws.append("message \(number) after \(seq)") }
    seq = number
    entries[number] = entry
    count(1, of: entry.replyTo)
  }

  private mutating func advance(_ number: Int) {
    if number != rev + 1 { flaws.append("rev \(number) after \(rev)") }
    rev = number
  }

  private mutating func take(_ change: MessageChange) {
    let message = change.message
    advance(message.rev)
    if message.isDeleted { count(-1, of: message.replyTo) }
    // Whether the reader has reacted does not stand in events.
    let mine = entries[message.seq]?.mine ?? []
    let left = message.reactions.map(\.reaction).filter(mine.contains)
    let view = MessageView(message, isHidden: change.isHidden, mine: left)
    if entries[message.seq] != nil { entries[message.seq] = Self.entry(view) }
  }

  private mutating func take(_ change: ReactionChange) {
    advance(change.rev)
    guard var entry = entries[change.seq] else { return }
    let place = entry.reactions.firstIndex { $0.reaction == change.reaction }
    let count = ReactionCount(change.reaction, change.count)
    if let place, change.count == 0 {
      entry.reactions.remove(at: place)
    } else if let place {
      entry.reactions[place] = count
    } else {
      entry.reactions.append(count)
    }
    if change.user.text == user, change.isOn { entry.mine.insert(change.reaction) }
    if change.user.text == user, !change.isOn { entry.mine.remove(change.reaction) }
    entries[change.seq] = entry
  }

  private static func entry(_ view: MessageView) -> Entry {
    let message = view.message
    var head = "\(message.user) " + (message.isDeleted ? "deleted" : message.content.text ?? "-")
    if message.editedTs != nil { head += " edited" }
    return Entry(
      head: head, replyTo: message.replyTo, replies: message.replyCount,
      reactions: message.reactions, mine: Set(view.mine), isDeleted: message.isDeleted,
      isHidden: view.isHidden)
  }
}
