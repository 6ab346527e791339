/// Message objects (protocol, "Messages"). Absent optional members are left out.
extension JSONWriter {
  /// A list of messages as their reader sees them.
  mutating func messages(_ messages: [MessageView]) {
    array(messages) { writer, message in writer.message(message) }
  }

  /// A message as its reader sees it.
  mutating func message(_ view: MessageView) {
    literal("{")
    if view.isHidden {
      hiddenMembers(view.message.channel, seq: view.message.seq)
    } else {
      messageMembers(view.message, showsKey: view.isOwn, mine: view.mine)
    }
    literal("}")
  }

  /// What is shown of a message whose sender the reader has blocked, without braces.
  mutating func hiddenMembers(_ channel: ChannelName, seq: Int) {
    member("\"channel\":", channel)
    member(",\"seq\":", seq)
    literal(",\"hidden\":true")
  }

  /// The members of a message object, without braces: events have them flat beside `ev`. Only the
  /// sender sees the key, and `mine` are the reactions that the reader made.
  mutating func messageMembers(_ message: Message, showsKey: Bool, mine: [String] = []) {
    literal("\"channel\":")
    name(message.channel.text)
    literal(",\"seq\":")
    integer(message.seq)
    literal(",\"user\":")
    name(message.user.text)
    literal(",\"ts\":")
    integer(message.ts.milliseconds)
    content(message.content)
    member(",\"reply_to\":", message.replyTo)
    if message.replyCount > 0 { member(",\"reply_count\":", message.replyCount) }
    if !message.reactions.isEmpty { reactions(message.reactions, mine: mine) }
    member(",\"edited_ts\":", message.editedTs)
    member(",\"deleted_ts\":", message.deletedTs)
    if message.isBot { literal(",\"bot\":true") }
    if showsKey { member(",\"key\":", message.key) }
  }

  /// The members that the sender wrote, each with a comma in front.
  mutating func content(_ content: MessageContent) {
    member(",\"text\":", content.text)
    member(",\"attachments\":", content.attachments)
    member(",\"data\":", content.data)
    guard !content.mentions.isEmpty || content.mentionsChannel else { return }
    mentions(content.mentions, channel: content.mentionsChannel)
  }

  /// `mentions` with a comma in front, the whole channel last.
  mutating func mentions(_ users: [UserID], channel: Bool) {
    literal(",\"mentions\":[")
    self.users(users)
    if channel { literal(users.isEmpty ? "\"@channel\"" : ",\"@channel\"") }
    literal("]")
  }

  private mutating func reactions(_ reactions: [ReactionCount], mine: [String]) {
    literal(",\"reactions\":{")
    list(reactions) { writer, reaction in
      writer.string(reaction.reaction)
      writer.member(":{\"count\":", reaction.count)
      writer.literal(mine.contains(where: reaction.isOf) ? ",\"mine\":true}" : "}")
    }
    literal("}")
  }
}
