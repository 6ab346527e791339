/// Who may open a direct channel with a user and write there (protocol, "Users").
package enum DirectPolicy: String, Sendable, CaseIterable {
  case everyone
  /// Those whom the user follows, shares a group with, or has written to directly.
  case contacts
  case nobody
}

/// A time of the week during which nothing interrupts.
package struct QuietPeriod: Equatable, Sendable {
  /// Days on which the period begins.
  package enum Day: String, Sendable, CaseIterable {
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"
  }

  /// Each day once, Monday first.
  package let days: [Day]
  /// Minutes after midnight, 0…1,439.
  package let from: Int
  /// Minutes after midnight; not after `from` when the period ends on the next day.
  package let to: Int
  /// IANA name of the time zone.
  package let zone: String

  package init(days: [Day], from: Int, to: Int, zone: String) {
    self.days = days
    self.from = from
    self.to = to
    self.zone = zone
  }
}

/// What a user has set for themselves (protocol, "Users": `user.settings`).
package struct UserSettings: Equatable, Sendable {
  package var directPolicy = DirectPolicy.everyone
  /// Whether others see how far the user has read; who hides it does not see others'.
  package var showsReceipts = true
  /// Whether others see the user type; who hides it does not see others'.
  package var showsTyping = true
  /// Do not disturb until then.
  package var quietUntil: Timestamp?
  package var quietPeriods: [QuietPeriod] = []
  package var mutedTypes: [String] = []
  package var mutedUsers: [UserID] = []
  package var mutedChannels: [ChannelName] = []

  package init() {}
}

/// `user.settings`: what is to change.
package struct SettingsUpdate: Equatable, Sendable {
  package var directPolicy: DirectPolicy?
  package var showsReceipts: Bool?
  package var showsTyping: Bool?
  /// 0 clears.
  package var quietUntil = Update<Timestamp>.keep
  package var quietPeriods: [QuietPeriod]?
  package var mutedTypes: [String]?
  package var mutedUsers: [UserID]?
  package var mutedChannels: [ChannelName]?

  package init() {}

  /// The settings after the update.
  package func applied(to settings: UserSettings) -> UserSettings {
    var after = settings
    after.directPolicy = directPolicy ?? after.directPolicy
    after.showsReceipts = showsReceipts ?? after.showsReceipts
    after.showsTyping = showsTyping ?? after.showsTyping
    after.quietUntil = quietUntil.applied(to: after.quietUntil)
    after.quietPeriods = quietPeriods ?? after.quietPeriods
    after.mutedTypes = mutedTypes ?? after.mutedTypes
    after.mutedUsers = mutedUsers ?? after.mutedUsers
    after.mutedChannels = mutedChannels ?? after.mutedChannels
    return after
  }
}
