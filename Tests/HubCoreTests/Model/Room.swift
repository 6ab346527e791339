import HubProtocol

/// A channel of the model: nothing but lists, counted again whenever a number is wanted.
struct Room {
  struct Member {
    let user: String
    var role: String
    var read: Int
    var delivered: Int
  }

  struct Sent {
    let user: String
    let text: String
    let key: String?
    let mention: String?
  }

  let name: String
  let kind: ChannelKind
  var updated: Int
  /// In the order of joining.
  var members: [Member] = []
  var messages: [Sent] = []

  var seq: Int { messages.count }

  func place(of user: String) -> Int? { members.firstIndex { $0.user == user } }

  func isVisible(to user: String) -> Bool {
    kind == .public || kind == .broadcast || place(of: user) != nil
  }

  func seq(ofKey key: String?, by user: String) -> Int? {
    guard let key else { return nil }
    return messages.firstIndex { $0.key == key && $0.user == user }.map { $0 + 1 }
  }

  mutating func join(_ user: String, as role: String) {
    members.append(Member(user: user, role: role, read: seq, delivered: seq))
  }

  /// Unread messages and mentions of a member.
  func unread(_ user: String) -> (unread: Int, mentions: Int) {
    guard let place = place(of: user) else { return (0, 0) }
    let unread = messages.dropFirst(members[place].read).filter { $0.user != user }
    return (unread.count, unread.filter { $0.mention == user }.count)
  }

  func summary(present: Int, for user: String?) -> String {
    let shared = "\(name) \(kind.rawValue) \(members.count) members \(present) present seq \(seq)"
    guard let user, let place = place(of: user) else { return shared }
    let (unread, mentions) = unread(user)
    return shared + " \(members[place].role) read \(members[place].read)"
      + " unread \(unread)/\(mentions)"
  }

  static func range(_ seqs: [Int]) -> String {
    guard let first = seqs.first, let last = seqs.last else { return "none" }
    return first == last ? "\(first)" : "\(first)...\(last)"
  }
}
