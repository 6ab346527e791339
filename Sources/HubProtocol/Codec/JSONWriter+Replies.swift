/// What stands in `ok` (protocol, each operation's last column).
extension JSONWriter {
  mutating func reply(_ reply: Reply) {
    switch reply {
    case .empty: literal("{")
    case .hello(let hello): self.hello(hello)
    case .pong(let serverTs): member("{\"server_ts\":", serverTs)
    case .channel(let summary):
      literal("{\"channel\":")
      self.summary(summary)
    case .channels(let summaries, let cursor):
      items("{\"channels\":", summaries, cursor: cursor) { $0.summary($1) }
    case .subscribed(let subscribed): self.subscribed(subscribed)
    case .sent(let seq, let ts, let isDuplicate):
      sent(seq: seq, ts: ts, isDuplicate: isDuplicate)
    case .stamped(let ts): member("{\"ts\":", ts)
    case .history(let messages, let hasMore):
      items("{\"messages\":", messages) { $0.message($1) }
      member(",\"has_more\":", hasMore)
    case .messages(let messages, let cursor):
      items("{\"messages\":", messages, cursor: cursor) { $0.message($1) }
    case .members(let members, let cursor):
      items("{\"members\":", members, cursor: cursor) { $0.channelMember($1) }
    case .users(let users): items("{\"users\":", users) { $0.user($1) }
    case .settings(let settings, let blocked):
      literal("{\"settings\":")
      self.settings(settings, blocked: blocked)
    case .presence(let presence): self.presence(presence)
    case .channelPresence(let presence):
      literal("{\"channels\":{")
      list(presence) { writer, channel in writer.channelPresence(channel) }
      literal("}")
    case .flags(let flags): items("{\"flags\":", flags) { $0.flag($1) }
    case .notified(let made, let unknown):
      member("{\"made\":", made)
      member(",\"unknown\":[", users: unknown)
    case .retracted(let count, let unknown):
      member("{\"retracted\":", count)
      member(",\"unknown\":[", users: unknown)
    case .inbox(let items, let stand, let cursor): inbox(items, stand, cursor: cursor)
    case .inboxCounts(let stand): numbers(of: stand)
    case .inboxMarked(let stand): inboxStand(stand, head: "{\"counts\":{")
    case .inboxDeleted(let count, let stand):
      member("{\"deleted\":", count)
      inboxStand(stand)
    case .inboxActed(let target):
      literal("{")
      if let target { targetMember(target) }
    case .snapshot(let taken): copy("{\"file\":", taken)
    case .backup(let taken): copy("{\"dir\":", taken)
    }
    literal("}")
  }

  /// A list under the name in `head`, and where it goes on.
  private mutating func items<Item>(
    _ head: StaticString, _ items: [Item], cursor: String? = nil,
    _ write: (inout JSONWriter, Item) -> Void
  ) {
    literal(head)
    array(items, write)
    member(",\"cursor\":", cursor)
  }

  private mutating func sent(seq: Int, ts: Timestamp, isDuplicate: Bool) {
    member("{\"seq\":", seq)
    member(",\"ts\":", ts)
    if isDuplicate { literal(",\"duplicate\":true") }
  }

  private mutating func presence(_ presence: [UserPresence]) {
    literal("{\"presence\":")
    array(presence) { writer, user in
      writer.literal("{")
      writer.presenceMembers(user)
      writer.literal("}")
    }
  }

  /// What was taken, its path under the name in `head`.
  private mutating func copy(_ head: StaticString, _ taken: CopyReply) {
    member(head, taken.path)
    member(",\"bytes\":", taken.bytes)
    member(",\"lsn\":", taken.lsn)
    member(",\"took_ms\":", taken.milliseconds)
  }

  private mutating func numbers(of stand: InboxStand) {
    literal("{")
    inboxCounts(stand.counts)
    member(",\"at\":", stand.at)
  }

  private mutating func inbox(_ items: [InboxItem], _ stand: InboxStand, cursor: String?) {
    self.items("{\"items\":", items) { $0.inboxItem($1) }
    inboxStand(stand)
    member(",\"cursor\":", cursor)
  }

  private mutating func subscribed(_ reply: SubscribeReply) {
    member("{\"epoch\":", reply.epoch)
    member(",\"seq\":", reply.seq)
    member(",\"rev\":", reply.rev)
    member(",\"recovered\":", reply.isRecovered)
    literal(",\"messages\":")
    messages(reply.messages)
    guard let changed = reply.changed else { return }
    literal(",\"changed\":")
    messages(changed)
  }
}

// MARK: - Hello

extension JSONWriter {
  private mutating func hello(_ hello: HelloReply) {
    literal("{\"user\":")
    user(hello.user)
    member(",\"session\":", hello.session)
    member(",\"protocol\":1,\"server_ts\":", hello.serverTs)
    member(",\"heartbeat_ms\":", hello.heartbeatMilliseconds)
    limits(requestsPerSecond: hello.requestsPerSecond)
    userStream(hello.userStream)
  }

  private mutating func limits(requestsPerSecond: Int?) {
    member(",\"limits\":{\"message\":", Limits.messageBytes)
    member(",\"text\":", Limits.textCharacters)
    member(",\"recover\":", Limits.recoverMessages)
    member(",\"list\":", Limits.listEntries)
    literal(",\"requests_per_s\":")
    if let requestsPerSecond { integer(requestsPerSecond) } else { literal("null") }
    literal("}")
  }

  private mutating func userStream(_ stream: UserStream) {
    member(",\"user_stream\":{\"at\":", stream.at)
    member(",\"recovered\":", stream.isRecovered)
    literal(",\"channels\":")
    array(stream.channels) { writer, summary in writer.summary(summary) }
    member(",\"left\":[", channels: stream.left)
    literal(stream.hasMore ? ",\"more\":true}" : "}")
  }
}
