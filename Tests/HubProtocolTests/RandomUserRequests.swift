import HubProtocol
import SeededRandom

/// Random requests about users.
extension SplitMix64 {
  mutating func aboutUsers() -> HubProtocol.Operation {
    switch below(8) {
    case 0: .userGet(users(1...5))
    case 1: .userUpdate(userUpdate())
    case 2: .userPut(users(1...4).map { userPut($0) })
    case 3: .userSearch(text(upTo: 40), limit: 1 + below(100))
    case 4: .userBlock(user())
    case 5: .userUnblock(user())
    case 6: .userSettings(settingsUpdate())
    default: .userDisconnect(user())
    }
  }

  private mutating func userUpdate() -> ProfileUpdate {
    let update = profileUpdate()
    return update == ProfileUpdate() ? ProfileUpdate(bio: .clear) : update
  }

  private mutating func profileUpdate() -> ProfileUpdate {
    ProfileUpdate(
      name: update { $0.text(upTo: 20) }, username: update { $0.username() },
      avatar: update { $0.url() }, bio: update { $0.text(upTo: 90) },
      custom: update { $0.filledRaw(levels: 5) })
  }

  private mutating func userPut(_ id: UserID) -> UserPut {
    UserPut(id: id, isBot: maybe { $0.oneIn(2) }, update: profileUpdate())
  }

  /// A username as somebody might write it.
  mutating func username() -> String {
    pick(["Ann", "żółć", "姓名", "a.b-c_d#1", "ÀÉ"])
      + name(upTo: 20).filter { $0 != "@" }
  }

  private mutating func settingsUpdate() -> SettingsUpdate {
    var update = SettingsUpdate()
    update.directPolicy = maybe { $0.pick(DirectPolicy.allCases) }
    update.showsReceipts = maybe { $0.oneIn(2) }
    update.showsTyping = maybe { $0.oneIn(2) }
    update.quietUntil = self.update { Timestamp(milliseconds: $0.seq(from: 1)) }
    update.quietPeriods = maybe { $0.quietPeriods() }
    update.mutedTypes = maybe { $0.words() }
    update.mutedUsers = maybe { $0.users(0...3) }
    update.mutedChannels = maybe { $0.channels(0...3) }
    return update
  }

  /// Whatever a user can have set.
  mutating func settings() -> UserSettings {
    settingsUpdate().applied(to: UserSettings())
  }

  private mutating func quietPeriods() -> [QuietPeriod] {
    let periods = list(upTo: 3) { random in
      let days = QuietPeriod.Day.allCases.filter { _ in random.oneIn(2) }
      return QuietPeriod(
        days: days.isEmpty ? [.friday] : days, from: random.below(1_440),
        to: random.below(1_440), zone: random.pick(["Europe/Berlin", "Etc/GMT+1", "UTC", "a_b-c"]))
    }
    return periods.indices.filter { !periods[..<$0].contains(periods[$0]) }.map { periods[$0] }
  }

  /// Words of at most 64 bytes without repetition.
  private mutating func words() -> [String] {
    var known: Set<String> = []
    return list(upTo: 3) { $0.text(upTo: 16) }.filter { known.insert($0).inserted }
  }
}
