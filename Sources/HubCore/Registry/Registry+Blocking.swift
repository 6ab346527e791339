import HashTreeCollections
import HubProtocol

/// One rule for blocking, and who may write to whom (protocol, "Blocking, privacy").
extension Registry {
  /// Whether one of the two has blocked the other.
  func isBlocked(_ one: UserRef, _ other: UserRef) -> Bool {
    hides(one, from: other) || hides(other, from: one)
  }

  /// Whether the viewer has blocked the author.
  func hides(_ author: UserRef, from viewer: UserRef) -> Bool {
    users[viewer.index].blocked.containsSorted(author)
  }

  /// Refuses somebody who may not address the other: alike for a block and for the other's choice.
  func checkApproach(of other: UserRef, by user: UserRef) throws(Refusal) {
    guard !hides(other, from: user) else {
      throw Refusal(.blocked, "you have blocked `\(users[other.index].id)`")
    }
    guard !hides(user, from: other), isWelcome(user, to: other) else {
      throw Refusal(.forbidden, "`\(users[other.index].id)` does not take messages from you")
    }
  }

  private func isWelcome(_ user: UserRef, to other: UserRef) -> Bool {
    switch users[other.index].settings.directPolicy {
    case .everyone: true
    case .contacts: isContact(user, of: other)
    case .nobody: false
    }
  }

  /// Whether `other` follows the user, shares a group with them, or has written to them.
  private func isContact(_ user: UserRef, of other: UserRef) -> Bool {
    if let feed = feed(of: user), channels[feed.index].members[other] != nil { return true }
    return users[other.index].channels.contains { channel in
      let state = channels[channel.index]
      switch state.kind {
      case .group: return !state.isLarge && state.members[user] != nil
      case .direct:
        return counterpart(of: other, in: channel) == user && hasWritten(other, in: state)
      case .public, .broadcast: return false
      }
    }
  }

  private func hasWritten(_ user: UserRef, in direct: ChannelState) -> Bool {
    direct.pair?.0 == user ? direct.pairWrote.0 : direct.pairWrote.1
  }

  /// A user's `feed:` channel.
  func feed(of user: UserRef) -> ChannelRef? {
    ChannelName("feed:\(users[user.index].id)").flatMap { channelRefs[$0] }
  }

  mutating func setBlocked(
    _ id: UserID, _ isOn: Bool, by user: UserRef
  ) throws(Refusal) -> Applied {
    let other = try existingUser(id)
    guard other != user else { throw Refusal(.badRequest, "`user` must be somebody else") }
    guard !isOn || users[user.index].blocked.count < Limits.blockedUsers || hides(other, from: user)
    else { throw Refusal(.tooLarge, "at most \(Limits.blockedUsers) users may be blocked") }
    guard users[user.index].setBlocked(other, isOn) else {
      return .blocked(other, isNew: false)
    }
    users[other.index].setBlocker(user, isOn)
    users[user.index].cutStream(at: recordCount)
    return .blocked(other, isNew: true)
  }
}
