import HashTreeCollections
import HubProtocol

extension Registry {
  /// What an image tells of the registry besides its contents.
  struct StoredSettings {
    let stream: String
    let recordCount: Int
    let newestTs: Timestamp
    let types: NotificationTypes
    let bodyCount: Int
    let runs: [NotifyRun]
    let inboxUsage: InboxUsage
  }

  /// How many users and channels there are.
  package var counts: (users: Int, channels: Int) { (users.count, channels.count) }

  func writeSettings(to image: inout ImageWriter) {
    image.number(users.count)
    image.number(channels.count)
    image.text(stream)
    image.number(recordCount)
    image.number(newestTs.milliseconds)
    image.list(notificationTypes.names) { $0.text($1) }
    image.number(bodyCount)
    image.list(runs) { $1.write(to: &$0) }
    image.number(inboxUsage.people)
    image.number(inboxUsage.viewed)
    image.number(inboxUsage.deleted)
    keys.writeSettings(to: &image)
  }

  /// Adds the next user of an image; false when there is one of that id or username.
  mutating func restore(_ user: UserState) -> Bool {
    guard userRefs[user.id] == nil, user.profile.username.map({ usernames[$0] == nil }) ?? true
    else { return false }
    _ = addUser(user)
    return true
  }

  /// Tells everybody by whom they are blocked, once all users are there.
  mutating func restoreBlockers() {
    for index in 0..<UInt32(users.count) {
      for other in users[index].blocked {
        users[other.index].setBlocker(UserRef(index: index), true)
      }
    }
  }

  /// Adds the next channel of an image, and its members' memberships; false when there is one of
  /// that name.
  mutating func restore(_ channel: ChannelState) -> Bool {
    guard channelRefs[channel.name] == nil || channel.isDeleted else { return false }
    let ref = addChannel(channel)
    for user in channel.members.keys { users[user.index].join(ref, named: channel.name) }
    windowChanged(by: channel.window.weight)
    return true
  }
}

extension Registry.StoredSettings {
  init(from image: inout ImageReader, userCount: Int, channelCount: Int) throws(ImageError) {
    stream = try image.text()
    recordCount = try image.number()
    newestTs = try image.timestamp()
    let names = try image.list { image throws(ImageError) in try image.text() }
    guard let types = NotificationTypes(names: names) else {
      throw image.error("different types of notification")
    }
    self.types = types
    bodyCount = try image.number(below: InboxEntry.largestBody + 1, "a body")
    runs = try image.list { image throws(ImageError) in
      try NotifyRun(from: &image, userCount: userCount, channelCount: channelCount)
    }
    guard runs.allSatisfy({ $0.arrival.map { types.has($0.type) } ?? true }) else {
      throw image.error("notifications of known types")
    }
    inboxUsage = InboxUsage(
      people: try image.number(), viewed: try image.number(), deleted: try image.number())
  }
}
