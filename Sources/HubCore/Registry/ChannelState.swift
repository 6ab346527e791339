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
  /// Muted until then; nil when not muted.
  var mutedUntil: Timestamp?
  /// A JSON value of the app's own about the member in this channel.
  var custom: RawJSON?
  /// Whether the member hides how far they have read, and so is not counted for it.
  var hidesReads = false
  /// Number of the record that last changed what only the member sees.
  var changedAt = 0
}

/// What moderators have imposed on somebody in one channel.
struct Sanction: Equatable, Sendable {
  /// Kept out until then; nil when not banned.
  var bannedUntil: Timestamp?
  var reason: String?
  /// May not speak until then; nil when not silenced.
  var silencedUntil: Timestamp?

  /// No time ever comes after it.
  static let forever = Timestamp(milliseconds: Limits.largestInteger)
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
  /// Number of the record that last changed what all members see.
  var changedAt = 0
  private(set) var members: TreeDictionary<UserRef, Membership> = [:]
  var window = MessageWindow()
  var countable = CountableMessages()
  /// There only above `Limits.individualMembers`.
  private(set) var readCounts: ReadCounts?
  /// The two of a direct channel.
  var pair: (UserRef, UserRef)?
  /// Who of them has written.
  var pairWrote = (false, false)
  var sanctions: TreeDictionary<UserRef, Sanction> = [:]
  /// Messages that moderators are to look at, oldest first.
  var flags: [FlaggedMessage] = []
  /// Messages up to there are no longer kept, by the rules of retention.
  private(set) var floor = 0
  /// Only its place is left.
  private(set) var isDeleted = false
  /// How often somebody joined.
  private(set) var joinCount = 0

  /// A message somebody has flagged.
  struct FlaggedMessage: Equatable, Sendable {
    let seq: Int
    let user: UserRef
    let ts: Timestamp
    let reason: String?
  }

  init(
    name: ChannelName, kind: ChannelKind, profile: ChannelProfile, epoch: String, ts: Timestamp
  ) {
    self.name = name
    self.kind = kind
    self.profile = profile
    self.epoch = epoch
    updatedTs = ts
  }

  /// Whether there are so many members that receipts, presence and comings and goings are not told
  /// one by one.
  var isLarge: Bool { members.count > Limits.individualMembers }

  /// Whether it is somebody's feed, which nobody else can own.
  var isFeed: Bool { name.text.hasPrefix("feed:") }

  /// Empties the channel for ever; its name may be given to another.
  mutating func delete() {
    isDeleted = true
    members = [:]
    readCounts = nil
    window = MessageWindow()
    countable = CountableMessages()
    sanctions = [:]
    flags = []
  }

  /// Puts in the memberships that were stored.
  mutating func restore(_ members: [(UserRef, Membership)], joinCount: Int) {
    self.members = TreeDictionary(members) { $1 }
    self.joinCount = joinCount
    countReads()
  }

  /// Makes a user a member who has everything read so far; false when they already are.
  mutating func join(_ user: UserRef, role: Role, ts: Timestamp, hidesReads: Bool) -> Bool {
    guard members[user] == nil else { return false }
    joinCount += 1
    members[user] = Membership(
      role: role, ordinal: joinCount, joinedTs: ts, read: seq, delivered: seq,
      hidesReads: hidesReads)
    if readCounts != nil {
      if !hidesReads { readCounts?.add(1, after: 0, upTo: seq) }
    } else {
      countReads()
    }
    return true
  }

  private mutating func countReads() {
    guard isLarge else { return }
    readCounts = ReadCounts(
      lastSeq: seq, pointers: members.values.lazy.filter { !$0.hidesReads }.map(\.read))
  }

  /// Ends a membership; nil when there was none.
  mutating func leave(_ user: UserRef) -> Membership? {
    guard let membership = members.removeValue(forKey: user) else { return nil }
    if !membership.hidesReads { readCounts?.add(-1, after: 0, upTo: membership.read) }
    if !isLarge { readCounts = nil }
    return membership
  }

  /// Gives a member another role.
  mutating func setRole(_ role: Role, of user: UserRef) {
    members[user]?.role = role
  }

  /// Changes what only the member sees, as part of record number `record`.
  mutating func change(_ user: UserRef, record: Int, _ change: (inout Membership) -> Void) {
    guard var membership = members[user] else { return }
    change(&membership)
    membership.changedAt = record
    members[user] = membership
  }

  /// A member hides how far they have read, or no longer.
  mutating func setHidesReads(_ hides: Bool, of user: UserRef) {
    guard let membership = members[user], membership.hidesReads != hides else { return }
    members[user]?.hidesReads = hides
    readCounts?.add(hides ? -1 : 1, after: 0, upTo: membership.read)
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
    if !after.hidesReads { readCounts?.add(1, after: before.read, upTo: after.read) }
    return true
  }

  /// Moves a member's read pointer back; false when it stands there or below already.
  mutating func retreat(_ user: UserRef, read: Int) -> Bool {
    guard let before = members[user], read < before.read else { return false }
    members[user]?.read = read
    if !before.hidesReads { readCounts?.add(-1, after: read, upTo: before.read) }
    return true
  }

  /// Takes a message as the channel's newest, read by its sender.
  mutating func append(_ message: Message, author: UserRef, mentioned: [UserRef]) {
    seq = message.seq
    updatedTs = message.ts
    window.append(message)
    countable.append(
      seq: seq, author: author, mentioned: mentioned,
      mentionsChannel: message.content.mentionsChannel)
    readCounts?.append()
    _ = advance(author, read: seq, delivered: seq)
    guard let pair else { return }
    if author == pair.0 { pairWrote.0 = true } else { pairWrote.1 = true }
  }

  /// Whether somebody is kept out at `now`.
  func isBanned(_ user: UserRef, at now: Timestamp) -> Bool {
    guard !sanctions.isEmpty, let until = sanctions[user]?.bannedUntil else { return false }
    return now < until
  }

  /// Until when somebody may not speak; nil when they may at `now`.
  func silence(of user: UserRef, at now: Timestamp) -> Timestamp? {
    guard !sanctions.isEmpty, let until = sanctions[user]?.silencedUntil, now < until else {
      return nil
    }
    return until
  }

  /// Whether a message is kept and not in memory, so that history must be asked for it.
  func lacks(_ seq: Int) -> Bool {
    floor < seq && seq <= self.seq && window[seq] == nil
  }

  /// Lets the messages up to `seq` go for ever.
  mutating func expire(upTo seq: Int) {
    floor = seq
    window.expire(upTo: seq)
    countable.expire()
    flags.removeAll { $0.seq <= seq }
  }

  /// Puts in what was stored.
  mutating func restore(floor: Int) { self.floor = floor }

  /// Marks deleted what was stored as such.
  mutating func restoreDeleted() { isDeleted = true }
}
