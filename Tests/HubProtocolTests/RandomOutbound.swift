import HubProtocol
import SeededRandom

/// Random values as the hub sends them.
extension SplitMix64 {
  mutating func message() -> Message {
    let isDeleted = oneIn(4)
    return Message(
      channel: channel(), seq: seq(from: 1), user: user(), ts: timestamp(),
      content: isDeleted ? MessageContent() : content(), replyTo: maybe { $0.seq(from: 1) },
      replyCount: maybe { $0.seq() } ?? 0, isBot: oneIn(2), key: maybe { $0.text(upTo: 16) },
      reactions: isDeleted ? [] : reactions(), editedTs: isDeleted ? nil : maybe { $0.timestamp() },
      deletedTs: isDeleted ? timestamp() : nil, rev: seq())
  }

  mutating func reactions() -> [ReactionCount] {
    var known: Set<String> = []
    return list(upTo: 4) { ReactionCount($0.reaction(), $0.seq(from: 1)) }
      .filter { known.insert($0.reaction).inserted }
  }

  mutating func view() -> MessageView {
    let message = message()
    let mine = message.reactions.map(\.reaction).filter { _ in oneIn(2) }
    return MessageView(
      message, isHidden: oneIn(6), isOwn: oneIn(2), mine: oneIn(4) ? mine + [reaction()] : mine)
  }

  mutating func views() -> [MessageView] { list(upTo: 3) { $0.view() } }

  /// A user as others see it.
  mutating func profiled() -> User {
    User(
      id: user(),
      profile: UserProfile(
        name: maybe { $0.text(upTo: 20) }, username: maybe { $0.username().lowercased() },
        avatar: maybe { $0.url() }, bio: maybe { $0.text(upTo: 60) },
        custom: maybe { $0.raw(levels: 4) }),
      isBot: oneIn(2), followers: maybe { $0.seq() }, following: maybe { $0.seq() })
  }

  mutating func member() -> Member {
    Member(
      user: profiled(), role: pick(Role.allCases), isPresent: oneIn(2), read: maybe { $0.seq() },
      delivered: maybe { $0.seq() }, joinedTs: timestamp(), custom: maybe { $0.raw(levels: 4) },
      silencedUntil: maybe { $0.timestamp() })
  }

  mutating func flag() -> Flag {
    Flag(
      seq: seq(from: 1), user: user(), ts: timestamp(), reason: maybe { $0.text(upTo: 40) })
  }

  mutating func summary() -> ChannelSummary {
    ChannelSummary(
      channel: channel(), kind: pick(ChannelKind.allCases),
      profile: ChannelProfile(
        name: maybe { $0.text(upTo: 20) }, details: maybe { $0.text(upTo: 40) },
        avatar: maybe { $0.url() }, custom: maybe { $0.raw(levels: 4) }),
      memberCount: seq(), presentCount: seq(), epoch: text(upTo: 8), seq: seq(), rev: seq(),
      updatedTs: timestamp(), lastMessage: maybe { $0.view() }, standing: maybe { $0.standing() })
  }

  private mutating func standing() -> Standing {
    Standing(
      unread: seq(), mentions: seq(), read: seq(), role: pick(Role.allCases), isMuted: oneIn(2))
  }

  mutating func item() -> InboxItem {
    InboxItem(
      id: seq(from: 1), notification: notification(), ts: timestamp(),
      state: pick(InboxState.allCases), count: seq(from: 1), actors: users(0...4),
      actedTs: maybe { $0.timestamp() }, publisher: maybe { $0.user() })
  }

  mutating func stand() -> InboxStand {
    var known: Set<String> = []
    let byType = list(upTo: 3) { InboxCounts.TypeCount(type: $0.name(upTo: 64), unread: $0.seq()) }
      .filter { known.insert($0.type).inserted }
    return InboxStand(
      counts: InboxCounts(unseen: seq(), unread: seq(), byType: byType), at: seq())
  }

  mutating func inboxEvent() -> InboxEvent {
    switch below(5) {
    case 0: .added(item())
    case 1: .updated(item())
    case 2: .marked(ids: itemIDs(), pick(InboxState.allCases))
    case 3: .removed(ids: itemIDs(), maybe { $0.item() })
    default: .cleared
    }
  }

  mutating func notice() -> Notice {
    Notice(
      surface: pick(NoticeSurface.allCases), channel: channel(), seq: seq(from: 1),
      title: text(upTo: 40), preview: text(upTo: 50), sender: profiled(),
      kind: pick(ChannelKind.allCases))
  }

  mutating func presence() -> UserPresence {
    UserPresence(
      user: user(), status: pick(ShownStatus.allCases), lastSeenTs: maybe { $0.timestamp() })
  }

  mutating func channelPresences() -> [ChannelPresence] {
    channels(0...3).map { channel in
      ChannelPresence(channel: channel, count: seq(), users: maybe { $0.users(0...3) })
    }
  }
}
