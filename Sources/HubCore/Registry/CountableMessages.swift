import DequeModule
package import HashTreeCollections
import HubProtocol

/// What unread counts are computed from: who wrote each of a channel's newest 2,000 messages, which
/// of them were deleted, and whom they mention. Counts stop at 1,000, so they are exact as long as
/// half of these messages count. They come from this and a pointer and are never stored, so they
/// cannot drift.
package struct CountableMessages: Sendable {
  /// Messages that are looked at.
  package static let limit = 2 * Limits.unreadMessages

  /// Who reads, and whose messages do not count for them.
  package struct Reader {
    package let user: UserRef
    /// Whom the reader has blocked, ascending: their messages do not count.
    package let blocked: [UserRef]
    /// Who has blocked the reader: their mentions do not count.
    package let blockers: TreeSet<UserRef>

    package init(_ user: UserRef, blocked: [UserRef] = [], blockers: TreeSet<UserRef> = []) {
      self.user = user
      self.blocked = blocked
      self.blockers = blockers
    }
  }

  struct Mention: Sendable {
    let seq: Int
    /// Nil when the whole channel is mentioned.
    let user: UserRef?
  }

  private(set) var authors: Deque<UserRef> = []
  /// Numbers of the deleted ones, ascending.
  private(set) var deleted: Deque<Int> = []
  private(set) var mentions: Deque<Mention> = []
  /// Number of the newest message.
  private var lastSeq = 0
  /// Rises whenever counts may change.
  package private(set) var version = 0

  package init() {}

  /// What was stored: the authors of the newest messages up to `lastSeq`.
  init(authors: [UserRef], deleted: [Int], mentions: [Mention], lastSeq: Int) {
    self.authors = Deque(authors)
    self.deleted = Deque(deleted)
    self.mentions = Deque(mentions)
    self.lastSeq = lastSeq
  }

  /// Takes the message after the newest one.
  package mutating func append(
    seq: Int, author: UserRef, mentioned: [UserRef], mentionsChannel: Bool
  ) {
    lastSeq = seq
    version += 1
    authors.append(author)
    if authors.count > Self.limit { authors.removeFirst() }
    if mentionsChannel { mentions.append(Mention(seq: seq, user: nil)) }
    for user in mentioned { mentions.append(Mention(seq: seq, user: user)) }
    let oldest = seq - authors.count
    while let first = mentions.first, first.seq <= oldest { mentions.removeFirst() }
    while let first = deleted.first, first <= oldest { deleted.removeFirst() }
  }

  /// Puts other mentions in the place of a message's.
  package mutating func edit(seq: Int, mentioned: [UserRef], mentionsChannel: Bool) {
    guard seq > lastSeq - authors.count else { return }
    version += 1
    mentions.removeAll { $0.seq == seq }
    let place = mentions.firstIndex { $0.seq > seq } ?? mentions.endIndex
    var new = mentionsChannel ? [Mention(seq: seq, user: nil)] : []
    new += mentioned.map { Mention(seq: seq, user: $0) }
    mentions.insert(contentsOf: new, at: place)
  }

  /// A message was deleted: it counts no more, nor do its mentions.
  package mutating func delete(seq: Int) {
    guard seq > lastSeq - authors.count else { return }
    version += 1
    mentions.removeAll { $0.seq == seq }
    let place = deleted.firstIndex { $0 >= seq } ?? deleted.endIndex
    deleted.insert(seq, at: place)
  }

  /// Some of the messages are no longer kept: counts may change.
  mutating func expire() { version += 1 }

  /// How many messages after `read` count for `reader`, and how many of those mention them.
  package func unread(by reader: Reader, after read: Int) -> (unread: Int, mentions: Int) {
    let from = max(read, lastSeq - authors.count)
    guard from < lastSeq else { return (0, 0) }
    var unread = 0
    let user = reader.user
    if reader.blocked.isEmpty {
      for author in authors.suffix(lastSeq - from) where author != user { unread += 1 }
    } else {
      for author in authors.suffix(lastSeq - from) where counts(author, for: reader) { unread += 1 }
    }
    for seq in deleted.reversed() {
      guard seq > from else { break }
      if counts(author(of: seq), for: reader) { unread -= 1 }
    }
    unread = min(unread, Limits.unreadMessages)
    guard !mentions.isEmpty else { return (unread, 0) }
    return (unread, min(mentionCount(of: reader, after: from), Limits.unreadMessages))
  }

  /// Whether one of the messages is by that user.
  func hasAuthor(_ user: UserRef) -> Bool { authors.contains(user) }

  private func counts(_ author: UserRef, for reader: Reader) -> Bool {
    author != reader.user && !reader.blocked.containsSorted(author)
  }

  private func mentionCount(of reader: Reader, after from: Int) -> Int {
    var count = 0
    var counted = from
    for mention in mentions where mention.seq > counted {
      guard mention.user == nil || mention.user == reader.user else { continue }
      let author = author(of: mention.seq)
      guard counts(author, for: reader), !reader.blockers.contains(author) else { continue }
      count += 1
      counted = mention.seq
    }
    return count
  }

  private func author(of seq: Int) -> UserRef {
    authors[authors.count - 1 - (lastSeq - seq)]
  }
}
