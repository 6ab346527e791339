import DequeModule
import HashTreeCollections
package import HubProtocol

/// The newest messages of one channel, in memory: at most 1,000, and at most 1 MiB of them, with
/// who reacted to them. What lies below is asked of history.
package struct MessageWindow: Sendable {
  /// Messages kept at most.
  package static let messageLimit = 1_000
  /// `weight` kept at most; the newest message always stays.
  package static let weightLimit = 1024 * 1024
  /// What one reaction of one person counts for.
  static let reactorWeight = 16

  /// Who made each of a message's reactions, in the order of `Message.reactions`.
  typealias Reactors = [TreeSet<UserRef>]

  private var messages: Deque<Message> = []
  private(set) var reactors: [Int: Reactors] = [:]
  /// All messages kept, oldest first.
  var kept: Deque<Message> { messages }
  /// Bytes of memory, about.
  package private(set) var weight = 0
  /// The newest `rev` of a message that is no longer kept: who has seen less cannot be told from
  /// the window what has changed.
  package private(set) var forgottenRev = 0

  package init() {}

  /// A window that has let messages go.
  init(forgottenRev: Int) {
    self.forgottenRev = forgottenRev
  }

  /// Number of the oldest message kept; nil when there is none.
  package var firstSeq: Int? { messages.first?.seq }
  /// The newest message kept.
  package var last: Message? { messages.last }

  /// Takes the message after the newest one, and lets the oldest go where the window is full.
  package mutating func append(_ message: Message) {
    precondition(
      messages.last.map { $0.seq + 1 == message.seq } ?? true, "messages come without holes")
    messages.append(message)
    weight += message.weight
    shrink()
  }

  /// The message of that number, if it is kept.
  package subscript(seq: Int) -> Message? {
    guard let index = index(of: seq) else { return nil }
    return messages[index]
  }

  /// Puts the message's new state in the place of the old; false when it is not kept. A deleted
  /// message's reactions go.
  package mutating func replace(_ message: Message) -> Bool {
    guard let index = index(of: message.seq) else { return false }
    weight += message.weight - messages[index].weight
    messages[index] = message
    if message.isDeleted, let gone = reactors.removeValue(forKey: message.seq) {
      weight -= Self.weight(of: gone)
    }
    shrink()
    return true
  }

  /// The messages of `range` that are kept, oldest first.
  package func messages(in range: ClosedRange<Int>) -> [Message] {
    guard let first = messages.first?.seq, let last = messages.last?.seq,
      range.overlaps(first...last)
    else { return [] }
    let kept = range.clamped(to: first...last)
    return Array(messages[(kept.lowerBound - first)...(kept.upperBound - first)])
  }

  /// The messages up to `seq` that were changed after `rev`, oldest first; nil when some of them
  /// may be gone.
  package func changed(after rev: Int, upTo seq: Int) -> [Message]? {
    guard rev >= forgottenRev else { return nil }
    return messages.prefix { $0.seq <= seq }.filter { $0.rev > rev }
  }

  /// Lets all messages go.
  package mutating func removeAll() {
    for message in messages { forgottenRev = max(forgottenRev, message.rev) }
    messages = []
    reactors = [:]
    weight = 0
  }

  private mutating func shrink() {
    while messages.count > Self.messageLimit || (weight > Self.weightLimit && messages.count > 1) {
      let oldest = messages.removeFirst()
      weight -= oldest.weight
      forgottenRev = max(forgottenRev, oldest.rev)
      if let gone = reactors.removeValue(forKey: oldest.seq) { weight -= Self.weight(of: gone) }
    }
  }

  private func index(of seq: Int) -> Int? {
    guard let first = messages.first?.seq, seq >= first, seq - first < messages.count else {
      return nil
    }
    return seq - first
  }

  private static func weight(of reactors: Reactors) -> Int {
    reactors.reduce(0) { $0 + $1.count * reactorWeight }
  }
}

/// Reactions: one for each user, message and word (protocol, "Messages").
extension MessageWindow {
  /// The words that a user has put to a message.
  func reactions(of user: UserRef, to message: Message) -> [String] {
    guard let reactors = reactors[message.seq] else { return [] }
    return zip(message.reactions, reactors).compactMap { counted, users in
      users.contains(user) ? counted.reaction : nil
    }
  }

  /// Whether a user has put that word to a message.
  func hasReacted(_ user: UserRef, to message: Message, with reaction: String) -> Bool {
    guard let place = message.reactions.firstIndex(where: { $0.isOf(reaction) }) else {
      return false
    }
    return reactors[message.seq]?[place].contains(user) ?? false
  }

  /// Puts or takes back a reaction that is not there or is, and counts it again; answers the
  /// message's new state.
  mutating func react(
    _ user: UserRef, to message: Message, with reaction: String, isOn: Bool, rev: Int
  ) -> Message {
    var counts = message.reactions
    // Taken out while it changes, so that it is not copied.
    var users = reactors.removeValue(forKey: message.seq) ?? []
    let place = counts.firstIndex { $0.isOf(reaction) } ?? counts.endIndex
    if place == counts.endIndex {
      counts.append(ReactionCount(reaction, 0))
      users.append([])
    }
    if isOn { users[place].insert(user) } else { users[place].remove(user) }
    counts[place] = ReactionCount(reaction, users[place].count)
    if users[place].isEmpty {
      counts.remove(at: place)
      users.remove(at: place)
    }
    reactors[message.seq] = users.isEmpty ? nil : users
    weight += isOn ? Self.reactorWeight : -Self.reactorWeight
    let after = message.reacted(counts, rev: rev)
    _ = replace(after)
    return after
  }

  /// Puts in who reacted to a message, as it was stored; false when the counts do not fit.
  mutating func restore(_ stored: [[UserRef]], to message: Message) -> Bool {
    let users = stored.map { TreeSet($0) }
    guard !users.isEmpty else { return message.reactions.isEmpty }
    guard users.map(\.count) == message.reactions.map(\.count), index(of: message.seq) != nil else {
      return false
    }
    reactors[message.seq] = users
    weight += Self.weight(of: users)
    return true
  }
}
