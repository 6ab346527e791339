import HashTreeCollections
import HubProtocol

/// What follows from changes of users, their settings and blocks.
extension Hub {
  mutating func profilesChanged(
    _ changed: [Applied.ProfileChange], named: [UserRef], _ origin: Origin
  ) {
    var budget = PageBudget()
    let shown = named.map(registry.shownUser).prefix { budget.takes($0.weight) }
    answer(origin, .users(Array(shown)))
    for change in changed {
      let user = change.user
      renameInRosters(user, from: change.nameBefore)
      tell(neighbours(of: user), .user(registry.shownUser(user)))
    }
  }

  /// The connections of those who share a channel of at most 100 members with a user, and the
  /// user's own.
  private func neighbours(of user: UserRef) -> [ConnectionID] {
    var others: Set<UserRef> = [user]
    for channel in registry.users[user.index].channels
    where !registry.channels[channel.index].isLarge {
      others.formUnion(audiences[channel]?.online ?? [])
    }
    return others.flatMap(connections)
  }

  /// Somebody was blocked, or no longer is: what the blocker knows of the other changes, and the
  /// other is told nothing.
  mutating func blockChanged(between user: UserRef, and other: UserRef, at moment: Moment) {
    refreshSpecial(user)
    refreshSpecial(other)
    online[user]?.countAgain()
    online[other]?.countAgain()
    // All are counted before the first is told: each brings the total.
    let changed = registry.users[user.index].channels.filter {
      registry.channels[$0.index].countable.hasAuthor(other)
    }
    for channel in changed { countAgain(of: user, in: channel) }
    for channel in changed { tellUnreadNow(of: user, in: channel, at: moment) }
    // Where the other has blocked as well, neither saw the other type, nor does now.
    if !registry.hides(user, from: other) {
      tellTyping(of: other, to: user)
      tellTyping(of: user, to: other)
    }
    tellSettings(of: user)
  }

  mutating func settingsChanged(
    from before: UserSettings, of user: UserRef, _ origin: Origin, at moment: Moment
  ) {
    answer(origin, settings(of: user))
    let after = registry.users[user.index].settings
    guard after != before else { return }
    tellSettings(of: user)
    refreshSpecial(user)
    // Before the user's own typing ends, of which they would not be told any more.
    if after.showsTyping != before.showsTyping { tellTyping(to: user) }
    if !after.showsTyping {
      for channel in registry.users[user.index].channels where typing.end(of: user, in: channel) {
        publishTyping(in: channel, because: [user])
      }
    }
    let names = Set(before.mutedChannels).symmetricDifference(after.mutedChannels)
    tellMutings(of: names.sorted(), by: user, at: moment)
  }

  /// What a user has set, and whom they have blocked.
  func settings(of user: UserRef) -> Reply {
    .settings(registry.users[user.index].settings, blocked: blockedIDs(of: user))
  }

  private mutating func tellSettings(of user: UserRef) {
    let settings = registry.users[user.index].settings
    tell(connections(of: user), .ownSettings(settings, blocked: blockedIDs(of: user)))
  }

  private func blockedIDs(of user: UserRef) -> [UserID] {
    registry.users[user.index].blocked.map { registry.users[$0.index].id }
  }
}
