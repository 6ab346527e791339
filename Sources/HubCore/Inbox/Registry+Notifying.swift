import HashTreeCollections
import HubProtocol

/// What bots and admins publish (protocol, "Inbox": `notify`, `notify.retract`).
extension Registry {
  mutating func notify(
    _ notify: Notify, by publisher: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (audience, unknown) = try self.audience(notify.audience, by: publisher, at: ts)
    let notification = notify.notification
    if let expiry = notification.expiresTs, expiry <= ts {
      throw Refusal(.badRequest, "`expires_ts` has passed")
    }
    guard let type = notificationTypes.add(notification.type) else { throw .tooManyTypes }
    let arrival = Inbox.Arrival(
      type: type, publisher: .user(publisher),
      channel: notify.audience.channel.flatMap { channelRefs[$0] },
      key: notify.key.map { hash(.published, publisher.index, $0) } ?? 0,
      collapse: notify.collapse.map { hash(.collapsed, publisher.index, $0) } ?? 0,
      body: keep(notification, ts: ts), actor: notification.actor,
      expiresTs: notification.expiresTs, ts: ts)
    return .notified(begin(.deliver(arrival), audience), unknown: unknown, isRetraction: false)
  }

  mutating func retract(
    _ retract: NotifyRetract, by publisher: UserRef, ts: Timestamp
  ) throws(Refusal) -> Applied {
    let (audience, unknown) = try self.audience(retract.audience, by: publisher, at: ts)
    let key = hash(.published, publisher.index, retract.key)
    let run = begin(.retract(key: key, type: nil, sparing: []), audience)
    return .notified(run, unknown: unknown, isRetraction: true)
  }

  /// Whom it is for, and who of them nobody knows.
  private func audience(
    _ audience: Notify.Audience, by publisher: UserRef, at ts: Timestamp
  ) throws(Refusal) -> (NotifyRun.Audience, unknown: [UserID]) {
    guard users[publisher.index].privilege != .person else {
      throw Refusal(.forbidden, "only bots and admins notify")
    }
    switch audience {
    case .users(let ids):
      var refs: [UserRef] = []
      var unknown: [UserID] = []
      for id in ids {
        if let ref = userRefs[id] { refs.append(ref) } else { unknown.append(id) }
      }
      return (.users(refs), unknown)
    case .segment(let segment): return (.segment(segment), [])
    case .channel(let name):
      guard let ref = channelRefs[name] else { throw .noChannel(name) }
      if users[publisher.index].privilege != .admin {
        _ = try visibleChannel(name, to: publisher, at: ts)
      }
      return (members(of: ref), [])
    }
  }

  /// A channel's members: those of now, where they are few enough to be named.
  func members(of channel: ChannelRef) -> NotifyRun.Audience {
    let members = channels[channel.index].members
    guard members.count <= Limits.notifyRecipients else { return .members(channel) }
    return .users(members.keys.sorted())
  }

  /// Gives history what a notification says; answers its number.
  mutating func keep(_ notification: Notification, ts: Timestamp) -> Int {
    bodyCount += 1
    inboxNews.note(StoredNotification(number: bodyCount, ts: ts, notification: notification))
    return bodyCount
  }

  /// What a hash of the inbox is of; the numbers are never used again for something else.
  enum HashSubject: UInt32 {
    /// A publisher's `key`.
    case published = 1
    /// A publisher's `collapse`.
    case collapsed = 2
    /// A message of a channel that mentions or answers somebody.
    case message = 3
    /// Somebody's reactions to a message.
    case like = 4
    /// Somebody's following of a feed.
    case follow = 5
  }

  /// Never 0, which stands for no key. It belongs to the stored state, like the key it is made
  /// with.
  func hash(
    _ subject: HashSubject, _ owner: UInt32, _ text: String
  ) -> UInt64 {
    hash(subject, owner) { hash in
      for byte in text.utf8 { hash.add(byte) }
    }
  }

  func hash(
    _ subject: HashSubject, _ channel: UInt32, _ seq: Int, _ actor: UInt32 = 0
  ) -> UInt64 {
    hash(subject, channel) { hash in
      hash.add(UInt32(truncatingIfNeeded: seq))
      hash.add(UInt32(truncatingIfNeeded: seq >> 32))
      hash.add(actor)
    }
  }

  func hash(_ subject: HashSubject, _ channel: UInt32, _ actor: UInt32) -> UInt64 {
    hash(subject, channel) { $0.add(actor) }
  }

  private func hash(
    _ subject: HashSubject, _ owner: UInt32, _ add: (inout SipHash) -> Void
  ) -> UInt64 {
    var hash = SipHash(key: keys.hashKey)
    hash.add(subject.rawValue)
    hash.add(owner)
    add(&hash)
    return max(1, hash.finish().low)
  }
}

extension Notify.Audience {
  fileprivate var channel: ChannelName? {
    if case .channel(let name) = self { name } else { nil }
  }
}

extension Refusal {
  static var tooManyTypes: Refusal {
    Refusal(
      .tooLarge, "there are \(Limits.notificationTypes) types of notification: use one of them")
  }
}
