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
  /// How often each reaction was made, in the order in which they first were.
  package let reactions: [ReactionCount]
  /// When its sender last changed it.
  package let editedTs: Timestamp?
  /// When it was deleted: it has no content any more.
  package let deletedTs: Timestamp?
  /// The channel's `rev` of its last edit, deletion or reaction; 0 before the first.
  package let rev: Int
  /// The most bytes that the message takes as JSON; also what it counts for in memory.
  package let weight: Int

  package init(
    channel: ChannelName, seq: Int, user: UserID, ts: Timestamp, content: MessageContent,
    replyTo: Int? = nil, replyCount: Int = 0, isBot: Bool = false, key: String? = nil,
    reactions: [ReactionCount] = [], editedTs: Timestamp? = nil, deletedTs: Timestamp? = nil,
    rev: Int = 0
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
    self.reactions = reactions
    self.editedTs = editedTs
    self.deletedTs = deletedTs
    self.rev = rev
    var weight = Self.fixedWeight + channel.text.utf8.count + user.text.utf8.count
    weight += content.weight + (key.map(JSONText.escapedCount) ?? 0)
    for reaction in reactions {
      weight += Self.reactionWeight + JSONText.escapedCount(reaction.reaction)
    }
    self.weight = weight
  }

  /// Member names, punctuation and numbers at their longest.
  private static let fixedWeight = 400
  private static let reactionWeight = 48

  /// Whether it was deleted.
  package var isDeleted: Bool { deletedTs != nil }

  /// The same message with another number of replies.
  package func answered(by difference: Int) -> Message {
    changed { $0.replyCount += difference }
  }

  /// The same message with other content.
  package func edited(_ content: MessageContent, ts: Timestamp, rev: Int) -> Message {
    changed {
      $0.content = content
      $0.editedTs = ts
      $0.rev = rev
    }
  }

  /// What is left of the message when it is deleted: its place, and whom it answered.
  package func deleted(ts: Timestamp, rev: Int) -> Message {
    changed {
      $0.content = MessageContent()
      $0.reactions = []
      $0.editedTs = nil
      $0.deletedTs = ts
      $0.rev = rev
    }
  }

  /// The same message with other reactions.
  package func reacted(_ reactions: [ReactionCount], rev: Int) -> Message {
    changed {
      $0.reactions = reactions
      $0.rev = rev
    }
  }

  /// The same message, its newest change at most that one.
  package func changed(noLaterThan rev: Int) -> Message {
    self.rev <= rev ? self : changed { $0.rev = rev }
  }

  /// What of a message may change.
  private struct Changeable {
    var content: MessageContent
    var replyCount: Int
    var reactions: [ReactionCount]
    var editedTs: Timestamp?
    var deletedTs: Timestamp?
    var rev: Int
  }

  private func changed(_ change: (inout Changeable) -> Void) -> Message {
    var parts = Changeable(
      content: content, replyCount: replyCount, reactions: reactions, editedTs: editedTs,
      deletedTs: deletedTs, rev: rev)
    change(&parts)
    return Message(
      channel: channel, seq: seq, user: user, ts: ts, content: parts.content, replyTo: replyTo,
      replyCount: parts.replyCount, isBot: isBot, key: key, reactions: parts.reactions,
      editedTs: parts.editedTs, deletedTs: parts.deletedTs, rev: parts.rev)
  }
}
