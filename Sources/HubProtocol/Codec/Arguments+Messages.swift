/// The arguments of `message.*`, `feed.list` and `reaction.*` (protocol, "Messages").
extension Arguments {
  @inline(__always)
  func operation(_ name: OperationName.Message) throws(Refusal) -> Operation {
    switch name {
    case .send: try .messageSend(messageSend())
    case .edit: try .messageEdit(messageEdit())
    case .delete: try .messageDelete(channel(), seq: messageSeq())
    case .history: try .messageHistory(messageHistory())
    case .thread: try .messageThread(messageThread())
    case .search: try .messageSearch(messageSearch())
    case .feed: try .feedList(cursor: cursor(), limit: pageLimit())
    case .reactionAdd: try .reactionAdd(channel(), seq: messageSeq(), reaction: reaction())
    case .reactionRemove: try .reactionRemove(channel(), seq: messageSeq(), reaction: reaction())
    case .flag: try .messageFlag(channel(), seq: messageSeq(), reason: reason())
    case .flags: try .messageFlags(channel())
    }
  }

  /// At least one of `text`, `attachments` and `data`.
  private func messageSend() throws(Refusal) -> MessageSend {
    let channel = try channel()
    let content = try content()
    guard !content.isEmpty else {
      throw Refusal(.badRequest, "one of `text`, `attachments` and `data` is required")
    }
    return MessageSend(
      channel: channel, content: content,
      replyTo: try integer(.replyTo, in: 1...Limits.largestInteger),
      key: try word(.key, atMost: Limits.keyBytes), isRetry: try bool(.retry) ?? false,
      hops: try integer(.hops, in: 0...Limits.largestInteger) ?? 0)
  }

  private func messageHistory() throws(Refusal) -> MessageHistory {
    let channel = try channel()
    let seqs = 0...Limits.largestInteger
    let anchors: [MessageHistory.Anchor?] = [
      try integer(.before, in: seqs).map { .before($0) },
      try integer(.after, in: seqs).map { .after($0) },
      try integer(.around, in: seqs).map { .around($0) },
    ]
    let given = anchors.compactMap { $0 }
    guard let anchor = given.first, given.count == 1 else {
      throw Refusal(.badRequest, "exactly one of `before`, `after` and `around` is required")
    }
    return MessageHistory(channel: channel, anchor: anchor, limit: try pageLimit())
  }

  private func messageEdit() throws(Refusal) -> MessageEdit {
    let channel = try channel()
    let seq = try messageSeq()
    try requireChange(.text, .attachments, .data, .mentions)
    return MessageEdit(
      channel: channel, seq: seq, text: update(.text, try nonEmptyText()),
      attachments: update(.attachments, try attachments()), data: try dataUpdate(),
      mentions: try mentions())
  }

  private func messageThread() throws(Refusal) -> MessageThread {
    MessageThread(
      channel: try channel(), seq: try messageSeq(),
      after: try integer(.after, in: 0...Limits.largestInteger) ?? 0, limit: try pageLimit())
  }

  private func messageSearch() throws(Refusal) -> MessageSearch {
    MessageSearch(
      query: try query(), channel: try optionalChannel(), cursor: try cursor(),
      limit: try pageLimit())
  }

  /// The number of the one message that the request is about.
  private func messageSeq() throws(Refusal) -> Int {
    try requiredInteger(.seq, from: 1)
  }

  private func reaction() throws(Refusal) -> String {
    let reaction = try requiredWord(.reaction, atMost: Limits.reactionBytes)
    guard !reaction.unicodeScalars.contains(where: ControlRule.isControl) else {
      throw .badArgument(.reaction, "without control characters")
    }
    return reaction
  }
}

// MARK: - Content

extension Arguments {
  private static let attachmentKinds = ["image", "video", "file", "link", "gif", "sticker", "json"]

  private func content() throws(Refusal) -> MessageContent {
    var content = MessageContent(
      text: try text(), attachments: try attachments(), data: try raw(.data))
    guard let mentions = try mentions() else { return content }
    content.mentions = mentions.users
    content.mentionsChannel = mentions.channel
    return content
  }

  /// Whom the message mentions; nil when absent.
  private func mentions() throws(Refusal) -> MessageEdit.Mentions? {
    guard self[.mentions] != nil else { return nil }
    var users: [UserID] = []
    var known: Set<UserID> = []
    var mentionsChannel = false
    _ = try forEach(.mentions, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      let text = slice.kind == .string ? try? JSONString.decode(slice, in: source) : nil
      if text == MessageContent.channelMention {
        mentionsChannel = true
      } else if let user = text.flatMap({ UserID($0) }) {
        if known.insert(user).inserted { users.append(user) }
      } else {
        throw .badArgument(.mentions, "a list of user ids or `@channel`")
      }
    }
    return MessageEdit.Mentions(users: users, channel: mentionsChannel)
  }

  /// The list as it came, each entry checked for what the protocol says of attachments; nil when
  /// absent or empty.
  private func attachments() throws(Refusal) -> RawJSON? {
    var isEmpty = true
    let isThere = try forEach(.attachments, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      isEmpty = false
      try object(slice, "a list of objects", of: .attachments) { (entry) throws(Refusal) in
        try entry.checkAttachment()
      }
    }
    return isThere && !isEmpty ? try raw(.attachments) : nil
  }

  /// The entry is kept as it came and other readers may take the first of two equal names, so none
  /// may be there.
  private func checkAttachment() throws(Refusal) {
    guard !isRepeated(.kind), !isRepeated(.url) else {
      throw .badArgument(.attachments, "without `kind` or `url` twice in an entry")
    }
    guard let kind = try attachmentString(.kind), Self.attachmentKinds.contains(kind) else {
      let kinds = Self.attachmentKinds.joined(separator: ", ")
      throw .badArgument(.attachments, "a list of objects whose `kind` is one of \(kinds)")
    }
    guard let url = try attachmentString(.url) else { return }
    guard url.utf8.count <= Limits.urlBytes else { throw .tooLarge(.url, bytes: Limits.urlBytes) }
    guard URLRule.allows(url) else { throw .badArgument(.url, URLRule.sentence) }
  }

  private func attachmentString(_ name: ArgumentName) throws(Refusal) -> String? {
    try string(name, atMost: Limits.messageBytes)
  }
}
