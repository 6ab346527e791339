import HubProtocol
import SeededRandom

/// Random requests of every operation, with the values that the decoder leaves as they are.
extension SplitMix64 {
  mutating func request() -> Request {
    Request(id: maybe { $0.seq(from: 1) }.flatMap { RequestID($0) }, operation: operation())
  }

  private mutating func operation() -> HubProtocol.Operation {
    switch below(7) {
    case 0: aboutSessions()
    case 1: aboutChannels()
    case 2: aboutMembers()
    case 3: aboutMessages()
    case 4: aboutPresence()
    case 5: aboutInboxes()
    default: aboutUsers()
    }
  }

  private mutating func aboutSessions() -> HubProtocol.Operation {
    switch below(5) {
    case 0: .hello(Hello(token: maybe { $0.text(upTo: 40) }, sinceUser: maybe { $0.text(upTo: 9) }))
    case 1: .ping
    case 2: .tokenRefresh(text(upTo: 40))
    case 3: .adminSnapshot
    default: .adminBackup(directory: "/a" + text(upTo: 40))
    }
  }

  private mutating func aboutPresence() -> HubProtocol.Operation {
    switch below(9) {
    case 0: .typing(channel(), on: oneIn(2))
    case 1: .signal(signal())
    case 2: .presenceSet(pick(PresenceStatus.allCases))
    case 3: .presenceOfUsers(users(1...5))
    case 4: .presenceOfChannels(channels(1...5))
    case 5: .focus(pick([.channel(channel()), .list, .away]))
    case 6: .read(channel(), seq: seq())
    case 7: .delivered(channel(), seq: seq())
    default: .readUnread(channel(), seq: seq(from: 1))
    }
  }

  /// A custom event.
  mutating func signal() -> HubProtocol.Signal {
    HubProtocol.Signal(
      channel: channel(), name: text(upTo: 16), data: maybe { $0.raw(levels: 4) })
  }

  /// What an update may say of a member.
  mutating func update<Value>(_ make: (inout SplitMix64) -> Value) -> Update<Value> {
    switch below(3) {
    case 0: .keep
    case 1: .clear
    default: .set(make(&self))
    }
  }

  /// A JSON value that clears nothing.
  mutating func filledRaw(levels: Int) -> RawJSON {
    let value = raw(levels: levels)
    return emptyValues.contains(value) ? filledRaw(levels: levels) : value
  }
}

/// The values that clear what an update sets them to.
private let emptyValues = [raw("\"\""), raw("[]"), raw("{}")]
