import HubProtocol

/// Changes of channels and memberships in stored records.
extension Record.ChannelChange {
  var kind: RecordKind {
    switch self {
    case .create: .channelCreate
    case .update: .channelUpdate
    case .delete: .channelDelete
    case .join: .join
    case .leave: .leave
    case .mute: .mute
    case .openDirect: .openDirect
    }
  }

  func write(to image: inout ImageWriter, by user: UserRef) {
    image.member(user)
    switch self {
    case .create(let create, let epoch):
      image.text(create.channel.text)
      image.choice(create.kind)
      image.optional(create.profile.name)
      image.optional(create.profile.details)
      image.optional(create.profile.avatar)
      image.optional(create.profile.custom)
      image.list(create.members) { $0.text($1.text) }
      image.text(epoch)
    case .update(let update):
      image.text(update.channel.text)
      image.update(update.name)
      image.update(update.details)
      image.update(update.avatar)
      image.update(update.custom)
    case .delete(let channel), .join(let channel), .leave(let channel): image.text(channel.text)
    case .mute(let channel, let until):
      image.text(channel.text)
      image.optional(until?.milliseconds)
    case .openDirect(let name, let other, let epoch):
      image.text(name.text)
      image.text(other.text)
      image.text(epoch)
    }
  }

  init(_ kind: RecordKind, from image: inout ImageReader) throws(ImageError) {
    let channel = try image.channelName()
    if case .channelCreate = kind {
      let kind: ChannelKind = try image.choice("a kind")
      let profile = ChannelProfile(
        name: try image.optionalText(), details: try image.optionalText(),
        avatar: try image.optionalText(), custom: try image.optionalJSON())
      let members = try image.list { image throws(ImageError) in try image.userID() }
      self = .create(
        ChannelCreate(channel: channel, kind: kind, profile: profile, members: members),
        epoch: try image.text())
    } else if case .channelUpdate = kind {
      self = .update(
        ChannelUpdate(
          channel: channel, name: try image.textUpdate(), details: try image.textUpdate(),
          avatar: try image.textUpdate(), custom: try image.jsonUpdate()))
    } else if case .channelDelete = kind {
      self = .delete(channel)
    } else if case .join = kind {
      self = .join(channel)
    } else if case .leave = kind {
      self = .leave(channel)
    } else if case .mute = kind {
      self = .mute(channel, until: try image.optionalNumber().map(Timestamp.init))
    } else {
      self = .openDirect(channel, with: try image.userID(), epoch: try image.text())
    }
  }
}

extension Record.MembersChange {
  var kind: RecordKind {
    switch self {
    case .add: .memberAdd
    case .remove: .memberRemove
    case .setRole: .memberRole
    case .setCustom: .memberCustom
    case .ban: .ban
    case .unban: .unban
    case .silence: .silence
    }
  }

  func write(to image: inout ImageWriter) {
    switch self {
    case .add(let users), .remove(let users): image.list(users) { $0.text($1.text) }
    case .setRole(let user, let role):
      image.text(user.text)
      image.choice(role)
    case .setCustom(let custom): image.update(custom)
    case .ban(let ban):
      image.text(ban.user.text)
      image.optional(ban.until?.milliseconds)
      image.optional(ban.reason)
    case .unban(let user): image.text(user.text)
    case .silence(let user, let until):
      image.text(user.text)
      image.number(until.milliseconds)
    }
  }

  /// Nil when the record is of something else.
  init?(
    _ kind: RecordKind, in channel: ChannelName, from image: inout ImageReader
  ) throws(ImageError) {
    if case .memberAdd = kind {
      self = .add(try image.list { image throws(ImageError) in try image.userID() })
    } else if case .memberRemove = kind {
      self = .remove(try image.list { image throws(ImageError) in try image.userID() })
    } else if case .memberRole = kind {
      self = .setRole(try image.userID(), try image.choice("a role"))
    } else if case .memberCustom = kind {
      self = .setCustom(try image.jsonUpdate())
    } else if case .ban = kind {
      let user = try image.userID()
      let until = try image.optionalNumber().map(Timestamp.init)
      self = .ban(
        MemberBan(channel: channel, user: user, until: until, reason: try image.optionalText()))
    } else if case .unban = kind {
      self = .unban(try image.userID())
    } else if case .silence = kind {
      self = .silence(try image.userID(), until: try image.timestamp())
    } else {
      return nil
    }
  }
}
