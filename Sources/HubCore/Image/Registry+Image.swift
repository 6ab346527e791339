import HashTreeCollections
import HubProtocol

extension Registry {
  /// What an image tells of the registry besides its contents.
  struct StoredSettings {
    let stream: String
    let recordCount: Int
    let newestTs: Timestamp
  }

  /// How many users and channels there are.
  package var counts: (users: Int, channels: Int) { (users.count, channels.count) }

  func writeSettings(to image: inout ImageWriter) {
    image.number(users.count)
    image.number(channels.count)
    image.text(stream)
    image.number(recordCount)
    image.number(newestTs.milliseconds)
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
