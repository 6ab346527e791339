/// The arguments of `channel.*`, `subscribe` and `member.*`, each with a comma in front.
extension JSONWriter {
  mutating func channelCreate(_ create: ChannelCreate) {
    member(",\"channel\":", create.channel)
    member(",\"kind\":", word: create.kind)
    profile(create.profile)
    if !create.members.isEmpty { member(",\"members\":[", users: create.members) }
  }

  mutating func channelUpdate(_ update: ChannelUpdate) {
    member(",\"channel\":", update.channel)
    self.update(",\"name\":", update.name)
    self.update(",\"details\":", update.details)
    self.update(",\"avatar\":", update.avatar)
    self.update(",\"custom\":", update.custom)
  }

  mutating func channelList(_ list: ChannelList) {
    if list.scope != .joined { member(",\"scope\":", word: list.scope) }
    member(",\"kind\":", word: list.kind)
    if list.sort != .activity { member(",\"sort\":", word: list.sort) }
    page(cursor: list.cursor, limit: list.limit)
  }

  mutating func channelMute(_ channel: ChannelName, _ until: Timestamp?) {
    member(",\"channel\":", channel)
    member(",\"until_ts\":", until)
  }

  mutating func subscribe(_ subscribe: Subscribe) {
    member(",\"channel\":", subscribe.channel)
    if let since = subscribe.since {
      member(",\"since\":{\"epoch\":", since.epoch)
      member(",\"seq\":", since.seq)
      member(",\"rev\":", since.rev)
      literal("}")
    }
    if subscribe.limit != 0 { member(",\"limit\":", subscribe.limit) }
  }

  mutating func members(_ channel: ChannelName, _ users: [UserID]) {
    member(",\"channel\":", channel)
    member(",\"users\":[", users: users)
  }

  mutating func memberRole(_ channel: ChannelName, _ user: UserID, _ role: Role) {
    member(",\"channel\":", channel)
    member(",\"user\":", user)
    member(",\"role\":", word: role)
  }

  mutating func memberUpdate(_ channel: ChannelName, _ custom: Update<RawJSON>) {
    member(",\"channel\":", channel)
    update(",\"custom\":", custom)
  }

  mutating func memberBan(_ ban: MemberBan) {
    member(",\"channel\":", ban.channel)
    member(",\"user\":", ban.user)
    member(",\"until_ts\":", ban.until)
    member(",\"reason\":", ban.reason)
  }

  mutating func memberUnban(_ channel: ChannelName, _ user: UserID) {
    member(",\"channel\":", channel)
    member(",\"user\":", user)
  }

  mutating func memberSilence(_ channel: ChannelName, _ user: UserID, _ until: Timestamp) {
    member(",\"channel\":", channel)
    member(",\"user\":", user)
    member(",\"until_ts\":", until)
  }

  mutating func memberList(_ list: MemberList) {
    member(",\"channel\":", list.channel)
    if list.onlyPresent { literal(",\"present\":true") }
    page(cursor: list.cursor, limit: list.limit)
  }
}
