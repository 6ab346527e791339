import HashTreeCollections
import HubProtocol

/// One person's membership of one channel.
struct Membership: Sendable {
  var role: Role
  /// Place in the order of joining, for the succession of ownership.
  var ordinal: Int
  var joinedTs: Timestamp
  /// 0 ≤ read ≤ delivered ≤ the channel's seq.
  var read: Int
  var delivered: Int
}

/// One channel, whole.
struct ChannelState: Sendable {
  let name: ChannelName
  let kind: ChannelKind
  var profile: ChannelProfile
  /// The numbering that `seq` belongs to.
  var epoch: String
  /// Number of the newest message; 0 before the first.
  var seq = 0
  /// Number of the newest edit, deletion or reaction.
  var rev = 0
  /// When the newest message came, or the channel was made or changed.
  var updatedTs: Timestamp
  private(set) var members: TreeDictionary<UserRef, Membership> = [:]
  var window = MessageWindow()
  var countable = CountableMessages()
  /// There only above `Limits.individualMembers`.
  private(set) var readCounts: ReadCounts?
  /// The two of a direct channel.
  var pair: (UserRef, UserRef)?
  /// Whether it was written to since the last search for windows that may go.
  var isWarm = true
  /// How often somebody joined.
  private(set) var joinCount = 0

  init(
    name: ChannelName, kind: ChannelKind, profile: ChannelProfile, epoch: String, ts: Timestamp
  ) {
    self.name = name
    self.kind = kind
    self.profile = profile
    self.epoch = epoch
    updatedTs = ts
  }

  /// Puts in the memberships that were stored.
  mutating func restore(_ members: [(UserRef, Membership)], joinCount: Int) {
    self.members = TreeDictionary(members) { $1 }
    self.joinCount = joinCount
    countReads()
  }

  /// Makes a user a member who has everything read so far; false when they already are.
  mutating func join(_ user: UserRef, role: Role, ts: Timestamp) -> Bool {
    guard members[user] == nil else { return false }
    joinCount += 1
    members[user] = Membership(
      role: role, ordinal: joinCount, joinedTs: ts, read: seq, delivered: seq)
    readCounts?.add(1, after: 0, upTo: seq)
    if readCounts == nil { countReads() }
    return true
  }

  private mutating func countReads() {
    guard members.count > Limits.individualMembers else { return }
    readCounts = ReadCounts(lastSeq: seq, pointers: members.values.lazy.map(\.read))
  }

  /// Ends a membership; nil when there was none.
  mutating func leave(_ user: UserRef) -> Membership? {
    guard let membership = members.removeValue(forKey: user) else { return nil }
    readCounts?.add(-1, after: 0, upTo: membership.read)
    if members.count <= Limits.individualMembers { readCounts = nil }
    return membership
  }

  /// Gives a member another role.
  mutating func setRole(_ role: Role, of user: UserRef) {
    members[user]?.role = role
  }

  /// Who becomes owner when the owner has gone: the longest-serving moderator, else member.
  var successor: UserRef? {
    func longestServing(_ role: Role) -> UserRef? {
      members.filter { $0.value.role == role }.min { $0.value.ordinal < $1.value.ordinal }?.key
    }
    return longestServing(.moderator) ?? longestServing(.member)
  }

  /// Moves a member's pointers forward; false when both stand there or beyond already.
  mutating func advance(_ user: UserRef, read: Int, delivered: Int) -> Bool {
    guard let before = members[user] else { return false }
    var after = before
    after.read = max(before.read, read)
    after.delivered = max(before.delivered, delivered, after.read)
    guard after.read != before.read || after.delivered != before.delivered else { return false }
    members[user] = after
    readCounts?.add(1, after: before.read, upTo: after.read)
    return true
  }

  /// Takes a message as the channel's newest, read by its sender.
  mutating func append(_ message: Message, author: UserRef, mentioned: [UserRef]) {
    seq = message.seq
    updatedTs = message.ts
    isWarm = true
    window.append(message)
    countable.append(
      seq: seq, author: author, mentioned: mentioned,
      mentionsChannel: message.content.mentionsChannel)
    readCounts?.append()
    _ = advance(author, read: seq, delivered: seq)
  }

  /// What counts as unread for a member.
  func unread(_ user: UserRef, _ membership: Membership) -> (unread: Int, mentions: Int) {
    countable.unread(by: user, after: membership.read)
  }
}
