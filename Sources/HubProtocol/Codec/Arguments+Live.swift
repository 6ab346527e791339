/// The arguments of what is not kept, and of pointers (protocol, "Ephemeral" and "Receipts and
/// unread").
extension Arguments {
  @inline(__always)
  func operation(_ name: OperationName.Live) throws(Refusal) -> Operation {
    switch name {
    case .typing: try .typing(channel(), on: isTyping())
    case .signal: try .signal(signal())
    case .presenceSet: try .presenceSet(requiredChoice(.status))
    case .presenceGet: try presenceGet()
    case .focus: try .focus(focus())
    case .read: try .read(channel(), seq: requiredInteger(.seq, from: 0))
    case .delivered: try .delivered(channel(), seq: requiredInteger(.seq, from: 0))
    case .readUnread: try .readUnread(channel(), seq: requiredInteger(.seq, from: 1))
    }
  }

  private func isTyping() throws(Refusal) -> Bool {
    guard let on = try bool(.on) else { throw .missing(.on) }
    return on
  }

  private func signal() throws(Refusal) -> Signal {
    Signal(
      channel: try channel(), name: try requiredWord(.name, atMost: Limits.signalNameBytes),
      data: try raw(.data))
  }

  private func presenceGet() throws(Refusal) -> Operation {
    let users = try users(.users, atMost: Limits.listEntries)
    let channels = try channels()
    switch (users, channels) {
    case (let users?, nil):
      return .presenceOfUsers(try notEmpty(users, .users))
    case (nil, let channels?):
      return .presenceOfChannels(try notEmpty(channels, .channels))
    case (nil, nil), (.some, .some):
      throw Refusal(.badRequest, "exactly one of `users` and `channels` is required")
    }
  }

  /// What `screen` of `focus` can be.
  private enum Screen: String, CaseIterable {
    case channel
    case list
    case away
  }

  /// `channel` is looked at only where the screen is one.
  private func focus() throws(Refusal) -> Focus {
    switch try requiredChoice(.screen, Screen.self) {
    case .channel: .channel(try channel())
    case .list: .list
    case .away: .away
    }
  }
}
