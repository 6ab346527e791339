import HubProtocol

/// Messages, what is done to them, and notifications in stored records.
extension MessageSend {
  func write(to image: inout ImageWriter) {
    image.text(channel.text)
    content.write(to: &image)
    image.optional(replyTo)
    image.optional(key)
    image.flag(isRetry)
    image.number(hops)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    self.init(
      channel: try image.channelName(), content: try MessageContent(from: &image),
      replyTo: try image.optionalNumber(), key: try image.optionalText(),
      isRetry: try image.flag(), hops: try image.number())
  }
}

extension Record.MessageAction {
  var kind: RecordKind {
    switch self {
    case .edit: .edit
    case .delete: .delete
    case .react: .react
    case .flag: .flag
    }
  }

  func write(to image: inout ImageWriter) {
    switch self {
    case .edit(let edit):
      image.update(edit.text)
      image.update(edit.attachments)
      image.update(edit.data)
      image.flag(edit.mentions != nil)
      guard let mentions = edit.mentions else { return }
      image.list(mentions.users) { $0.text($1.text) }
      image.flag(mentions.channel)
    case .delete: break
    case .react(let reaction, let isOn):
      image.text(reaction)
      image.flag(isOn)
    case .flag(let reason): image.optional(reason)
    }
  }

  init(
    _ kind: RecordKind, in channel: ChannelName, _ seq: Int, from image: inout ImageReader
  ) throws(ImageError) {
    if case .edit = kind {
      let text = try image.textUpdate()
      let attachments = try image.jsonUpdate()
      let data = try image.jsonUpdate()
      var mentions: MessageEdit.Mentions?
      if try image.flag() {
        let users = try image.list { image throws(ImageError) in try image.userID() }
        mentions = MessageEdit.Mentions(users: users, channel: try image.flag())
      }
      self = .edit(
        MessageEdit(
          channel: channel, seq: seq, text: text, attachments: attachments, data: data,
          mentions: mentions))
    } else if case .delete = kind {
      self = .delete
    } else if case .react = kind {
      self = .react(try image.text(), isOn: try image.flag())
    } else {
      self = .flag(reason: try image.optionalText())
    }
  }
}

extension Record.Facts {
  func write(to image: inout ImageWriter) {
    image.number(Int(channel.index))
    image.number(generation)
    image.list(asked) { $0.number($1) }
    image.list(messages) {
      $0.text($1.message.channel.text)
      $0.number($1.message.seq)
      $0.member($1.author)
      $1.write(to: &$0)
    }
    image.flag(firstUse != nil)
    guard let firstUse else { return }
    image.number(firstUse.seq)
    image.number(firstUse.ts.milliseconds)
  }

  init(from image: inout ImageReader, userCount: Int) throws(ImageError) {
    let channel = try image.channelRef()
    self.channel = channel
    generation = try image.number()
    asked = try image.list { image throws(ImageError) in try image.number() }
    messages = try image.list { image throws(ImageError) in
      let name = try image.channelName()
      let seq = try image.number()
      let author = try image.userRef(below: userCount)
      return try StoredMessage(
        from: &image, channel: channel, named: name, seq: seq, author: author)
    }
    firstUse =
      try image.flag()
      ? KeyTable.Sent(seq: try image.number(), ts: try image.timestamp()) : nil
  }
}
