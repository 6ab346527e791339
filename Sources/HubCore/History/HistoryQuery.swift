package import HubProtocol

/// What is asked of history. The answer shows the state after the record that the query was made
/// at, or a later one.
package enum HistoryQuery: Sendable {
  /// The messages of a range.
  case range(ChannelRef, ClosedRange<Int>)
  /// Replies to a message, above `after`, oldest first: one more than `limit` if there are more.
  /// `nothingExact` where the message is not kept, and so perhaps not all that answer it.
  case thread(ChannelRef, seq: Int, after: Int, limit: Int)
  /// What a request needs to be decided upon: messages by seq, and the first use of a key.
  case facts(ChannelRef, seqs: [Int], key: (sender: UserRef, key: String)?)
  /// Messages after a position, and those up to it that were changed after `rev`; `nothingExact`
  /// when that cannot be told, or is more than `limit` messages.
  case missed(ChannelRef, range: ClosedRange<Int>?, changedAfter: Int?, upTo: Int, limit: Int)
  /// Posts (messages that answer nothing) of several channels, newest first, ties by channel name
  /// and seq, all descending; below a place when there is one.
  case posts([ChannelRef], below: PostPlace?, limit: Int)
  /// What notifications say, by number, at most `Limits.notifyRecipients`.
  case notifications([Int])
  /// Messages whose text holds all words, newest first.
  case search(HistorySearch)
}

/// Where a post stands among those of several channels.
package struct PostPlace: Comparable, Sendable {
  package let ts: Timestamp
  package let channel: ChannelName
  package let seq: Int

  package init(ts: Timestamp, channel: ChannelName, seq: Int) {
    self.ts = ts
    self.channel = channel
    self.seq = seq
  }

  package static func < (lhs: PostPlace, rhs: PostPlace) -> Bool {
    (lhs.ts, lhs.channel, lhs.seq) < (rhs.ts, rhs.channel, rhs.seq)
  }
}

/// What `message.search` looks for.
package struct HistorySearch: Sendable {
  /// As the client wrote it.
  package let text: String
  /// Where to look.
  package let channels: Set<ChannelRef>
  /// Whose messages are not found.
  package let excluded: Set<UserRef>
  /// Only what stands below this place of an earlier answer.
  package let below: Int?
  package let limit: Int

  package init(
    text: String, channels: Set<ChannelRef>, excluded: Set<UserRef>, below: Int?, limit: Int
  ) {
    self.text = text
    self.channels = channels
    self.excluded = excluded
    self.below = below
    self.limit = limit
  }
}

/// What history has to say.
package enum HistoryAnswer: Sendable {
  /// For `range`, `thread`, `posts`: what is there, in the order asked for. Of a range the messages
  /// that are kept; holes mean that they are not.
  case messages([StoredMessage])
  /// For `facts`: the messages that are kept, by ascending seq, and the send that first used the
  /// key.
  case facts([StoredMessage], first: KeyTable.Sent?)
  /// For `missed`; nil when it cannot be told exactly or is too much.
  case missed(messages: [StoredMessage], changed: [StoredMessage]?)
  case nothingExact
  /// For `notifications`: those that are kept, ascending.
  case notifications([StoredNotification])
  /// For `search`: the place to go on from when there may be more.
  case found([StoredMessage], next: Int?)
  /// What history holds there is damaged: what.
  case damaged(String)
  /// History cannot be read at the moment: why.
  case failed(String)
}
