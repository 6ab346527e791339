/// What its sender wrote into a message.
package struct MessageContent: Equatable, Sendable {
  /// 1…`Limits.textCharacters` characters; nil when the message has none.
  package var text: String?
  /// A JSON array of attachment objects, kept byte for byte.
  package var attachments: RawJSON?
  /// Any JSON value of the app's own, kept byte for byte.
  package var data: RawJSON?
  /// Users whom the message mentions; `@channel` is `mentionsChannel`.
  package var mentions: [UserID]
  /// Whether the whole channel is mentioned.
  package var mentionsChannel: Bool

  /// What stands in `mentions` for the whole channel.
  static let channelMention = "@channel"

  package init(
    text: String? = nil, attachments: RawJSON? = nil, data: RawJSON? = nil,
    mentions: [UserID] = [], mentionsChannel: Bool = false
  ) {
    self.text = text
    self.attachments = attachments
    self.data = data
    self.mentions = mentions
    self.mentionsChannel = mentionsChannel
  }

  /// The most bytes that the content takes as JSON values.
  var weight: Int {
    var weight = text.map(JSONText.escapedCount) ?? 0
    weight += (attachments?.bytes.count ?? 0) + (data?.bytes.count ?? 0)
    for mention in mentions { weight += mention.text.utf8.count + 3 }
    return weight
  }

  /// Whether there is nothing to send.
  package var isEmpty: Bool { text == nil && attachments == nil && data == nil }
}

/// One message in its present state (protocol, "Messages"). Immutable and shared: the window, the
/// encoder and a snapshot hold the same object, and a change makes another one.
package final class Message: Sendable {
  /// The channel it stands in.
  package let channel: ChannelName
  /// Its number there: 1 is the first, without holes.
  package let seq: Int
  /// Who sent it.
  package let user: UserID
  /// When the hub took it; never less than the message before it.
  package let ts: Timestamp
  /// What was written.
  package let content: MessageContent
  /// The message this one answers, in the same channel.
  package let replyTo: Int?
  /// How many messages answer this one.
  package let replyCount: Int
  /// Whether a bot sent it.
  package let isBot: Bool
  /// The sender's idempotency key; only the sender sees it.
  package let key: String?
  /// The most bytes that the message takes as JSON; also what it counts for in memory.
  package let weight: Int

  package init(
    channel: ChannelName, seq: Int, user: UserID, ts: Timestamp, content: MessageContent,
    replyTo: Int? = nil, replyCount: Int = 0, isBot: Bool = false, key: String? = nil
  ) {
    self.channel = channel
    self.seq = seq
    self.user = user
    self.ts = ts
    self.content = content
    self.replyTo = replyTo
    self.replyCount = replyCount
    self.isBot = isBot
    self.key = key
    self.weight =
      Self.fixedWeight + channel.text.utf8.count + user.text.utf8.count + content.weight
      + (key.map(JSONText.escapedCount) ?? 0)
  }

  /// Member names, punctuation and numbers at their longest.
  private static let fixedWeight = 320

  /// The same message after one more reply.
  package func answered() -> Message {
    Message(
      channel: channel, seq: seq, user: user, ts: ts, content: content, replyTo: replyTo,
      replyCount: replyCount + 1, isBot: isBot, key: key)
  }
}
