/// The objects that stand in replies and events. Absent optional members are left out.
extension JSONWriter {
  /// An error object (protocol, "Envelope").
  mutating func refusal(_ refusal: Refusal) {
    member("{\"code\":", refusal.codeText)
    member(",\"message\":", refusal.message)
    member(",\"retry_after_ms\":", refusal.retryAfterMilliseconds)
    literal("}")
  }

  /// A channel summary (protocol, "Channels and membership").
  mutating func summary(_ summary: ChannelSummary) {
    member("{\"channel\":", summary.channel)
    member(",\"kind\":", word: summary.kind)
    profile(summary.profile)
    member(",\"member_count\":", summary.memberCount)
    member(",\"present_count\":", summary.presentCount)
    member(",\"epoch\":", summary.epoch)
    member(",\"seq\":", summary.seq)
    member(",\"rev\":", summary.rev)
    member(",\"updated_ts\":", summary.updatedTs)
    if let last = summary.lastMessage {
      literal(",\"last_message\":")
      message(last)
    }
    if let standing = summary.standing { self.standing(standing) }
    literal("}")
  }

  /// The members of a channel's profile, each with a comma in front.
  mutating func profile(_ profile: ChannelProfile) {
    member(",\"name\":", profile.name)
    member(",\"details\":", profile.details)
    member(",\"avatar\":", profile.avatar)
    member(",\"custom\":", profile.custom)
  }

  private mutating func standing(_ standing: Standing) {
    member(",\"unread\":", standing.unread)
    member(",\"mentions\":", standing.mentions)
    member(",\"read\":", standing.read)
    member(",\"role\":", word: standing.role)
    member(",\"muted\":", standing.isMuted)
  }

  /// A member as `member.list` shows it.
  mutating func channelMember(_ member: Member) {
    self.member("{\"user\":", member.user.id)
    literal(",\"profile\":")
    user(member.user)
    self.member(",\"role\":", word: member.role)
    self.member(",\"present\":", member.isPresent)
    self.member(",\"read\":", member.read)
    self.member(",\"delivered\":", member.delivered)
    self.member(",\"joined_ts\":", member.joinedTs)
    self.member(",\"custom\":", member.custom)
    self.member(",\"silenced_until_ts\":", member.silencedUntil)
    literal("}")
  }

  /// An entry of `message.flags`.
  mutating func flag(_ flag: Flag) {
    member("{\"seq\":", flag.seq)
    member(",\"user\":", flag.user)
    member(",\"ts\":", flag.ts)
    member(",\"reason\":", flag.reason)
    literal("}")
  }
}
