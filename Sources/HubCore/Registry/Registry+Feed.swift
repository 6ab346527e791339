import HashTreeCollections
import HeapModule
import HubProtocol

/// `feed.list`: the posts of all broadcast channels that the user has joined, newest first.
extension Registry {
  /// A page below a cursor, and the next page's.
  func feed(
    of user: UserRef, below cursor: String?, limit: Int
  ) throws(Refusal) -> (messages: [MessageView], cursor: String?) {
    let bound = try cursor.map { (text) throws(Refusal) in try FeedPlace(cursor: text) }
    var heads = Heap<FeedHead>()
    for channel in users[user.index].channels
    where channels[channel.index].kind == .broadcast {
      if let head = newestPost(in: channel, from: nil, below: bound) { heads.insert(head) }
    }
    var messages: [MessageView] = []
    var budget = PageBudget()
    var last: FeedPlace?
    while let head = heads.popMax() {
      let message = head.message
      guard messages.count < limit, budget.takes(message.weight) else {
        return (messages, last?.cursor)
      }
      messages.append(view(message, in: head.channel, for: user))
      last = head.place
      if let next = newestPost(in: head.channel, from: message.seq - 1, below: bound) {
        heads.insert(next)
      }
    }
    return (messages, nil)
  }

  /// The newest message that is no reply, from a seq downwards and below a place in the feed.
  private func newestPost(
    in channel: ChannelRef, from start: Int?, below bound: FeedPlace?
  ) -> FeedHead? {
    let state = channels[channel.index]
    var seq = start ?? state.seq
    while let message = state.window[seq] {
      seq -= 1
      guard message.replyTo == nil else { continue }
      let head = FeedHead(message: message, channel: channel)
      if let bound, !(head.place < bound) { continue }
      return head
    }
    return nil
  }
}

/// The newest post of one channel that is not on the page yet.
private struct FeedHead: Comparable {
  let message: Message
  let channel: ChannelRef

  var place: FeedPlace {
    FeedPlace(ts: message.ts.milliseconds, channel: message.channel, seq: message.seq)
  }

  static func < (lhs: FeedHead, rhs: FeedHead) -> Bool { lhs.place < rhs.place }
  static func == (lhs: FeedHead, rhs: FeedHead) -> Bool { lhs.place == rhs.place }
}

/// Where a post stands in feeds. Written into cursors, so that they hold over restarts.
private struct FeedPlace: Comparable {
  let ts: Int
  let channel: ChannelName
  let seq: Int

  init(ts: Int, channel: ChannelName, seq: Int) {
    self.ts = ts
    self.channel = channel
    self.seq = seq
  }

  init(cursor: String) throws(Refusal) {
    let fields = cursor.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 3, let ts = Int(fields[0]), let seq = Int(fields[1]),
      let channel = ChannelName(String(fields[2]))
    else { throw Refusal(.badRequest, "`cursor` is not one that this list gave") }
    self.init(ts: ts, channel: channel, seq: seq)
  }

  var cursor: String { "\(ts) \(seq) \(channel)" }

  static func < (lhs: FeedPlace, rhs: FeedPlace) -> Bool {
    (lhs.ts, lhs.channel, lhs.seq) < (rhs.ts, rhs.channel, rhs.seq)
  }
}
