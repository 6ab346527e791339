import HubProtocol

/// Messages and notifications in images.
extension Message {
  /// Writes all but channel, seq and sender, which the channel's image tells.
  func write(to image: inout ImageWriter) {
    image.number(ts.milliseconds)
    image.optional(content.text)
    image.optional(content.attachments)
    image.optional(content.data)
    image.list(content.mentions) { $0.text($1.text) }
    image.flag(content.mentionsChannel)
    image.optional(replyTo)
    image.number(replyCount)
    image.flag(isBot)
    image.optional(key)
  }

  /// Reads what `write` wrote.
  convenience init(
    from image: inout ImageReader, channel: ChannelName, seq: Int, user: UserID
  ) throws(ImageError) {
    let ts = try image.timestamp()
    let content = MessageContent(
      text: try image.optionalText(), attachments: try image.optionalJSON(),
      data: try image.optionalJSON(),
      mentions: try image.list { image throws(ImageError) in try image.userID() },
      mentionsChannel: try image.flag())
    self.init(
      channel: channel, seq: seq, user: user, ts: ts, content: content,
      replyTo: try image.optionalNumber(), replyCount: try image.number(),
      isBot: try image.flag(), key: try image.optionalText())
  }
}

extension Notification {
  func write(to image: inout ImageWriter) {
    image.text(type)
    image.optional(actor?.text)
    image.flag(target != nil)
    if let target {
      image.text(target.kind)
      image.text(target.id)
      image.optional(target.url)
      image.optional(target.thumb)
    }
    image.optional(title)
    image.text(text)
    image.optional(data)
    image.optional(expiresTs?.milliseconds)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    let type = try image.text()
    let actor = try image.optionalText().map(UserID.init)
    if case .some(nil) = actor { throw image.error("a user id") }
    var target: InboxTarget?
    if try image.flag() {
      target = InboxTarget(
        kind: try image.text(), id: try image.text(), url: try image.optionalText(),
        thumb: try image.optionalText())
    }
    self.init(
      type: type, actor: actor ?? nil, target: target, title: try image.optionalText(),
      text: try image.text(), data: try image.optionalJSON(),
      expiresTs: try image.optionalNumber().map(Timestamp.init))
  }
}
