/// The objects that speak of users (protocol, "Users" and "Ephemeral").
extension JSONWriter {
  /// A user object; the id stands in for a missing name.
  mutating func user(_ user: User) {
    member("{\"id\":", user.id)
    member(",\"name\":", user.shownName)
    member(",\"username\":", user.profile.username)
    member(",\"avatar\":", user.profile.avatar)
    member(",\"bio\":", user.profile.bio)
    if user.isBot { literal(",\"bot\":true") }
    member(",\"custom\":", user.profile.custom)
    member(",\"followers\":", user.followers)
    member(",\"following\":", user.following)
    literal("}")
  }

  /// What a user has set.
  mutating func settings(_ settings: UserSettings, blocked: [UserID]) {
    member("{\"dm_policy\":", word: settings.directPolicy)
    member(",\"receipts\":", settings.showsReceipts)
    member(",\"typing\":", settings.showsTyping)
    member(",\"dnd_until_ts\":", settings.quietUntil)
    quietPeriods(settings.quietPeriods)
    member(",\"mute\":{\"types\":[", strings: settings.mutedTypes)
    member(",\"users\":[", users: settings.mutedUsers)
    member(",\"channels\":[", channels: settings.mutedChannels)
    member("},\"blocked\":[", users: blocked)
    literal("}")
  }

  /// `dnd_schedule` with a comma in front.
  mutating func quietPeriods(_ periods: [QuietPeriod]) {
    literal(",\"dnd_schedule\":")
    array(periods) { writer, period in
      writer.literal("{\"days\":")
      writer.array(period.days) { writer, day in writer.name(day.rawValue) }
      writer.literal(",\"from\":")
      writer.timeOfDay(period.from)
      writer.literal(",\"to\":")
      writer.timeOfDay(period.to)
      writer.member(",\"tz\":", period.zone)
      writer.literal("}")
    }
  }

  /// Minutes after midnight as `"HH:MM"`.
  private mutating func timeOfDay(_ minutes: Int) {
    name(TimeOfDay.text(minutes))
  }

  /// A user's presence, without braces.
  mutating func presenceMembers(_ presence: UserPresence) {
    member("\"user\":", presence.user)
    member(",\"status\":", word: presence.status)
    member(",\"last_seen_ts\":", presence.lastSeenTs)
  }

  /// A channel's presence under its name, without braces around.
  mutating func channelPresence(_ presence: ChannelPresence) {
    name(presence.channel.text)
    member(":{\"count\":", presence.count)
    member(",\"users\":[", users: presence.users)
    literal("}")
  }
}
