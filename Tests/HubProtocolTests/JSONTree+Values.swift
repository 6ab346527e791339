import HubProtocol

/// The hub's objects as the protocol describes them, made without the writer.
extension JSONTree {
  init(_ view: MessageView) {
    let message = view.message
    guard !view.isHidden else {
      self = .members([
        "channel": .text(message.channel.text), "seq": .integer(message.seq),
        "hidden": .bool(true),
      ])
      return
    }
    let content = message.content
    let mentions =
      content.mentions.map { JSONTree.text($0.text) }
      + (content.mentionsChannel ? [.text("@channel")] : [])
    self = .members([
      "channel": .text(message.channel.text), "seq": .integer(message.seq),
      "user": .text(message.user.text), "ts": .time(message.ts),
      "text": content.text.map { .text($0) },
      "attachments": content.attachments.map { JSONTree(raw: $0) },
      "data": content.data.map { JSONTree(raw: $0) },
      "mentions": mentions.isEmpty ? nil : .list(mentions),
      "reply_to": message.replyTo.map { .integer($0) },
      "reply_count": message.replyCount == 0 ? nil : .integer(message.replyCount),
      "reactions": message.reactions.isEmpty ? nil : .reactions(message.reactions, view.mine),
      "edited_ts": message.editedTs.map { .time($0) },
      "deleted_ts": message.deletedTs.map { .time($0) },
      "bot": message.isBot ? .bool(true) : nil,
      "key": view.isOwn ? message.key.map { .text($0) } : nil,
    ])
  }

  private static func reactions(_ reactions: [ReactionCount], _ mine: [String]) -> JSONTree {
    let pairs = reactions.map { reaction in
      let isMine = mine.contains(reaction.reaction)
      return (
        reaction.reaction,
        JSONTree.members(["count": .integer(reaction.count), "mine": isMine ? .bool(true) : nil])
      )
    }
    return .object(Dictionary(pairs) { first, _ in first })
  }

  init(_ summary: ChannelSummary) {
    let (profile, standing) = (summary.profile, summary.standing)
    self = .members([
      "channel": .text(summary.channel.text), "kind": .text(summary.kind.rawValue),
      "name": profile.name.map { .text($0) }, "details": profile.details.map { .text($0) },
      "avatar": profile.avatar.map { .text($0) },
      "custom": profile.custom.map { JSONTree(raw: $0) },
      "member_count": .integer(summary.memberCount),
      "present_count": .integer(summary.presentCount), "epoch": .text(summary.epoch),
      "seq": .integer(summary.seq), "rev": .integer(summary.rev),
      "updated_ts": .time(summary.updatedTs),
      "last_message": summary.lastMessage.map { JSONTree($0) },
      "unread": standing.map { .integer($0.unread) },
      "mentions": standing.map { .integer($0.mentions) },
      "read": standing.map { .integer($0.read) },
      "role": standing.map { .text($0.role.rawValue) },
      "muted": standing.map { .bool($0.isMuted) },
    ])
  }

  init(_ user: User) {
    let profile = user.profile
    self = .members([
      "id": .text(user.id.text), "name": .text(profile.name ?? user.id.text),
      "username": profile.username.map { .text($0) },
      "avatar": profile.avatar.map { .text($0) }, "bio": profile.bio.map { .text($0) },
      "bot": user.isBot ? .bool(true) : nil, "custom": profile.custom.map { JSONTree(raw: $0) },
      "followers": user.followers.map { .integer($0) },
      "following": user.following.map { .integer($0) },
    ])
  }

  init(_ member: Member) {
    self = .members([
      "user": .text(member.user.id.text), "profile": JSONTree(member.user),
      "role": .text(member.role.rawValue), "present": .bool(member.isPresent),
      "read": member.read.map { .integer($0) },
      "delivered": member.delivered.map { .integer($0) }, "joined_ts": .time(member.joinedTs),
      "custom": member.custom.map { JSONTree(raw: $0) },
      "silenced_until_ts": member.silencedUntil.map { .time($0) },
    ])
  }

  init(_ settings: UserSettings, blocked: [UserID]) {
    self = .members([
      "dm_policy": .text(settings.directPolicy.rawValue),
      "receipts": .bool(settings.showsReceipts), "typing": .bool(settings.showsTyping),
      "dnd_until_ts": settings.quietUntil.map { .time($0) },
      "dnd_schedule": .list(settings.quietPeriods.map { JSONTree($0) }),
      "mute": .members([
        "types": .list(settings.mutedTypes.map { .text($0) }),
        "users": .list(settings.mutedUsers.map { .text($0.text) }),
        "channels": .list(settings.mutedChannels.map { .text($0.text) }),
      ]),
      "blocked": .list(blocked.map { .text($0.text) }),
    ])
  }

  private init(_ period: QuietPeriod) {
    func clock(_ minutes: Int) -> JSONTree {
      let digits = [minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 10]
      return .text("\(digits[0])\(digits[1]):\(digits[2])\(digits[3])")
    }
    self = .members([
      "days": .list(period.days.map { .text($0.rawValue) }), "from": clock(period.from),
      "to": clock(period.to), "tz": .text(period.zone),
    ])
  }

  init(_ presence: UserPresence) {
    self = .members([
      "user": .text(presence.user.text), "status": .text(presence.status.rawValue),
      "last_seen_ts": presence.lastSeenTs.map { .time($0) },
    ])
  }

  init(_ presence: ChannelPresence) {
    self = .members([
      "count": .integer(presence.count),
      "users": presence.users.map { .list($0.map { .text($0.text) }) },
    ])
  }

  init(_ flag: Flag) {
    self = .members([
      "seq": .integer(flag.seq), "user": .text(flag.user.text), "ts": .time(flag.ts),
      "reason": flag.reason.map { .text($0) },
    ])
  }

  /// A value that was kept as it came.
  init(raw value: RawJSON) {
    self = JSONTree(foundation: value.bytes) ?? .null
  }

  private static func time(_ ts: Timestamp) -> JSONTree { .integer(ts.milliseconds) }
}
