/// The events of the protocol (protocol, "Events").
extension JSONWriter {
  mutating func event(_ event: Event) {
    switch event {
    case .message(let message, let toSender):
      literal("{\"ev\":\"message\",")
      messageMembers(message, showsKey: toSender)
    case .hiddenMessage(let channel, let seq):
      literal("{\"ev\":\"message\",")
      hiddenMembers(channel, seq: seq)
    case .messageChanged(let change): messageChanged(change)
    case .reaction(let change): reaction(change)
    case .signal(let signal, let user): self.signal(signal, from: user)
    case .typing(let channel, let users): typing(channel, users)
    case .typingCount(let channel, let count): typingCount(channel, count)
    case .receipt(let channel, let user, let read, let delivered):
      receipt(channel, user: user, read: read, delivered: delivered)
    case .readBy(let channel, let counts): readBy(channel, counts)
    case .member(let channel, let user, let change, let role):
      membership(channel, user: user, change, role)
    case .channelCreated(let summary): channel("{\"ev\":\"channel.created\"", summary)
    case .channelUpdated(let summary): channel("{\"ev\":\"channel.updated\"", summary)
    case .channelDeleted(let channel):
      member("{\"ev\":\"channel.deleted\",\"channel\":", channel)
    case .presence(let presence):
      literal("{\"ev\":\"presence\",")
      presenceMembers(presence)
    case .present(let channel, let count): present(channel, count)
    case .user(let user):
      literal("{\"ev\":\"user\",\"user\":")
      self.user(user)
    case .ownSettings(let settings, let blocked):
      literal("{\"ev\":\"self\",\"settings\":")
      self.settings(settings, blocked: blocked)
    case .ownMute(let channel, let isMuted): ownMute(channel, isMuted)
    case .activity(let activity): self.activity(activity)
    case .unread(let counts): unread(counts)
    case .inbox(let event, let stand): inboxEvent(event, stand)
    case .notice(let notice): self.notice(notice)
    case .noticeRetract(let channel, let seq):
      member("{\"ev\":\"notice.retract\",\"channel\":", channel)
      member(",\"seq\":", seq)
    case .unsubscribed(let channel, let reason): unsubscribed(channel, reason)
    case .gap(let gap): self.gap(gap)
    case .userGap: literal("{\"ev\":\"gap\",\"scope\":\"user\"")
    case .error(let op, let refusal): error(op: op, refusal)
    }
    literal("}")
  }

  private mutating func unsubscribed(_ channel: ChannelName, _ reason: UnsubscribeReason) {
    member("{\"ev\":\"unsubscribed\",\"channel\":", channel)
    member(",\"reason\":", word: reason)
  }

  private mutating func gap(_ gap: Gap) {
    member("{\"ev\":\"gap\",\"channel\":", gap.channel)
    member(",\"from\":", gap.from)
    member(",\"to\":", gap.to)
    member(",\"rev\":", gap.rev)
  }

  private mutating func error(op: String?, _ refusal: Refusal) {
    literal("{\"ev\":\"error\"")
    member(",\"op\":", op)
    literal(",\"error\":")
    self.refusal(refusal)
  }
}

// MARK: - To subscribers

extension JSONWriter {
  private mutating func messageChanged(_ change: MessageChange) {
    let message = change.message
    literal(message.isDeleted ? "{\"ev\":\"message.deleted\"," : "{\"ev\":\"message.updated\",")
    if change.isHidden {
      hiddenMembers(message.channel, seq: message.seq)
    } else {
      messageMembers(message, showsKey: change.toSender)
    }
    member(",\"rev\":", message.rev)
  }

  private mutating func reaction(_ change: ReactionChange) {
    member("{\"ev\":\"reaction\",\"channel\":", change.channel)
    member(",\"seq\":", change.seq)
    member(",\"user\":", change.user)
    member(",\"reaction\":", change.reaction)
    member(",\"on\":", change.isOn)
    member(",\"count\":", change.count)
    member(",\"rev\":", change.rev)
  }

  private mutating func signal(_ signal: Signal, from user: UserID) {
    member("{\"ev\":\"signal\",\"channel\":", signal.channel)
    member(",\"user\":", user)
    member(",\"name\":", signal.name)
    member(",\"data\":", signal.data)
  }

  private mutating func typing(_ channel: ChannelName, _ users: [UserID]) {
    member("{\"ev\":\"typing\",\"channel\":", channel)
    member(",\"users\":[", users: users)
  }

  private mutating func typingCount(_ channel: ChannelName, _ count: Int) {
    member("{\"ev\":\"typing\",\"channel\":", channel)
    member(",\"count\":", count)
  }

  private mutating func receipt(_ channel: ChannelName, user: UserID, read: Int, delivered: Int) {
    member("{\"ev\":\"receipt\",\"channel\":", channel)
    member(",\"user\":", user)
    member(",\"read\":", read)
    member(",\"delivered\":", delivered)
  }

  private mutating func readBy(_ channel: ChannelName, _ counts: [ReadCount]) {
    member("{\"ev\":\"receipt\",\"channel\":", channel)
    literal(",\"read_by\":{")
    list(counts) { writer, count in
      writer.numberedName(count.seq)
      writer.member(":", count.members)
    }
    literal("}")
  }

  private mutating func membership(
    _ channel: ChannelName, user: UserID, _ change: MemberChange, _ role: Role?
  ) {
    member("{\"ev\":\"member\",\"channel\":", channel)
    member(",\"user\":", user)
    member(",\"change\":", word: change)
    member(",\"role\":", word: role)
  }

  private mutating func present(_ channel: ChannelName, _ count: Int) {
    member("{\"ev\":\"present\",\"channel\":", channel)
    member(",\"count\":", count)
  }
}

// MARK: - To the user's own connections

extension JSONWriter {
  /// `head` is the object up to the event's name.
  private mutating func channel(_ head: StaticString, _ summary: ChannelSummary) {
    literal(head)
    member(",\"channel\":", summary.channel)
    literal(",\"summary\":")
    self.summary(summary)
  }

  private mutating func ownMute(_ channel: ChannelName, _ isMuted: Bool) {
    member("{\"ev\":\"self\",\"channel\":", channel)
    member(",\"muted\":", isMuted)
  }

  private mutating func activity(_ activity: Activity) {
    member("{\"ev\":\"activity\",\"channel\":", activity.channel)
    member(",\"seq\":", activity.seq)
    member(",\"user\":", activity.user)
    member(",\"ts\":", activity.ts)
    member(",\"preview\":", activity.preview)
  }

  private mutating func unread(_ counts: UnreadCounts) {
    member("{\"ev\":\"unread\",\"channel\":", counts.channel)
    member(",\"unread\":", counts.unread)
    member(",\"mentions\":", counts.mentions)
    member(",\"total\":", counts.total)
    member(",\"at\":", counts.at)
  }
}
