import HashTreeCollections
import HubProtocol

/// The in-app surface for new messages (protocol, "Notices").
extension Hub {
  /// Tells those who look at something else of a new message.
  mutating func tellNotices(
    of message: Message, in channel: ChannelRef, by sender: UserRef, at moment: Moment
  ) {
    retractNotices(of: sender, in: channel, upTo: message.seq)
    var shown: [NoticeSurface: [ConnectionID]] = [:]
    for reader in noticeReaders(of: message, in: channel) where reader != sender {
      let outcome = notice(of: message, in: channel, by: sender, for: reader, at: moment)
      if case .surfaces = outcome,
        !mayTellNotice(in: channel, message.seq, reader, at: moment)
      {
        continue
      }
      noteNotice(outcome)
      guard case .surfaces(let surfaces) = outcome else { continue }
      note(surfaces, of: message, in: channel, for: reader, into: &shown)
    }
    tell(shown, of: message, in: channel, by: sender)
  }

  /// Whom a message may concern of those who are there: in large channels those whom it mentions.
  private func noticeReaders(of message: Message, in channel: ChannelRef) -> [UserRef] {
    guard let audience = audiences[channel] else { return [] }
    let state = registry.channels[channel.index]
    let isForAll =
      message.content.mentionsChannel
      || !NoticeCase.isLarge(state.kind, memberCount: state.members.count)
    guard !isForAll else { return Array(audience.online) }
    return message.content.mentions.compactMap { registry.userRefs[$0] }
      .filter { audience.online.contains($0) }
  }

  /// What becomes of a message for one member.
  private func notice(
    of message: Message, in channel: ChannelRef, by sender: UserRef, for reader: UserRef,
    at moment: Moment
  ) -> NoticeOutcome {
    let state = registry.channels[channel.index]
    let user = registry.users[reader.index]
    var noticeCase = NoticeCase(
      focus: connections(of: reader).map {
        FocusRelation(of: sessions[$0]?.focus, to: message.channel)
      })
    noticeCase.isOwn = reader == sender
    noticeCase.isDeleted = message.isDeleted
    noticeCase.isChannelMuted = registry.isMuted(channel, by: reader, at: moment.wall)
    noticeCase.isSenderMuted = user.settings.mutedUsers.contains(message.user)
    noticeCase.areMessagesMuted = user.settings.mutedTypes.contains(NoticeCase.messageType)
    noticeCase.areMentionsMuted = user.settings.mutedTypes.contains(NoticeCase.mentionType)
    noticeCase.isBlocked = registry.isBlocked(reader, sender)
    noticeCase.isRead = state.members[reader].map { $0.read >= message.seq } ?? true
    noticeCase.isMentioned =
      message.content.mentionsChannel || message.content.mentions.contains(user.id)
    noticeCase.isLarge = NoticeCase.isLarge(state.kind, memberCount: state.members.count)
    noticeCase.isQuiet =
      online[reader]?.status == .dnd
      || user.settings.isQuiet(at: moment.wall, zones: configuration.zones)
    return NoticeDecision.outcome(of: noticeCase)
  }

  /// Whether a notice goes out now; if not, it is looked at again when there is room.
  private mutating func mayTellNotice(
    in channel: ChannelRef, _ seq: Int, _ reader: UserRef, at moment: Moment
  ) -> Bool {
    let isNow =
      online[reader]?.noticeThrottle.admit(channel, seq: seq, uptime: moment.uptime) ?? false
    if !isNow { watchNotices(of: reader) }
    return isNow
  }

  private mutating func watchNotices(of reader: UserRef) {
    guard let due = online[reader]?.noticeThrottle.nextDue else { return }
    waitingNotices.insert(reader, at: due)
  }

  /// Tells what waited, if it is still to be told.
  mutating func tellWaitingNotices(of reader: UserRef, at moment: Moment) {
    for (channel, seq) in online[reader]?.noticeThrottle.takeDue(uptime: moment.uptime) ?? [] {
      guard let message = registry.channels[channel.index].window[seq],
        let sender = registry.userRefs[message.user]
      else { continue }
      let outcome = notice(of: message, in: channel, by: sender, for: reader, at: moment)
      noteNotice(outcome)
      guard case .surfaces(let surfaces) = outcome else { continue }
      var shown: [NoticeSurface: [ConnectionID]] = [:]
      note(surfaces, of: message, in: channel, for: reader, into: &shown)
      tell(shown, of: message, in: channel, by: sender)
    }
    watchNotices(of: reader)
  }

  private mutating func note(
    _ surfaces: [NoticeSurface?], of message: Message, in channel: ChannelRef,
    for reader: UserRef, into shown: inout [NoticeSurface: [ConnectionID]]
  ) {
    var told: [ConnectionID] = []
    for (connection, surface) in zip(connections(of: reader), surfaces) {
      guard let surface else { continue }
      shown[surface, default: []].append(connection)
      told.append(connection)
    }
    online[reader]?.noticesShown.note(channel, seq: message.seq, connections: told)
  }

  /// The same event for all who show it alike.
  private mutating func tell(
    _ shown: [NoticeSurface: [ConnectionID]], of message: Message, in channel: ChannelRef,
    by sender: UserRef
  ) {
    guard !shown.isEmpty else { return }
    let title = registry.title(of: channel, by: sender)
    let preview = Preview.make(message.content)
    let user = registry.shownUser(sender)
    for surface in NoticeSurface.allCases {
      tell(
        shown[surface] ?? [],
        .notice(
          Notice(
            surface: surface, channel: message.channel, seq: message.seq, title: title,
            preview: preview, sender: user, kind: registry.channels[channel.index].kind)))
    }
  }

  private mutating func noteNotice(_ outcome: NoticeOutcome) {
    switch outcome {
    case .none: break
    case .push: noticeTally.pushes += 1
    case .surfaces(let surfaces):
      noticeTally.toasts += surfaces.count { $0 == .toast }
      noticeTally.badges += surfaces.count { $0 == .badge }
    }
  }

  // MARK: - Taking back

  /// The user has read a channel up to a message.
  mutating func retractNotices(of user: UserRef, in channel: ChannelRef, upTo seq: Int) {
    online[user]?.noticeThrottle.withdraw(channel, upTo: seq)
    retract(online[user]?.noticesShown.retract(channel, upTo: seq) ?? [])
  }

  /// The user has nothing more to do with a channel.
  mutating func retractNotices(of user: UserRef, in channel: ChannelRef) {
    online[user]?.noticeThrottle.withdraw(channel)
    retract(online[user]?.noticesShown.retract(channel) ?? [])
  }

  /// A message was deleted.
  mutating func retractNotices(ofDeleted seq: Int, in channel: ChannelRef) {
    for user in audiences[channel]?.online ?? [] {
      online[user]?.noticeThrottle.withdraw(channel, seq: seq)
      retract(online[user]?.noticesShown.retract(channel, seq: seq).map { [$0] } ?? [])
    }
  }

  private mutating func retract(_ notices: [NoticesShown.Shown]) {
    for notice in notices {
      let name = registry.channels[notice.channel.index].name
      tell(notice.connections, .noticeRetract(name, seq: notice.seq))
    }
  }
}

/// How many notices went where.
package struct NoticeTally: Equatable, Sendable {
  package var toasts = 0
  package var badges = 0
  /// Messages for users who look at nothing: for a push service.
  package var pushes = 0

  package init() {}
}
