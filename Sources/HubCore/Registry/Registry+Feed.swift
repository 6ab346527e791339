import HashTreeCollections
import HeapModule
import HubProtocol

/// `feed.list`: the posts of all broadcast channels that the user has joined, newest first.
extension Registry {
  /// A page of a feed.
  struct FeedPage {
    let messages: [MessageView]
    let cursor: String?
  }

  /// A page below a place; nil when memory does not reach, and history is to be asked.
  func feed(of user: UserRef, below bound: PostPlace?, limit: Int) -> FeedPage? {
    var heads = Heap<FeedHead>()
    for channel in feeds(of: user) {
      guard add(channel, from: nil, below: bound, to: &heads) else { return nil }
    }
    var messages: [MessageView] = []
    var budget = PageBudget()
    var last: PostPlace?
    while let head = heads.popMax() {
      let message = head.message
      guard messages.count < limit, budget.takes(message.weight) else {
        return FeedPage(messages: messages, cursor: last?.cursor)
      }
      messages.append(view(message, in: head.channel, for: user))
      last = head.place
      guard add(head.channel, from: message.seq - 1, below: bound, to: &heads) else { return nil }
    }
    return FeedPage(messages: messages, cursor: nil)
  }

  /// A page of what history had: one post more than `limit` when there are more.
  func feed(of user: UserRef, _ loaded: [StoredMessage], limit: Int) -> FeedPage {
    let joined = Set(feeds(of: user))
    var messages: [MessageView] = []
    var budget = PageBudget()
    var last: PostPlace?
    for stored in loaded {
      guard messages.count < limit, budget.takes(stored.message.weight) else {
        return FeedPage(messages: messages, cursor: last?.cursor)
      }
      last = PostPlace(of: stored.message)
      guard joined.contains(stored.channel), let view = present(stored, for: user) else { continue }
      messages.append(view)
    }
    return FeedPage(messages: messages, cursor: nil)
  }

  /// The channels whose posts somebody follows.
  func feeds(of user: UserRef) -> [ChannelRef] {
    users[user.index].channels.filter { channels[$0.index].kind == .broadcast }
  }

  /// Adds a channel's newest post from a seq downwards and below a place; false when that is not in
  /// memory.
  private func add(
    _ channel: ChannelRef, from start: Int?, below bound: PostPlace?,
    to heads: inout Heap<FeedHead>
  ) -> Bool {
    let state = channels[channel.index]
    var seq = start ?? state.seq
    while seq > state.floor {
      guard let first = state.window.firstSeq, first <= seq, let message = state.window[seq] else {
        return false
      }
      seq -= 1
      let head = FeedHead(message: message, channel: channel)
      guard message.replyTo == nil, bound.map({ head.place < $0 }) ?? true else { continue }
      heads.insert(head)
      return true
    }
    return true
  }
}

/// The newest post of one channel that is not on the page yet.
private struct FeedHead: Comparable {
  let message: Message
  let channel: ChannelRef

  var place: PostPlace { PostPlace(of: message) }

  static func < (lhs: FeedHead, rhs: FeedHead) -> Bool { lhs.place < rhs.place }
  static func == (lhs: FeedHead, rhs: FeedHead) -> Bool { lhs.place == rhs.place }
}

/// Places in cursors, so that they hold over restarts.
extension PostPlace {
  init(of message: Message) {
    self.init(ts: message.ts, channel: message.channel, seq: message.seq)
  }

  init(cursor: String) throws(Refusal) {
    let fields = cursor.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 3, let ts = Int(fields[0]), let seq = Int(fields[1]),
      let channel = ChannelName(String(fields[2]))
    else { throw .foreignCursor }
    self.init(ts: Timestamp(milliseconds: ts), channel: channel, seq: seq)
  }

  var cursor: String { "\(ts.milliseconds) \(seq) \(channel)" }
}
