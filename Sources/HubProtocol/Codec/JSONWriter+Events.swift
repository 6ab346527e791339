/// The events of the protocol (protocol, "Events").
extension JSONWriter {
  mutating func event(_ event: Event) {
    switch event {
    case .message(let message, let toSender):
      literal("{\"ev\":\"message\",")
      messageMembers(message, showsKey: toSender)
    case .typing(let channel, let users):
      channelEvent("{\"ev\":\"typing\",\"channel\":", channel, ",\"users\":[")
      self.users(users)
      literal("]")
    case .typingCount(let channel, let count):
      channelEvent("{\"ev\":\"typing\",\"channel\":", channel, ",\"count\":")
      integer(count)
    case .receipt(let channel, let user, let read, let delivered):
      receipt(channel, user: user, read: read, delivered: delivered)
    case .readBy(let channel, let counts):
      readBy(channel, counts)
    case .member(let channel, let user, let change, let role):
      member(channel, user: user, change, role)
    case .channelCreated(let summary):
      channelEvent("{\"ev\":\"channel.created\",\"channel\":", summary.channel, ",\"summary\":")
      self.summary(summary)
    case .activity(let activity):
      self.activity(activity)
    case .unread(let counts):
      unread(counts)
    case .inboxAdded(let item, let counts, let at):
      literal("{\"ev\":\"inbox.added\",\"item\":")
      inboxItem(item)
      inboxStand(counts, at: at)
    case .inboxUpdated(let item, let counts, let at):
      literal("{\"ev\":\"inbox.updated\",\"item\":")
      inboxItem(item)
      inboxStand(counts, at: at)
    case .inboxRemoved(let ids, let counts, let at):
      literal("{\"ev\":\"inbox.removed\",\"ids\":")
      array(ids) { writer, id in writer.numberedName(id) }
      inboxStand(counts, at: at)
    case .unsubscribed(let channel, let reason):
      channelEvent("{\"ev\":\"unsubscribed\",\"channel\":", channel, ",\"reason\":")
      name(reason.rawValue)
    case .error(let op, let refusal):
      error(op: op, refusal)
    }
    literal("}")
  }

  private mutating func channelEvent(
    _ head: StaticString, _ channel: ChannelName, _ next: StaticString
  ) {
    literal(head)
    name(channel.text)
    literal(next)
  }

  private mutating func receipt(
    _ channel: ChannelName, user: UserID, read: Int, delivered: Int
  ) {
    channelEvent("{\"ev\":\"receipt\",\"channel\":", channel, ",\"user\":")
    name(user.text)
    literal(",\"read\":")
    integer(read)
    literal(",\"delivered\":")
    integer(delivered)
  }

  private mutating func readBy(_ channel: ChannelName, _ counts: [ReadCount]) {
    channelEvent("{\"ev\":\"receipt\",\"channel\":", channel, ",\"read_by\":{")
    list(counts) { writer, count in
      writer.numberedName(count.seq)
      writer.literal(":")
      writer.integer(count.members)
    }
    literal("}")
  }

  private mutating func member(
    _ channel: ChannelName, user: UserID, _ change: MemberChange, _ role: Role?
  ) {
    channelEvent("{\"ev\":\"member\",\"channel\":", channel, ",\"user\":")
    name(user.text)
    literal(",\"change\":")
    name(change.rawValue)
    guard let role else { return }
    literal(",\"role\":")
    name(role.rawValue)
  }

  private mutating func activity(_ activity: Activity) {
    channelEvent("{\"ev\":\"activity\",\"channel\":", activity.channel, ",\"seq\":")
    integer(activity.seq)
    literal(",\"user\":")
    name(activity.user.text)
    literal(",\"ts\":")
    integer(activity.ts.milliseconds)
    literal(",\"preview\":")
    string(activity.preview)
  }

  private mutating func unread(_ counts: UnreadCounts) {
    channelEvent("{\"ev\":\"unread\",\"channel\":", counts.channel, ",\"unread\":")
    integer(counts.unread)
    literal(",\"mentions\":")
    integer(counts.mentions)
    literal(",\"total\":")
    integer(counts.total)
    literal(",\"at\":")
    integer(counts.at)
  }

  /// `counts` and `at` of an inbox event, each with a comma in front.
  private mutating func inboxStand(_ counts: InboxCounts, at: Int) {
    literal(",\"counts\":")
    inboxCounts(counts)
    literal(",\"at\":")
    integer(at)
  }

  private mutating func error(op: String?, _ refusal: Refusal) {
    literal("{\"ev\":\"error\",")
    if let op {
      literal("\"op\":")
      string(op)
      literal(",")
    }
    literal("\"error\":")
    self.refusal(refusal)
  }
}
