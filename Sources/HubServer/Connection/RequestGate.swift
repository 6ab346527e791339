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

  /// What was kept back, when the peer has gone: without those that it only wanted to read.
  package mutating func takeHeld() -> [Arrival] {
    defer { held = [] }
    return held.filter { !$0.isLarge }.map(\.arrival)
  }
}

extension HubProtocol.Operation {
  /// Whether the answer may be large.
  package var hasLargeAnswer: Bool {
    switch self {
    case .hello, .channelCreate, .channelGet, .channelList, .channelJoin, .channelLeave,
      .directOpen, .subscribe, .messageHistory, .inboxList:
      true
    case .ping, .memberAdd, .unsubscribe, .messageSend, .typing, .read, .delivered, .notify,
      .adminSnapshot:
      false
    }
  }
}
