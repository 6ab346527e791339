/// The objects that stand in replies and events. Absent optional members are left out.
extension JSONWriter {
  /// An error object (protocol, "Envelope").
  mutating func refusal(_ refusal: Refusal) {
    literal("{\"code\":")
    string(refusal.codeText)
    literal(",\"message\":")
    string(refusal.message)
    if let delay = refusal.retryAfterMilliseconds {
      literal(",\"retry_after_ms\":")
      integer(delay)
    }
    literal("}")
  }

  mutating func messages(_ messages: [Message], viewer: UserID) {
    array(messages) { writer, message in
      writer.message(message, showsKey: message.user == viewer)
    }
  }

  /// A message object (protocol, "Messages"); its sender alone sees the key.
  mutating func message(_ message: Message, showsKey: Bool) {
    literal("{")
    messageMembers(message, showsKey: showsKey)
    literal("}")
  }

  /// The members of a message object, without braces: events have them flat beside `ev`.
  mutating func messageMembers(_ message: Message, showsKey: Bool) {
    literal("\"channel\":")
    name(message.channel.text)
    literal(",\"seq\":")
    integer(message.seq)
    literal(",\"user\":")
    name(message.user.text)
    literal(",\"ts\":")
    integer(message.ts.milliseconds)
    content(message.content)
    if let replyTo = message.replyTo {
      literal(",\"reply_to\":")
      integer(replyTo)
    }
    if message.replyCount > 0 {
      literal(",\"reply_count\":")
      integer(message.replyCount)
    }
    if message.isBot { literal(",\"bot\":true") }
    if showsKey, let key = message.key {
      literal(",\"key\":")
      string(key)
    }
  }

  /// The members that the sender wrote, each with a comma in front.
  mutating func content(_ content: MessageContent) {
    if let text = content.text {
      literal(",\"text\":")
      string(text)
    }
    if let attachments = content.attachments {
      literal(",\"attachments\":")
      raw(attachments)
    }
    if let data = content.data {
      literal(",\"data\":")
      raw(data)
    }
    guard !content.mentions.isEmpty || content.mentionsChannel else { return }
    literal(",\"mentions\":[")
    users(content.mentions)
    if content.mentionsChannel {
      literal(content.mentions.isEmpty ? "\"@channel\"" : ",\"@channel\"")
    }
    literal("]")
  }

  /// User ids with commas between.
  mutating func users(_ users: [UserID]) {
    list(users) { writer, user in writer.name(user.text) }
  }

  /// A channel summary (protocol, "Channels and membership").
  mutating func summary(_ summary: ChannelSummary) {
    literal("{\"channel\":")
    name(summary.channel.text)
    literal(",\"kind\":")
    name(summary.kind.rawValue)
    profile(summary.profile)
    literal(",\"member_count\":")
    integer(summary.memberCount)
    literal(",\"present_count\":")
    integer(summary.presentCount)
    literal(",\"epoch\":")
    string(summary.epoch)
    literal(",\"seq\":")
    integer(summary.seq)
    literal(",\"rev\":")
    integer(summary.rev)
    literal(",\"updated_ts\":")
    integer(summary.updatedTs.milliseconds)
    if let last = summary.lastMessage {
      literal(",\"last_message\":")
      message(last, showsKey: false)
    }
    if let standing = summary.standing { self.standing(standing) }
    literal("}")
  }

  /// The members of a channel's profile, each with a comma in front.
  mutating func profile(_ profile: ChannelProfile) {
    if let name = profile.name {
      literal(",\"name\":")
      string(name)
    }
    if let details = profile.details {
      literal(",\"details\":")
      string(details)
    }
    if let avatar = profile.avatar {
      literal(",\"avatar\":")
      string(avatar)
    }
    if let custom = profile.custom {
      literal(",\"custom\":")
      raw(custom)
    }
  }

  private mutating func standing(_ standing: Standing) {
    literal(",\"unread\":")
    integer(standing.unread)
    literal(",\"mentions\":")
    integer(standing.mentions)
    literal(",\"read\":")
    integer(standing.read)
    literal(",\"role\":")
    name(standing.role.rawValue)
    literal(",\"muted\":")
    bool(standing.isMuted)
  }
}
