import HubProtocol

/// One user, whole.
struct UserState: Sendable {
  let id: UserID
  /// Fixed when the user first appeared.
  let privilege: Privilege
  /// The channels the user is a member of, ascending.
  private(set) var channels: [ChannelRef] = []
  var inbox = Inbox()

  init(id: UserID, privilege: Privilege) {
    self.id = id
    self.privilege = privilege
  }

  /// The user as others see it.
  var profile: User { User(id: id, isBot: privilege == .bot) }

  /// Notes a membership.
  mutating func join(_ channel: ChannelRef) {
    let index = insertionIndex(of: channel)
    guard index == channels.count || channels[index] != channel else { return }
    channels.insert(channel, at: index)
  }

  /// Forgets a membership.
  mutating func leave(_ channel: ChannelRef) {
    let index = insertionIndex(of: channel)
    guard index < channels.count, channels[index] == channel else { return }
    channels.remove(at: index)
  }

  private func insertionIndex(of channel: ChannelRef) -> Int {
    var low = 0
    var high = channels.count
    while low < high {
      let middle = (low + high) / 2
      if channels[middle] < channel { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
