import HashTreeCollections
import HubProtocol

/// One user, whole.
struct UserState: Sendable {
  let id: UserID
  /// Fixed when the user first appeared.
  let privilege: Privilege
  var profile = UserProfile()
  var settings = UserSettings()
  /// The channels the user is a member of, ascending.
  private(set) var channels: [ChannelRef] = []
  /// `feed:` channels of others among them.
  private(set) var following = 0
  /// Whom the user has blocked, ascending.
  private(set) var blocked: [UserRef] = []
  /// Who has blocked the user.
  private(set) var blockers: TreeSet<UserRef> = []
  private(set) var departures: [Departure] = []
  /// Number of the record up to which the user stream cannot be brought up to date.
  private(set) var streamFloor = 0
  var inbox = Inbox()

  /// A channel that the user no longer is a member of.
  struct Departure: Sendable {
    let channel: ChannelName
    /// Number of the record that ended the membership.
    let record: Int
  }

  /// Departures remembered, so that a user stream that is not too old can be brought up to date.
  static let departureLimit = 100

  init(id: UserID, privilege: Privilege) {
    self.id = id
    self.privilege = privilege
  }

  /// What the user is called: the id stands in for a missing name.
  var shownName: String { profile.name ?? id.text }

  /// Whether what the user sees differs from what others see, or others' view of them does.
  var isSpecial: Bool {
    !blocked.isEmpty || !blockers.isEmpty || !settings.showsReceipts || !settings.showsTyping
  }

  /// Notes a membership.
  mutating func join(_ channel: ChannelRef, named name: ChannelName) {
    guard channels.insertSorted(channel) else { return }
    if isFeedOfAnother(name) { following += 1 }
  }

  /// Forgets a membership that record number `record` ended.
  mutating func leave(_ channel: ChannelRef, named name: ChannelName, record: Int) {
    guard channels.removeSorted(channel) else { return }
    if isFeedOfAnother(name) { following -= 1 }
    departures.append(Departure(channel: name, record: record))
    guard departures.count > Self.departureLimit else { return }
    streamFloor = max(streamFloor, departures.removeFirst().record)
  }

  private func isFeedOfAnother(_ name: ChannelName) -> Bool {
    name.text.hasPrefix("feed:") && name.text.dropFirst(5) != id.text
  }

  /// What the user stream showed before this record may look different now.
  mutating func cutStream(at record: Int) {
    streamFloor = record
  }

  /// Blocks somebody, or no longer; false when that is so already.
  mutating func setBlocked(_ user: UserRef, _ isBlocked: Bool) -> Bool {
    isBlocked ? blocked.insertSorted(user) : blocked.removeSorted(user)
  }

  /// Notes that somebody has blocked the user, or no longer does.
  mutating func setBlocker(_ user: UserRef, _ isBlocker: Bool) {
    if isBlocker { blockers.insert(user) } else { blockers.remove(user) }
  }

  /// Puts in what was stored.
  mutating func restore(blocked: [UserRef], departures: [Departure], streamFloor: Int) {
    self.blocked = blocked
    self.departures = departures
    self.streamFloor = streamFloor
  }
}
