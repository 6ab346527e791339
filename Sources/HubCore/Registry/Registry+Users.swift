import HashTreeCollections
import HubProtocol

/// Users: their profiles, names and settings (protocol, "Users").
extension Registry {
  mutating func appear(_ id: UserID, _ privilege: Privilege) throws(Refusal) -> Applied {
    if let ref = userRefs[id] {
      guard users[ref.index].privilege == privilege else { throw .wrongPrivilege(id) }
      return .user(ref)
    }
    return .user(addUser(UserState(id: id, privilege: privilege)))
  }

  /// Adds a user who is not there yet.
  mutating func addUser(_ user: UserState) -> UserRef {
    let ref = UserRef(index: UInt32(users.count))
    users.append(user)
    userRefs[user.id] = ref
    if let username = user.profile.username { usernames[username] = ref }
    names.insert(user.searchKeys, ref)
    return ref
  }

  mutating func updateProfile(
    _ update: ProfileUpdate, _ user: UserRef
  ) throws(Refusal) -> Applied {
    let before = users[user.index].profile
    let after = update.applied(to: before)
    try checkUsername(after.username, for: user)
    guard after != before else { return .profiles(changed: [], named: [user]) }
    return .profiles(changed: [setProfile(after, of: user)], named: [user])
  }

  mutating func putUsers(_ puts: [UserPut], by actor: UserRef) throws(Refusal) -> Applied {
    guard users[actor.index].privilege != .person else {
      throw Refusal(.forbidden, "only bots and admins put users")
    }
    try check(puts)
    var changed: [Applied.ProfileChange] = []
    var named: [UserRef] = []
    for put in puts {
      let known = userRefs[put.id]
      let ref =
        known ?? addUser(UserState(id: put.id, privilege: put.isBot == true ? .bot : .person))
      named.append(ref)
      let after = put.update.applied(to: users[ref.index].profile)
      guard after != users[ref.index].profile else { continue }
      changed.append(setProfile(after, of: ref))
    }
    return .profiles(changed: changed, named: named)
  }

  /// Refuses the whole if one of the entries cannot be done.
  private func check(_ puts: [UserPut]) throws(Refusal) {
    var taken: Set<String> = []
    for put in puts {
      let ref = userRefs[put.id]
      if let ref, let isBot = put.isBot, isBot != (users[ref.index].privilege == .bot) {
        throw Refusal(.conflict, "`\(put.id)` is known under another kind of token")
      }
      let before = ref.map { users[$0.index].profile } ?? UserProfile()
      let username = put.update.applied(to: before).username
      try checkUsername(username, for: ref)
      if let username, !taken.insert(username).inserted { throw .usernameTaken(username) }
    }
  }

  private func checkUsername(_ username: String?, for user: UserRef?) throws(Refusal) {
    guard let username, let holder = usernames[username], holder != user else { return }
    throw .usernameTaken(username)
  }

  private mutating func setProfile(
    _ profile: UserProfile, of user: UserRef
  ) -> Applied.ProfileChange {
    let before = users[user.index]
    users[user.index].profile = profile
    if before.profile.username != profile.username {
      if let old = before.profile.username { usernames[old] = nil }
      if let new = profile.username { usernames[new] = user }
    }
    names.remove(before.searchKeys, user)
    names.insert(users[user.index].searchKeys, user)
    // A direct channel shows the other's name.
    for channel in before.channels where channels[channel.index].kind == .direct {
      channels[channel.index].changedAt = recordCount
    }
    return Applied.ProfileChange(user: user, nameBefore: before.shownName)
  }

  mutating func updateSettings(_ update: SettingsUpdate, _ user: UserRef) -> Applied {
    let before = users[user.index].settings
    let after = update.applied(to: before)
    users[user.index].settings = after
    if after.showsReceipts != before.showsReceipts {
      for channel in users[user.index].channels {
        channels[channel.index].setHidesReads(!after.showsReceipts, of: user)
      }
    }
    if after.mutedChannels != before.mutedChannels {
      users[user.index].cutStream(at: recordCount)
    }
    return .settings(before: before)
  }
}

/// What is told of users.
extension Registry {
  /// The user as others see them, with how many follow them and whom they follow.
  func shownUser(_ user: UserRef) -> User {
    let state = users[user.index]
    var followers = 0
    if let feed = feed(of: user) {
      let members = channels[feed.index].members
      followers = members.count - (members[user] == nil ? 0 : 1)
    }
    return User(
      id: state.id, profile: state.profile, isBot: state.privilege == .bot, followers: followers,
      following: state.following)
  }

  /// All of these users, or a refusal.
  func shownUsers(_ ids: [UserID]) throws(Refusal) -> [User] {
    let users = try existingUsers(ids).map(shownUser)
    guard users.reduce(0, { $0 + $1.weight }) <= Limits.pageBytes else {
      throw Refusal(.tooLarge, "together these users exceed \(Limits.pageBytes) bytes")
    }
    return users
  }

  /// Users found by the beginning of their username or of a word of their name.
  func search(_ query: String, limit: Int) -> [User] {
    let wanted = NameIndex.folded(query)
    guard !wanted.isEmpty else { return [] }
    let end = wanted + "\u{10FFFF}"
    var found: [User] = []
    var seen: Set<UserRef> = []
    var budget = PageBudget()
    names.forEach(from: wanted) { key, ref in
      guard key < end, found.count < limit else { return false }
      guard key.hasPrefix(wanted), seen.insert(ref).inserted else { return true }
      let user = shownUser(ref)
      guard budget.takes(user.weight) else { return false }
      found.append(user)
      return true
    }
    return found
  }
}

extension UserState {
  /// What the user is found by: the username, and the name from each of its words on.
  var searchKeys: [String] {
    var keys = NameIndex.wordBeginnings(of: shownName)
    if let username = profile.username, !keys.contains(username) { keys.append(username) }
    return keys
  }
}

extension Refusal {
  static func usernameTaken(_ username: String) -> Refusal {
    Refusal(.alreadyExists, "the username `\(username)` is taken")
  }
}
