import HubProtocol
import SeededRandom

/// Random requests of every operation, with the values that the decoder leaves as they are.
extension SplitMix64 {
  mutating func request() -> Request {
    Request(id: maybe { $0.seq(from: 1) }.flatMap { RequestID($0) }, operation: operation())
  }

  private mutating func operation() -> HubProtocol.Operation {
    switch below(18) {
    case 0: .hello(Hello(token: maybe { $0.text(upTo: 40) }, sinceUser: maybe { $0.text(upTo: 9) }))
    case 1: .ping
    case 2: .channelCreate(channelCreate())
    case 3: .channelGet(channel())
    case 4: .channelList(channelList())
    case 5: .channelJoin(channel())
    case 6: .channelLeave(channel())
    case 7: .memberAdd(channel(), users: users(1...5))
    case 8: .directOpen(user())
    case 9: .subscribe(subscribe())
    case 10: .unsubscribe(channel())
    case 11: .messageHistory(messageHistory())
    case 12: .typing(channel(), on: oneIn(2))
    case 13: .read(channel(), seq: seq())
    case 14: .delivered(channel(), seq: seq())
    case 15: .notify(notify())
    case 16: .inboxList(inboxList())
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

  private mutating func messageSend() -> MessageSend {
    MessageSend(
      channel: channel(), content: content(), replyTo: maybe { $0.seq(from: 1) },
      key: maybe { $0.name(upTo: 64) }, isRetry: oneIn(3), hops: oneIn(3) ? below(12) : 0)
  }

  private mutating func messageHistory() -> MessageHistory {
    let seq = seq()
    return MessageHistory(
      channel: channel(), anchor: pick([.before(seq), .after(seq), .around(seq)]),
      limit: 1 + below(100))
  }

  private mutating func notify() -> HubProtocol.Notify {
    Notify(
      audience: oneIn(2) ? .channel(channel()) : .users(users(1...5)),
      notification: notification(), key: maybe { $0.text(upTo: 16) },
      collapse: maybe { $0.text(upTo: 16) })
  }

  private mutating func inboxList() -> InboxList {
    InboxList(
      types: maybe { random in random.list(upTo: 3) { $0.text(upTo: 16) } },
      states: maybe { random in random.list(upTo: 4) { $0.pick(InboxState.allCases) } },
      cursor: maybe { $0.text(upTo: 20) }, limit: 1 + below(100))
  }
}
