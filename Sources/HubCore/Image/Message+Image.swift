import HubProtocol

extension MessageContent {
  func write(to image: inout ImageWriter) {
    image.optional(text)
    image.optional(attachments)
    image.optional(data)
    image.list(mentions) { $0.text($1.text) }
    image.flag(mentionsChannel)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    self.init(
      text: try image.optionalText(), attachments: try image.optionalJSON(),
      data: try image.optionalJSON(),
      mentions: try image.list { image throws(ImageError) in try image.userID() },
      mentionsChannel: try image.flag())
  }
}

/// Messages in images.
extension Message {
  /// Writes all but channel, seq and sender, which the channel's image tells.
  func write(to image: inout ImageWriter) {
    image.number(ts.milliseconds)
    content.write(to: &image)
    image.optional(replyTo)
    image.number(replyCount)
    image.flag(isBot)
    image.optional(key)
    image.number(rev)
    // Most messages were never changed.
    guard rev > 0 else { return }
    image.optional(editedTs?.milliseconds)
    image.optional(deletedTs?.milliseconds)
    image.list(reactions) {
      $0.text($1.reaction)
      $0.number($1.count)
    }
  }

  /// Reads what `write` wrote.
  convenience init(
    from image: inout ImageReader, channel: ChannelName, seq: Int, user: UserID, revBound: Int
  ) throws(ImageError) {
    let ts = try image.timestamp()
    let content = try MessageContent(from: &image)
    let replyTo = try image.optionalNumber()
    let replyCount = try image.number()
    let isBot = try image.flag()
    let key = try image.optionalText()
    let rev = try image.number(below: revBound + 1, "a rev")
    var times: (edited: Int?, deleted: Int?)
    var reactions: [ReactionCount] = []
    if rev > 0 {
      times = (try image.optionalNumber(), try image.optionalNumber())
      reactions = try image.list { image throws(ImageError) in
        ReactionCount(try image.text(), try image.number())
      }
    }
    self.init(
      channel: channel, seq: seq, user: user, ts: ts, content: content, replyTo: replyTo,
      replyCount: replyCount, isBot: isBot, key: key, reactions: reactions,
      editedTs: times.edited.map(Timestamp.init), deletedTs: times.deleted.map(Timestamp.init),
      rev: rev)
  }
}
