/// The arguments of `user.*`, each with a comma in front.
extension JSONWriter {
  mutating func profileUpdate(_ update: ProfileUpdate) {
    self.update(",\"name\":", update.name)
    self.update(",\"username\":", update.username)
    self.update(",\"avatar\":", update.avatar)
    self.update(",\"bio\":", update.bio)
    self.update(",\"custom\":", update.custom)
  }

  mutating func userPut(_ puts: [UserPut]) {
    literal(",\"users\":")
    array(puts) { writer, put in
      writer.member("{\"id\":", put.id)
      writer.profileUpdate(put.update)
      writer.member(",\"bot\":", put.isBot)
      writer.literal("}")
    }
  }

  mutating func userSearch(_ query: String, _ limit: Int) {
    member(",\"q\":", query)
    page(limit: limit)
  }

  mutating func userSettings(_ update: SettingsUpdate) {
    member(",\"dm_policy\":", word: update.directPolicy)
    member(",\"receipts\":", update.showsReceipts)
    member(",\"typing\":", update.showsTyping)
    switch update.quietUntil {
    case .keep: break
    case .clear: literal(",\"dnd_until_ts\":0")
    case .set(let until): member(",\"dnd_until_ts\":", until)
    }
    if let periods = update.quietPeriods { quietPeriods(periods) }
    mute(update)
  }

  /// `mute` with what of it is to change.
  private mutating func mute(_ update: SettingsUpdate) {
    guard update.mutedTypes != nil || update.mutedUsers != nil || update.mutedChannels != nil
    else { return }
    literal(",\"mute\":{")
    var isFirst = true
    if let types = update.mutedTypes {
      member("\"types\":[", strings: types)
      isFirst = false
    }
    if let users = update.mutedUsers {
      member(isFirst ? "\"users\":[" : ",\"users\":[", users: users)
      isFirst = false
    }
    if let channels = update.mutedChannels {
      member(isFirst ? "\"channels\":[" : ",\"channels\":[", channels: channels)
    }
    literal("}")
  }
}
