import HubProtocol

/// A channel of the model: nothing but lists, counted again whenever a number is wanted.
struct Room {
  struct Member {
    let user: String
    var role: Role
    var read: Int
    var delivered: Int
  }

  let name: String
  let kind: ChannelKind
  /// Tells it from others that had the name before.
  let incarnation: Int
  var updated: Int
  /// In the order of joining.
  var members: [Member] = []
  var posts: [Post] = []
  var banned: Set<String> = []
  var rev = 0

  var seq: Int { posts.count }

  func place(of user: String) -> Int? { members.firstIndex { $0.user == user } }

  func member(_ user: String) -> Member? { members.first { $0.user == user } }

  /// Why the user may not know of the channel or see it; nil when they may.
  func refusal(to user: String) -> String? {
    if place(of: user) != nil { return nil }
    guard kind.isOpen else { return "not_found" }
    return banned.contains(user) ? "banned" : nil
  }

  func seq(ofKey key: String?, by user: String) -> Int? {
    guard let key else { return nil }
    return posts.firstIndex { $0.key == key && $0.user == user }.map { $0 + 1 }
  }

  mutating func join(_ user: String, as role: Role) {
    members.append(Member(user: user, role: role, read: seq, delivered: seq))
  }

  /// Whom the channel goes to when its owner has gone.
  var successor: Int? {
    members.firstIndex { $0.role == .moderator } ?? (members.isEmpty ? nil : 0)
  }

  /// Unread messages and mentions of a member.
  func unread(_ user: String) -> (unread: Int, mentions: Int) {
    guard let member = member(user) else { return (0, 0) }
    let unread = posts.dropFirst(member.read).filter { $0.user != user && !$0.isDeleted }
    return (unread.count, unread.filter { $0.mention == user }.count)
  }

  func summary(present: Int, for user: String?) -> String {
    let shared = "\(name) \(kind.rawValue) \(members.count) members \(present) present seq \(seq)"
    guard let member = user.flatMap(member) else { return shared }
    let (unread, mentions) = unread(member.user)
    return shared + " \(member.role.rawValue) read \(member.read) unread \(unread)/\(mentions)"
  }

  /// Numbers of messages, which must follow each other.
  static func range(_ seqs: [Int]) -> String {
    guard let first = seqs.first, let last = seqs.last else { return "none" }
    guard seqs.count == last - first + 1 else { return "holes" }
    return first == last ? "\(first)" : "\(first)...\(last)"
  }

  /// Messages one by one, as the user sees them.
  func list(_ seqs: [Int], for user: String) -> String {
    seqs.map { "\($0) " + posts[$0 - 1].line(for: user) }.joined(separator: "; ")
  }
}

/// A message of the model.
struct Post {
  let user: String
  var text: String
  let key: String?
  var mention: String?
  let replyTo: Int?
  var replies = 0
  var isEdited = false
  var isDeleted = false
  var rev = 0
  /// In the order in which each word first came, with those who said it.
  var reactions: [(word: String, users: Set<String>)] = []

  init(user: String, text: String, key: String?, mention: String?, replyTo: Int?) {
    self.user = user
    self.text = text
    self.key = key
    self.mention = mention
    self.replyTo = replyTo
  }

  /// The message in its present state, as the user sees it.
  func line(for reader: String) -> String {
    var line = "\(user) " + (isDeleted ? "deleted" : text)
    if isEdited { line += " edited" }
    if replies > 0 { line += " replies \(replies)" }
    for reaction in reactions {
      line += " \(reaction.word)\(reaction.users.count)"
      if reaction.users.contains(reader) { line += "!" }
    }
    return line
  }

  mutating func delete() {
    isDeleted = true
    isEdited = false
    text = "-"
    mention = nil
    reactions = []
  }

  /// Makes or takes back a reaction; how many have made it, or nil when it was so already.
  mutating func react(_ user: String, _ word: String, on: Bool) -> Int? {
    let place = reactions.firstIndex { $0.word == word }
    guard on != (place.map { reactions[$0].users.contains(user) } ?? false) else { return nil }
    guard let place else {
      reactions.append((word, [user]))
      return 1
    }
    if on { reactions[place].users.insert(user) } else { reactions[place].users.remove(user) }
    let count = reactions[place].users.count
    if count == 0 { reactions.remove(at: place) }
    return count
  }
}
