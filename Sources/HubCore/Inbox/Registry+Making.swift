import HashTreeCollections
import HubProtocol

/// Notifications that the hub makes by itself, and takes back (protocol, "What the hub makes").
extension Registry {
  // MARK: - Messages

  /// A message was sent: tells whom it answers and whom it mentions.
  mutating func noteMessage(
    _ message: Message, by sender: UserRef, mentioned: [UserRef], parent: Message?,
    in channel: ChannelRef
  ) {
    guard message.content.mentionsChannel || !mentioned.isEmpty || parent != nil else { return }
    let key = hash(.message, channel.index, message.seq)
    if let author = parent.flatMap({ userRefs[$0.user] }), author != sender {
      deliver(.reply, message, key, to: [author], by: sender, in: channel)
    }
    deliver(.mention, message, key, to: mentioned, by: sender, in: channel)
    guard message.content.mentionsChannel else { return }
    let arrival = arrival(.mention, message, key, by: sender, in: channel)
    begin(.deliver(arrival), members(of: channel))
  }

  /// A message's mentions were changed.
  mutating func noteEdit(
    _ after: Message, from before: Message, by sender: UserRef, in channel: ChannelRef
  ) {
    guard
      before.content.mentions != after.content.mentions
        || before.content.mentionsChannel != after.content.mentionsChannel
    else { return }
    let key = hash(.message, channel.index, after.seq)
    let kept = known(after.content.mentions)
    let work = NotifyRun.Work.retract(
      key: key, type: NotificationTypes.Made.mention.rawValue, sparing: kept)
    if !after.content.mentionsChannel {
      let told = known(before.content.mentions)
      begin(work, before.content.mentionsChannel ? members(of: channel) : .users(told))
    }
    deliver(.mention, after, key, to: kept, by: sender, in: channel)
    guard after.content.mentionsChannel, !before.content.mentionsChannel else { return }
    let arrival = arrival(.mention, after, key, by: sender, in: channel)
    begin(.deliver(arrival), members(of: channel))
  }

  /// A message was deleted: nothing is left of what was made of it, and of who liked it.
  mutating func noteDeletion(
    of message: Message, reactors: [UserRef], in channel: ChannelRef
  ) {
    let key = hash(.message, channel.index, message.seq)
    let parent = message.replyTo.flatMap { channels[channel.index].window[$0] }
    let told = known(message.content.mentions) + known(parent.map { [$0.user] } ?? [])
    // Whom it answered is not known where that has left memory.
    let isForAll =
      message.content.mentionsChannel || (message.replyTo != nil && parent == nil)
    let work = NotifyRun.Work.retract(key: key, type: nil, sparing: [])
    begin(work, isForAll ? members(of: channel) : .users(told))
    guard !reactors.isEmpty, let author = userRefs[message.user] else { return }
    let likes = Set(reactors.map { hash(.like, channel.index, message.seq, $0.index) })
    let removed = users[author.index].inbox.removeAll { likes.contains($0.key) }
    if !removed.isEmpty { inboxNews.note(.removed(removed), of: author) }
  }

  /// Somebody put their first reaction to a message, or took back their last.
  mutating func noteLike(
    _ isOn: Bool, _ reaction: String, of message: Message, by user: UserRef,
    in channel: ChannelRef, ts: Timestamp
  ) {
    guard let author = userRefs[message.user], author != user else { return }
    let key = hash(.like, channel.index, message.seq, user.index)
    guard isOn else {
      retract(key, from: author)
      return
    }
    guard channels[channel.index].members[author] != nil else { return }
    var notification = notification(of: message, by: user, in: channel)
    notification.data = RawJSON("reaction", reaction)
    let arrival = arrival(.like, notification, key, about: channel, ts: ts)
    _ = deliver(arrival, to: author)
  }

  // MARK: - Feeds and channels

  /// Somebody follows a user.
  mutating func noteFollowing(_ channel: ChannelRef, by user: UserRef, ts: Timestamp) {
    guard let owner = owner(ofFeed: channel), owner != user else { return }
    let follower = users[user.index]
    let notification = Notification(
      type: "", actor: follower.id, target: InboxTarget(kind: "user", id: follower.id.text),
      title: follower.shownName, text: "\(follower.shownName) follows you")
    let key = hash(.follow, channel.index, user.index)
    let arrival = arrival(.follow, notification, key, about: channel, ts: ts)
    _ = deliver(arrival, to: owner)
  }

  /// Somebody follows a user no longer.
  mutating func noteUnfollowing(_ channel: ChannelRef, by user: UserRef) {
    guard let owner = owner(ofFeed: channel) else { return }
    retract(hash(.follow, channel.index, user.index), from: owner)
  }

  /// A channel has ended: takes back from its last members what was made about it.
  mutating func noteEnd(of channel: ChannelRef, _ members: [UserRef]) {
    begin(.forget(channel), .users(members))
  }

  private func owner(ofFeed channel: ChannelRef) -> UserRef? {
    let state = channels[channel.index]
    guard state.isFeed else { return nil }
    return UserID(String(state.name.text.dropFirst(5))).flatMap { userRefs[$0] }
  }

  // MARK: - Parts

  private mutating func deliver(
    _ type: NotificationTypes.Made, _ message: Message, _ key: UInt64, to users: [UserRef],
    by sender: UserRef, in channel: ChannelRef
  ) {
    let members = users.filter { channels[channel.index].members[$0] != nil && $0 != sender }
    guard !members.isEmpty else { return }
    begin(.deliver(arrival(type, message, key, by: sender, in: channel)), .users(members))
  }

  private mutating func arrival(
    _ type: NotificationTypes.Made, _ message: Message, _ key: UInt64, by sender: UserRef,
    in channel: ChannelRef
  ) -> Inbox.Arrival {
    arrival(
      type, notification(of: message, by: sender, in: channel), key, about: channel,
      ts: message.editedTs ?? message.ts)
  }

  private mutating func arrival(
    _ type: NotificationTypes.Made, _ notification: Notification, _ key: UInt64,
    about channel: ChannelRef, ts: Timestamp
  ) -> Inbox.Arrival {
    var notification = notification
    notification.type = notificationTypes.name(of: type.rawValue)
    return Inbox.Arrival(
      type: type.rawValue, publisher: .hub(channel), channel: channel, key: key, collapse: 0,
      body: keep(notification, ts: ts), actor: notification.actor, expiresTs: nil, ts: ts)
  }

  /// What is said of a message; the type is still to be named.
  private func notification(
    of message: Message, by actor: UserRef, in channel: ChannelRef
  ) -> Notification {
    Notification(
      type: "", actor: users[actor.index].id,
      target: InboxTarget(
        kind: "message", id: "\(channels[channel.index].name)/\(message.seq)",
        thumb: message.content.firstImageURL),
      title: title(of: channel, by: actor), text: Preview.make(message.content))
  }

  /// What stands above a message that is shown by itself (protocol, "Notices").
  func title(of channel: ChannelRef, by sender: UserRef) -> String {
    let state = channels[channel.index]
    return NoticeDecision.title(
      channelKind: state.kind, channelName: state.profile.name ?? state.name.text,
      senderName: users[sender.index].shownName)
  }

  private func known(_ ids: [UserID]) -> [UserRef] { ids.compactMap { userRefs[$0] } }
}
