import HubProtocol
import SeededRandom

/// Random requests about channels, members and messages.
extension SplitMix64 {
  mutating func aboutChannels() -> HubProtocol.Operation {
    switch below(12) {
    case 0: .channelCreate(channelCreate())
    case 1: .channelGet(channel())
    case 2: .channelUpdate(channelUpdate())
    case 3: .channelDelete(channel())
    case 4: .channelList(channelList())
    case 5: .channelJoin(channel())
    case 6: .channelLeave(channel())
    case 7: .channelMute(channel(), until: maybe { $0.timestamp() })
    case 8: .channelUnmute(channel())
    case 9: .directOpen(user())
    case 10: .subscribe(subscribe())
    default: .unsubscribe(channel())
    }
  }

  mutating func aboutMembers() -> HubProtocol.Operation {
    switch below(8) {
    case 0: .memberAdd(channel(), users: users(1...5))
    case 1: .memberRemove(channel(), users: users(1...5))
    case 2: .memberRole(channel(), user(), pick(Role.allCases))
    case 3: .memberUpdate(channel(), custom: oneIn(3) ? .clear : .set(filledRaw(levels: 4)))
    case 4: .memberBan(memberBan())
    case 5: .memberUnban(channel(), user())
    case 6: .memberSilence(channel(), user(), until: timestamp())
    default: .memberList(memberList())
    }
  }

  mutating func aboutMessages() -> HubProtocol.Operation {
    switch below(12) {
    case 0: .messageEdit(messageEdit())
    case 1: .messageDelete(channel(), seq: seq(from: 1))
    case 2: .messageHistory(messageHistory())
    case 3: .messageThread(messageThread())
    case 4: .messageSearch(messageSearch())
    case 5: .feedList(cursor: maybe { $0.text(upTo: 20) }, limit: 1 + below(100))
    case 6: .reactionAdd(channel(), seq: seq(from: 1), reaction: reaction())
    case 7: .reactionRemove(channel(), seq: seq(from: 1), reaction: reaction())
    case 8: .messageFlag(channel(), seq: seq(from: 1), reason: maybe { $0.text(upTo: 40) })
    case 9: .messageFlags(channel())
    default: .messageSend(messageSend())
    }
  }

  private mutating func channelCreate() -> ChannelCreate {
    ChannelCreate(
      channel: channel(), kind: pick(ChannelKind.allCases),
      profile: ChannelProfile(
        name: maybe { $0.text(upTo: 20) }, details: maybe { $0.text(upTo: 90) },
        avatar: maybe { $0.url() }, custom: maybe { $0.raw(levels: 5) }),
      members: users(0...4))
  }

  private mutating func channelUpdate() -> ChannelUpdate {
    let update = ChannelUpdate(
      channel: channel(), name: update { $0.text(upTo: 20) },
      details: update { $0.text(upTo: 90) }, avatar: update { $0.url() },
      custom: update { $0.filledRaw(levels: 5) })
    let nothing = ChannelUpdate(channel: update.channel)
    return update == nothing ? ChannelUpdate(channel: update.channel, name: .clear) : update
  }

  private mutating func channelList() -> ChannelList {
    ChannelList(
      scope: pick(ChannelList.Scope.allCases), kind: maybe { $0.pick(ChannelKind.allCases) },
      sort: pick(ChannelList.Sort.allCases), cursor: maybe { $0.text(upTo: 20) },
      limit: 1 + below(100))
  }

  private mutating func subscribe() -> Subscribe {
    Subscribe(
      channel: channel(),
      since: maybe { random in
        Position(
          epoch: random.text(upTo: 12), seq: random.seq(), rev: random.maybe { $0.seq() })
      },
      limit: below(301))
  }

  private mutating func memberBan() -> MemberBan {
    MemberBan(
      channel: channel(), user: user(), until: maybe { $0.timestamp() },
      reason: maybe { $0.text(upTo: 40) })
  }

  private mutating func memberList() -> MemberList {
    MemberList(
      channel: channel(), onlyPresent: oneIn(2), cursor: maybe { $0.text(upTo: 20) },
      limit: 1 + below(100))
  }

  /// A message to be sent.
  mutating func messageSend() -> MessageSend {
    MessageSend(
      channel: channel(), content: content(), replyTo: maybe { $0.seq(from: 1) },
      key: maybe { $0.name(upTo: 64) }, isRetry: oneIn(3), hops: oneIn(3) ? below(12) : 0)
  }

  private mutating func messageEdit() -> MessageEdit {
    let mentions = maybe { random in
      MessageEdit.Mentions(users: random.users(0...3), channel: random.oneIn(2))
    }
    let edit = MessageEdit(
      channel: channel(), seq: seq(from: 1), text: update { $0.text(upTo: 40) },
      attachments: update { $0.attachments() }, data: update { $0.filledRaw(levels: 4) },
      mentions: mentions)
    let nothing = MessageEdit(channel: edit.channel, seq: edit.seq)
    guard edit == nothing else { return edit }
    return MessageEdit(channel: edit.channel, seq: edit.seq, data: .clear)
  }

  private mutating func messageHistory() -> MessageHistory {
    let seq = seq()
    return MessageHistory(
      channel: channel(), anchor: pick([.before(seq), .after(seq), .around(seq)]),
      limit: 1 + below(100))
  }

  private mutating func messageThread() -> MessageThread {
    MessageThread(
      channel: channel(), seq: seq(from: 1), after: maybe { $0.seq() } ?? 0,
      limit: 1 + below(100))
  }

  private mutating func messageSearch() -> MessageSearch {
    MessageSearch(
      query: text(upTo: 40), channel: maybe { $0.channel() },
      cursor: maybe { $0.text(upTo: 20) }, limit: 1 + below(100))
  }
}
