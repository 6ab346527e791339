import DequeModule
import HubProtocol

/// What unread counts are computed from: who wrote each of a channel's newest 1,000 messages, and
/// whom they mention. Counts come from this and a pointer and are never stored, so they cannot
/// drift.
package struct CountableMessages: Sendable {
  /// Messages that can count at most.
  package static let limit = Limits.unreadMessages

  struct Mention: Sendable {
    let seq: Int
    /// Nil when the whole channel is mentioned.
    let user: UserRef?
  }

  private(set) var authors: Deque<UserRef> = []
  private(set) var mentions: Deque<Mention> = []
  /// Number of the newest message.
  private var lastSeq = 0

  package init() {}

  /// What was stored: the authors of the newest messages up to `lastSeq`.
  init(authors: [UserRef], mentions: [Mention], lastSeq: Int) {
    self.authors = Deque(authors)
    self.mentions = Deque(mentions)
    self.lastSeq = lastSeq
  }

  /// Takes the message after the newest one.
  package mutating func append(
    seq: Int, author: UserRef, mentioned: [UserRef], mentionsChannel: Bool
  ) {
    lastSeq = seq
    authors.append(author)
    if authors.count > Self.limit { authors.removeFirst() }
    if mentionsChannel { mentions.append(Mention(seq: seq, user: nil)) }
    for user in mentioned { mentions.append(Mention(seq: seq, user: user)) }
    while let oldest = mentions.first, oldest.seq <= seq - authors.count { mentions.removeFirst() }
  }

  /// How many messages after `read` count for `reader`, and how many of those mention them.
  package func unread(by reader: UserRef, after read: Int) -> (unread: Int, mentions: Int) {
    let from = max(read, lastSeq - authors.count)
    guard from < lastSeq else { return (0, 0) }
    var unread = 0
    for author in authors.suffix(lastSeq - from) where author != reader { unread += 1 }
    guard !mentions.isEmpty else { return (unread, 0) }
    return (unread, mentionCount(of: reader, after: from))
  }

  private func mentionCount(of reader: UserRef, after from: Int) -> Int {
    var count = 0
    var counted = from
    for mention in mentions where mention.seq > counted {
      guard mention.user == nil || mention.user == reader, author(of: mention.seq) != reader else {
        continue
      }
      count += 1
      counted = mention.seq
    }
    return count
  }

  private func author(of seq: Int) -> UserRef {
    authors[authors.count - 1 - (lastSeq - seq)]
  }
}
