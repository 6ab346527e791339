/// The arguments of `message.*` and `typing`.
extension Arguments {
  private static let attachmentKinds = ["image", "video", "file", "link", "gif", "sticker", "json"]

  /// Protocol, "Messages": at least one of `text`, `attachments` and `data`.
  func messageSend() throws(Refusal) -> MessageSend {
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

  func messageHistory() throws(Refusal) -> MessageHistory {
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

  /// `on` of `typing`.
  func isTyping() throws(Refusal) -> Bool {
    guard let on = try bool(.on) else { throw .missing(.on) }
    return on
  }

  private func content() throws(Refusal) -> MessageContent {
    var content = MessageContent(
      text: try text(), attachments: try attachments(), data: try raw(.data))
    guard self[.mentions] != nil else { return content }
    try readMentions(into: &content)
    return content
  }

  private func readMentions(into content: inout MessageContent) throws(Refusal) {
    var mentions: [UserID] = []
    var known: Set<UserID> = []
    var mentionsChannel = false
    _ = try forEach(.mentions, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      let text = slice.kind == .string ? try? JSONString.decode(slice, in: source) : nil
      if text == MessageContent.channelMention {
        mentionsChannel = true
      } else if let user = text.flatMap({ UserID($0) }) {
        if known.insert(user).inserted { mentions.append(user) }
      } else {
        throw .badArgument(.mentions, "a list of user ids or `@channel`")
      }
    }
    content.mentions = mentions
    content.mentionsChannel = mentionsChannel
  }

  /// The list as it came, each entry checked for what the protocol says of attachments; nil when
  /// absent or empty.
  private func attachments() throws(Refusal) -> RawJSON? {
    var isEmpty = true
    let isThere = try forEach(.attachments, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      isEmpty = false
      guard slice.kind == .object else {
        throw .badArgument(.attachments, "a list of objects")
      }
      _ = try Arguments.read(
        source.ending(at: slice.range.upperBound), from: slice.range.lowerBound
      ) { (entry) throws(Refusal) in
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
