import DequeModule
package import HubCore
package import HubProtocol

/// Lets a connection's requests through to the sequencer no faster than their answers are taken: a
/// bounded number at once, fewer with large answers, none behind a `hello` that is under way, and
/// none while the peer leaves earlier answers unread. So a connection's answers never pile up, and
/// no packet of one peer holds up the others, however many requests are in it.
package struct RequestGate {
  /// Requests with large answers under way at once. An answer is at most `Limits.outboundBytes`.
  package static let largeAnswers = 2
  /// Requests under way at once.
  package static let requests = 64

  private var held: Deque<(arrival: Arrival, isLarge: Bool)> = []
  private var underWay = 0
  private var largeUnderWay = 0
  private var isHelloUnderWay = false

  package init() {}

  /// Takes a request; answers it when it may go on at once, or keeps it behind those that wait.
  package mutating func admit(_ arrival: Arrival, isLarge: Bool, isWritable: Bool) -> Arrival? {
    held.append((arrival, isLarge))
    return next(isWritable: isWritable)
  }

  /// A request was answered.
  package mutating func answered() {
    underWay -= 1
    guard underWay == 0 else { return }
    largeUnderWay = 0
    isHelloUnderWay = false
  }

  /// The next request that may go on.
  package mutating func next(isWritable: Bool) -> Arrival? {
    guard isWritable, !isHelloUnderWay, underWay < Self.requests, let first = held.first else {
      return nil
    }
    guard !first.isLarge || largeUnderWay < Self.largeAnswers else { return nil }
    held.removeFirst()
    underWay += 1
    if first.isLarge { largeUnderWay += 1 }
    if case .hello = first.arrival { isHelloUnderWay = true }
    return first.arrival
  }

  /// What was kept back, when the peer has gone: without what would only have been answered.
  package mutating func takeHeld() -> [Arrival] {
    defer { held = [] }
    return held.map(\.arrival).filter { !$0.isOnlyAnswered }
  }
}

extension Arrival {
  /// Whether nothing comes of it but an answer.
  fileprivate var isOnlyAnswered: Bool {
    switch self {
    case .hello, .refresh, .refused: true
    case .request(_, let request, _): request.operation.changesNothing
    case .violation, .closed: false
    }
  }
}

extension HubProtocol.Operation {
  /// Whether the answer may be large: more than about 16 KiB.
  package var hasLargeAnswer: Bool {
    switch self {
    case .hello, .channelCreate, .channelGet, .channelList, .channelJoin, .channelLeave,
      .channelUpdate, .channelDelete, .channelMute, .channelUnmute, .memberList, .directOpen,
      .subscribe, .messageHistory, .messageThread, .messageSearch, .feedList, .messageFlags,
      .presenceOfUsers, .presenceOfChannels, .userGet, .userUpdate, .userPut, .userSearch,
      .userSettings, .inboxList, .inboxCounts, .inboxMark, .inboxDelete, .inboxAct:
      true
    case .notify(let notify): notify.audience.hasLargeAnswer
    case .notifyRetract(let retract): retract.audience.hasLargeAnswer
    case .ping, .tokenRefresh, .memberAdd, .memberRemove, .memberRole, .memberUpdate, .memberBan,
      .memberUnban, .memberSilence, .unsubscribe, .messageSend, .messageEdit, .messageDelete,
      .reactionAdd, .reactionRemove, .messageFlag, .signal, .presenceSet, .focus, .typing, .read,
      .delivered, .readUnread, .userBlock, .userUnblock, .userDisconnect, .inboxOpened,
      .adminSnapshot, .adminBackup:
      false
    }
  }

  /// Whether nothing comes of it but an answer.
  var changesNothing: Bool {
    switch self {
    case .hello, .ping, .tokenRefresh, .channelGet, .channelList, .memberList, .subscribe,
      .unsubscribe, .messageHistory, .messageThread, .messageSearch, .feedList, .messageFlags,
      .presenceOfUsers, .presenceOfChannels, .focus, .userGet, .userSearch, .inboxList,
      .inboxCounts:
      true
    case .channelCreate, .channelJoin, .channelLeave, .channelUpdate, .channelDelete, .channelMute,
      .channelUnmute, .memberAdd, .memberRemove, .memberRole, .memberUpdate, .memberBan,
      .memberUnban, .memberSilence, .directOpen, .messageSend, .messageEdit, .messageDelete,
      .reactionAdd, .reactionRemove, .messageFlag, .signal, .presenceSet, .typing, .read,
      .delivered, .readUnread, .userUpdate, .userPut, .userBlock, .userUnblock, .userSettings,
      .userDisconnect, .notify, .notifyRetract, .inboxMark, .inboxDelete, .inboxAct, .inboxOpened,
      .adminSnapshot, .adminBackup:
      false
    }
  }
}

extension Notify.Audience {
  /// Whether the ids that nobody has come back may be many.
  fileprivate var hasLargeAnswer: Bool {
    switch self {
    case .users(let users): users.count > Limits.listEntries
    case .channel, .segment: false
    }
  }
}
