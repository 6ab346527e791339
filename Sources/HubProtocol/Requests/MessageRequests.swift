/// `message.send`.
package struct MessageSend: Equatable, Sendable {
  package let channel: ChannelName
  package let content: MessageContent
  package let replyTo: Int?
  /// Makes the send idempotent per sender and channel; at most `Limits.keyBytes`.
  package let key: String?
  /// Look for the key through all of history.
  package let isRetry: Bool
  /// How many bots' answers lie behind this message.
  package let hops: Int

  package init(
    channel: ChannelName, content: MessageContent, replyTo: Int? = nil, key: String? = nil,
    isRetry: Bool = false, hops: Int = 0
  ) {
    self.channel = channel
    self.content = content
    self.replyTo = replyTo
    self.key = key
    self.isRetry = isRetry
    self.hops = hops
  }
}

/// `message.history`.
package struct MessageHistory: Equatable, Sendable {
  /// From where the page is taken; the seq may lie outside the channel.
  package enum Anchor: Equatable, Sendable {
    /// The messages just below.
    case before(Int)
    /// The messages just above.
    case after(Int)
    /// The message itself, and as many below as above it.
    case around(Int)
  }

  package let channel: ChannelName
  package let anchor: Anchor
  package let limit: Int

  package init(channel: ChannelName, anchor: Anchor, limit: Int) {
    self.channel = channel
    self.anchor = anchor
    self.limit = limit
  }
}

/// `message.edit`.
package struct MessageEdit: Equatable, Sendable {
  package let channel: ChannelName
  package let seq: Int
  package let text: Update<String>
  package let attachments: Update<RawJSON>
  package let data: Update<RawJSON>
  /// Nil keeps.
  package let mentions: Mentions?

  /// Whom a message mentions.
  package struct Mentions: Equatable, Sendable {
    package let users: [UserID]
    package let channel: Bool

    package init(users: [UserID], channel: Bool = false) {
      self.users = users
      self.channel = channel
    }
  }

  package init(
    channel: ChannelName, seq: Int, text: Update<String> = .keep,
    attachments: Update<RawJSON> = .keep, data: Update<RawJSON> = .keep, mentions: Mentions? = nil
  ) {
    self.channel = channel
    self.seq = seq
    self.text = text
    self.attachments = attachments
    self.data = data
    self.mentions = mentions
  }

  /// The content after the edit.
  package func applied(to content: MessageContent) -> MessageContent {
    MessageContent(
      text: text.applied(to: content.text),
      attachments: attachments.applied(to: content.attachments),
      data: data.applied(to: content.data), mentions: mentions?.users ?? content.mentions,
      mentionsChannel: mentions?.channel ?? content.mentionsChannel)
  }
}

/// `message.thread`.
package struct MessageThread: Equatable, Sendable {
  package let channel: ChannelName
  /// The message whose replies are asked for.
  package let seq: Int
  /// Only replies above this seq.
  package let after: Int
  package let limit: Int

  package init(
    channel: ChannelName, seq: Int, after: Int = 0, limit: Int = Limits.pageItemsDefault
  ) {
    self.channel = channel
    self.seq = seq
    self.after = after
    self.limit = limit
  }
}

/// `message.search`.
package struct MessageSearch: Equatable, Sendable {
  package let query: String
  /// Nil for all of the caller's channels.
  package let channel: ChannelName?
  package let cursor: String?
  package let limit: Int

  package init(
    query: String, channel: ChannelName? = nil, cursor: String? = nil,
    limit: Int = Limits.pageItemsDefault
  ) {
    self.query = query
    self.channel = channel
    self.cursor = cursor
    self.limit = limit
  }
}

/// `signal`: a custom event, never stored.
package struct Signal: Equatable, Sendable {
  package let channel: ChannelName
  package let name: String
  package let data: RawJSON?

  package init(channel: ChannelName, name: String, data: RawJSON? = nil) {
    self.channel = channel
    self.name = name
    self.data = data
  }
}
