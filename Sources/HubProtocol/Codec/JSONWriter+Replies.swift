/// What stands in `ok` (protocol, each operation's last column).
extension JSONWriter {
  mutating func reply(_ reply: Reply) {
    switch reply {
    case .empty:
      literal("{}")
    case .hello(let hello):
      self.hello(hello)
    case .pong(let serverTs):
      literal("{\"server_ts\":")
      integer(serverTs.milliseconds)
      literal("}")
    case .channel(let summary):
      literal("{\"channel\":")
      self.summary(summary)
      literal("}")
    case .channels(let summaries, let cursor):
      literal("{\"channels\":")
      array(summaries) { writer, summary in writer.summary(summary) }
      end(cursor: cursor)
    case .subscribed(let subscribed):
      self.subscribed(subscribed)
    case .sent(let seq, let ts, let isDuplicate):
      literal("{\"seq\":")
      integer(seq)
      literal(",\"ts\":")
      integer(ts.milliseconds)
      literal(isDuplicate ? ",\"duplicate\":true}" : "}")
    case .history(let messages, let hasMore, let viewer):
      literal("{\"messages\":")
      self.messages(messages, viewer: viewer)
      literal(",\"has_more\":")
      bool(hasMore)
      literal("}")
    case .notified(let made, let unknown):
      literal("{\"made\":")
      integer(made)
      literal(",\"unknown\":[")
      users(unknown)
      literal("]}")
    case .inbox(let items, let counts, let at, let cursor):
      inbox(items, counts, at: at, cursor: cursor)
    case .snapshot(let taken):
      snapshot(taken)
    }
  }

  private mutating func snapshot(_ taken: SnapshotReply) {
    literal("{\"file\":")
    string(taken.file)
    literal(",\"bytes\":")
    integer(taken.bytes)
    literal(",\"lsn\":")
    integer(taken.lsn)
    literal(",\"took_ms\":")
    integer(taken.milliseconds)
    literal("}")
  }

  private mutating func inbox(
    _ items: [InboxItem], _ counts: InboxCounts, at: Int, cursor: String?
  ) {
    literal("{\"items\":")
    array(items) { writer, item in writer.inboxItem(item) }
    literal(",\"counts\":")
    inboxCounts(counts)
    literal(",\"at\":")
    integer(at)
    end(cursor: cursor)
  }

  private mutating func end(cursor: String?) {
    if let cursor {
      literal(",\"cursor\":")
      string(cursor)
    }
    literal("}")
  }

  private mutating func subscribed(_ reply: SubscribeReply) {
    literal("{\"epoch\":")
    string(reply.epoch)
    literal(",\"seq\":")
    integer(reply.seq)
    literal(",\"rev\":")
    integer(reply.rev)
    literal(",\"recovered\":")
    bool(reply.isRecovered)
    literal(",\"messages\":")
    messages(reply.messages, viewer: reply.viewer)
    literal("}")
  }

  private mutating func hello(_ hello: HelloReply) {
    literal("{\"user\":")
    user(hello.user)
    literal(",\"session\":")
    string(hello.session)
    literal(",\"protocol\":1,\"server_ts\":")
    integer(hello.serverTs.milliseconds)
    literal(",\"heartbeat_ms\":")
    integer(hello.heartbeatMilliseconds)
    limits(requestsPerSecond: hello.requestsPerSecond)
    userStream(hello.userStream)
    literal("}")
  }

  private mutating func limits(requestsPerSecond: Int?) {
    literal(",\"limits\":{\"message\":")
    integer(Limits.messageBytes)
    literal(",\"text\":")
    integer(Limits.textCharacters)
    literal(",\"recover\":")
    integer(Limits.recoverMessages)
    literal(",\"list\":")
    integer(Limits.listEntries)
    literal(",\"requests_per_s\":")
    if let requestsPerSecond { integer(requestsPerSecond) } else { literal("null") }
    literal("}")
  }

  private mutating func userStream(_ stream: UserStream) {
    literal(",\"user_stream\":{\"at\":")
    string(stream.at)
    literal(",\"recovered\":")
    bool(stream.isRecovered)
    literal(",\"channels\":")
    array(stream.channels) { writer, summary in writer.summary(summary) }
    if let left = stream.left {
      literal(",\"left\":")
      array(left) { writer, channel in writer.name(channel.text) }
    }
    literal(stream.hasMore ? ",\"more\":true}" : "}")
  }

  /// A user object (protocol, "Users"); the id stands in for a missing name.
  private mutating func user(_ user: User) {
    literal("{\"id\":")
    name(user.id.text)
    literal(",\"name\":")
    string(user.name ?? user.id.text)
    literal(user.isBot ? ",\"bot\":true}" : "}")
  }
}
