import HashTreeCollections
import HubProtocol

/// `member.list`: those who are there first, then by name.
extension Hub {
  /// Members from which on their order is kept once it was asked for.
  private static let keptMembers = 500
  /// Members above which it is kept without being asked for, because to make it would take too long
  /// then.
  private static let alwaysKeptMembers = 10_000

  mutating func listMembers(
    _ list: MemberList, _ origin: Origin, for viewer: UserRef, at moment: Moment
  ) throws(Refusal) {
    let (channel, membership) = try registry.visibleChannel(
      list.channel, to: viewer, at: moment.wall)
    let start = try list.cursor.map { (text) throws(Refusal) in
      try RosterPlace(cursor: text, users: registry.userRefs)
    }
    let present = Set(present(in: channel, shownTo: viewer))
    var places = presentPlaces(present, from: start)
    if !list.onlyPresent, places.count <= list.limit {
      places += absentPlaces(
        in: channel, besides: present, from: start, limit: list.limit + 1 - places.count)
    }
    var members: [Member] = []
    var budget = PageBudget()
    for place in places {
      let seesAll = membership.map { $0.role != .member } ?? false
      guard let member = member(place, in: channel, for: viewer, seesAll, at: moment) else {
        continue
      }
      guard members.count < list.limit, budget.takes(member.weight) else {
        return answer(origin, .members(members, cursor: place.cursor(in: registry)))
      }
      members.append(member)
    }
    answer(origin, .members(members, cursor: nil))
  }

  /// Those who are there, from a place on, in order.
  private func presentPlaces(_ present: Set<UserRef>, from start: RosterPlace?) -> [RosterPlace] {
    let places = present.map {
      RosterPlace(isPresent: true, name: registry.users[$0.index].shownName, user: $0)
    }
    guard let start else { return places.sorted() }
    return places.filter { start <= $0 }.sorted()
  }

  /// Those who are not, from a place on, in order; at most `limit`.
  private mutating func absentPlaces(
    in channel: ChannelRef, besides present: Set<UserRef>, from start: RosterPlace?, limit: Int
  ) -> [RosterPlace] {
    let from = start.flatMap { $0.isPresent ? nil : $0 }
    var places: [RosterPlace] = []
    roster(of: channel).forEach(from: from?.name ?? "", from?.user ?? UserRef(index: 0)) {
      name, user in
      if !present.contains(user) {
        places.append(RosterPlace(isPresent: false, name: name, user: user))
      }
      return places.count < limit
    }
    return places
  }

  /// The members by name.
  private mutating func roster(of channel: ChannelRef) -> NameIndex {
    if let roster = rosters[channel] { return roster }
    let roster = makeRoster(of: channel)
    if registry.channels[channel.index].members.count >= Self.keptMembers {
      rosters[channel] = roster
    }
    return roster
  }

  private func makeRoster(of channel: ChannelRef) -> NameIndex {
    NameIndex(
      registry.channels[channel.index].members.keys.lazy.map {
        (key: registry.users[$0.index].shownName, user: $0)
      })
  }

  /// Puts the members of the largest channels in order.
  mutating func makeLargeRosters() {
    for index in 0..<UInt32(registry.channels.count)
    where registry.channels[index].members.count > Self.alwaysKeptMembers {
      let channel = ChannelRef(index: index)
      rosters[channel] = makeRoster(of: channel)
    }
  }

  /// Somebody has become a member.
  mutating func addToRoster(_ user: UserRef, of channel: ChannelRef) {
    if rosters[channel] != nil {
      rosters[channel]?.insert([registry.users[user.index].shownName], user)
    } else if registry.channels[channel.index].members.count > Self.alwaysKeptMembers {
      rosters[channel] = makeRoster(of: channel)
    }
  }

  /// Somebody no longer is a member.
  mutating func removeFromRoster(_ user: UserRef, of channel: ChannelRef) {
    rosters[channel]?.remove([registry.users[user.index].shownName], user)
  }

  /// A member is called something else.
  mutating func renameInRosters(_ user: UserRef, from nameBefore: String) {
    guard !rosters.isEmpty else { return }
    let name = registry.users[user.index].shownName
    for channel in registry.users[user.index].channels where rosters[channel] != nil {
      rosters[channel]?.remove([nameBefore], user)
      rosters[channel]?.insert([name], user)
    }
  }

  private func member(
    _ place: RosterPlace, in channel: ChannelRef, for viewer: UserRef, _ seesAll: Bool,
    at moment: Moment
  ) -> Member? {
    let user = place.user
    guard let membership = registry.channels[channel.index].members[user] else { return nil }
    let isOwn = user == viewer
    let mayKnow =
      isOwn
      || (registry.channels[channel.index].members[viewer] != nil
        && registry.users[user.index].settings.showsReceipts
        && registry.users[viewer.index].settings.showsReceipts
        && !registry.isBlocked(user, viewer))
    let silence = registry.channels[channel.index].silence(of: user, at: moment.wall)
    return Member(
      user: registry.shownUser(user), role: membership.role, isPresent: place.isPresent,
      read: mayKnow ? membership.read : nil, delivered: mayKnow ? membership.delivered : nil,
      joinedTs: membership.joinedTs, custom: membership.custom,
      silencedUntil: isOwn || seesAll ? silence : nil)
  }
}

/// Where a member stands in the list. Written into cursors, so that they hold over restarts.
private struct RosterPlace: Comparable {
  let isPresent: Bool
  let name: String
  let user: UserRef

  init(isPresent: Bool, name: String, user: UserRef) {
    self.isPresent = isPresent
    self.name = name
    self.user = user
  }

  init(cursor: String, users: TreeDictionary<UserID, UserRef>) throws(Refusal) {
    let fields = cursor.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, fields[0] == "present" || fields[0] == "absent",
      let user = UserID(String(fields[1])).flatMap({ users[$0] })
    else { throw .foreignCursor }
    self.init(isPresent: fields[0] == "present", name: String(fields[2]), user: user)
  }

  func cursor(in registry: Registry) -> String {
    "\(isPresent ? "present" : "absent") \(registry.users[user.index].id) \(name)"
  }

  static func < (lhs: RosterPlace, rhs: RosterPlace) -> Bool {
    if lhs.isPresent != rhs.isPresent { return lhs.isPresent }
    return lhs.name == rhs.name ? lhs.user < rhs.user : lhs.name < rhs.name
  }
}
