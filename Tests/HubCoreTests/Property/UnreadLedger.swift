import HubProtocol

/// Who has to read what, counted again from the messages whenever a number is wanted.
struct UnreadLedger {
  struct Message {
    let author: String
    var mentions: Set<String>
    var mentionsAll = false
    var isDeleted = false
  }

  struct Room {
    let kind: ChannelKind
    var messages: [Message] = []
    /// Read pointers of the members.
    var members: [String: Int] = [:]
  }

  var rooms: [String: Room] = [:]
  /// Whom each user has blocked.
  var blocked: [String: Set<String>] = [:]
  /// Until when each user has muted a channel.
  var muted: [String: [String: Int]] = [:]
  /// Channels muted in each user's settings.
  var listed: [String: Set<String>] = [:]
  /// Those whom somebody has blocked at any time: they are told nothing of it.
  var everBlocked: Set<String> = []

  /// Unread messages of one channel, and those among them that mention the user.
  func count(_ user: String, in name: String) -> (unread: Int, mentions: Int) {
    guard let room = rooms[name], let read = room.members[user] else { return (0, 0) }
    let unread = room.messages.dropFirst(read).filter {
      $0.author != user && !$0.isDeleted && !isHidden($0.author, from: user)
    }
    let mentions = unread.filter {
      ($0.mentionsAll || $0.mentions.contains(user)) && !isHidden(user, from: $0.author)
    }
    return (unread.count, mentions.count)
  }

  /// All that is unread in channels that are not muted.
  func total(of user: String, at wall: Int) -> Int {
    var total = 0
    for (name, room) in rooms where room.kind != .broadcast && !isMuted(name, by: user, at: wall) {
      total += count(user, in: name).unread
    }
    return total
  }

  func isMuted(_ name: String, by user: String, at wall: Int) -> Bool {
    muted[user]?[name].map { wall < $0 } ?? false || listed[user]?.contains(name) ?? false
  }

  private func isHidden(_ author: String, from user: String) -> Bool {
    blocked[user]?.contains(author) ?? false
  }

  mutating func join(_ user: String, _ name: String) {
    guard let room = rooms[name], room.members[user] == nil else { return }
    rooms[name]?.members[user] = room.messages.count
  }

  /// Muting goes with the membership, but not what stands in the settings.
  mutating func leave(_ user: String, _ name: String) {
    rooms[name]?.members[user] = nil
    muted[user]?[name] = nil
    if rooms[name]?.kind == .group, rooms[name]?.members.isEmpty == true { end(name) }
  }

  mutating func end(_ name: String) {
    rooms[name] = nil
    for user in muted.keys { muted[user]?[name] = nil }
  }

  mutating func send(_ message: Message, to name: String) {
    rooms[name]?.messages.append(message)
    let seq = rooms[name]?.messages.count
    rooms[name]?.members[message.author] = seq
  }

  mutating func read(_ user: String, _ name: String, upTo seq: Int) {
    guard let read = rooms[name]?.members[user] else { return }
    rooms[name]?.members[user] = max(read, seq)
  }

  mutating func readUnread(_ user: String, _ name: String, _ seq: Int) {
    guard let read = rooms[name]?.members[user] else { return }
    rooms[name]?.members[user] = min(read, seq - 1)
  }
}
