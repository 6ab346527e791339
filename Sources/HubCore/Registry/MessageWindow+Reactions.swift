import HashTreeCollections
import HubProtocol

/// Reactions: one for each user, message and word (protocol, "Messages").
extension MessageWindow {
  /// The words that a user has put to a message.
  func reactions(of user: UserRef, to message: Message) -> [String] {
    guard let reactors = reactors[message.seq] else { return [] }
    return zip(message.reactions, reactors).compactMap { counted, users in
      users.contains(user) ? counted.reaction : nil
    }
  }

  /// Who has put a word to a message, ascending.
  func reactors(to message: Message) -> [UserRef] {
    Set((reactors[message.seq] ?? []).joined()).sorted()
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
    var users = takeReactors(of: message.seq)
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
    setReactors(users, of: message.seq)
    let after = message.reacted(counts, rev: rev)
    _ = replace(after)
    return after
  }

  /// Puts in who reacted to a message, as it was stored; false when the counts do not fit.
  mutating func restore(_ stored: [[UserRef]], to message: Message) -> Bool {
    guard stored.map(\.count) == message.reactions.map(\.count), self[message.seq] != nil else {
      return false
    }
    setReactors(stored.map { TreeSet($0) }, of: message.seq)
    return true
  }

  /// The message with everything that history keeps of it.
  func stored(_ message: Message, in channel: ChannelRef, author: UserRef) -> StoredMessage {
    StoredMessage(
      channel: channel, author: author, message: message, sets: reactors[message.seq] ?? [])
  }
}
