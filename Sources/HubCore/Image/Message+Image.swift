import DequeModule
import HashTreeCollections
import HubProtocol

/// Messages and windows in images.
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
    let content = MessageContent(
      text: try image.optionalText(), attachments: try image.optionalJSON(),
      data: try image.optionalJSON(),
      mentions: try image.list { image throws(ImageError) in try image.userID() },
      mentionsChannel: try image.flag())
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

extension MessageWindow {
  func write(to image: inout ImageWriter) {
    image.number(forgottenRev)
    image.list(kept) { image, message in
      message.write(to: &image)
      guard !message.reactions.isEmpty else { return }
      image.list(reactors[message.seq] ?? []) { image, users in
        image.list(users.sorted()) { $0.number(Int($1.index)) }
      }
    }
  }

  /// Reads what `write` wrote: the channel's newest messages, whose authors are known.
  init(
    from image: inout ImageReader, of channel: ChannelName, at position: Position,
    authors: [UserID], userCount: Int
  ) throws(ImageError) {
    let revBound = position.rev ?? 0
    self.init(forgottenRev: try image.number(below: revBound + 1, "a rev"))
    let count = try image.number(below: authors.count + 1, "a count of messages")
    for place in authors.count - count..<authors.count {
      let message = try Message(
        from: &image, channel: channel, seq: position.seq - authors.count + place + 1,
        user: authors[place], revBound: revBound)
      append(message)
      guard !message.reactions.isEmpty else { continue }
      let users = try image.list { image throws(ImageError) in
        try image.userRefs(below: userCount)
      }
      guard restore(users, to: message) else { throw image.error("as many users as counted") }
    }
    guard kept.count == count else { throw image.error("a window within its limits") }
    guard hasRightReplies else { throw image.error("replies as they were counted") }
  }

  /// Whether all that answer something answer what came before, and each message knows how many do:
  /// whoever is kept came before all that answer it.
  private var hasRightReplies: Bool {
    var counts: [Int: Int] = [:]
    for message in kept {
      guard let parent = message.replyTo else { continue }
      guard 1..<message.seq ~= parent else { return false }
      if !message.isDeleted { counts[parent, default: 0] += 1 }
    }
    return kept.allSatisfy { $0.replyCount == counts[$0.seq, default: 0] }
  }
}
