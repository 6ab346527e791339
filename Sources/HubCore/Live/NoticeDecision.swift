package import HubProtocol

/// Why a user is told nothing of a message, in the order in which it is asked: the first counts.
package enum NoticeSilence: String, Sendable, CaseIterable {
  case ownMessage
  case deleted
  case channelMuted
  case senderMuted
  case typeMuted
  case blocked
  /// It was read already.
  case read
  /// The channel is large, and the message is no mention.
  case large
  /// On some connection the person looks at the channel.
  case hasFocus
  /// Nobody looks, and the user is not to be disturbed.
  case quiet
}

/// What a user is told of a message.
package enum NoticeOutcome: Equatable, Sendable {
  case none(NoticeSilence)
  /// For each connection, in the order of `NoticeCase.focus`, what it shows; nil for nothing. At
  /// least one shows something.
  case surfaces([NoticeSurface?])
  /// No connection would show it: it is handed to whatever wakes the user's devices.
  case push
}

/// The rules of `notice`, in one place (protocol, "Notices").
package enum NoticeDecision {
  /// What becomes of one message for one user. Whoever had to wait with a notice asks again before
  /// it goes out: the message may have been read meanwhile, and the focus may be another.
  package static func outcome(of noticeCase: NoticeCase) -> NoticeOutcome {
    if let silence = silence(noticeCase) { return .none(silence) }
    let surfaces = noticeCase.focus.map { surface($0, isQuiet: noticeCase.isQuiet) }
    if surfaces.contains(where: { $0 != nil }) { return .surfaces(surfaces) }
    return noticeCase.isQuiet ? .none(.quiet) : .push
  }

  /// A notice's title: the sender's name, outside direct channels with the channel's in front.
  ///
  /// - Parameter channelName: What people call the channel, not what it is called on the wire.
  package static func title(
    channelKind: ChannelKind, channelName: String, senderName: String
  ) -> String {
    switch channelKind {
    case .direct: senderName
    case .group, .public, .broadcast: "\(channelName) - \(senderName)"
    }
  }

  /// Why it is told on no connection at all; nil where each goes by its own focus.
  private static func silence(_ noticeCase: NoticeCase) -> NoticeSilence? {
    if noticeCase.isOwn { return .ownMessage }
    if noticeCase.isDeleted { return .deleted }
    if noticeCase.isChannelMuted { return .channelMuted }
    if noticeCase.isSenderMuted { return .senderMuted }
    if noticeCase.isTypeMuted { return .typeMuted }
    if noticeCase.isBlocked { return .blocked }
    if noticeCase.isRead { return .read }
    if noticeCase.isLarge, !noticeCase.isForMention { return .large }
    return noticeCase.focus.contains(.here) ? .hasFocus : nil
  }

  /// What one connection shows while none looks at the channel.
  private static func surface(_ focus: FocusRelation, isQuiet: Bool) -> NoticeSurface? {
    switch focus {
    case .elsewhere: isQuiet ? .badge : .toast
    case .list, .unset: .badge
    case .here, .away: nil
    }
  }
}
