package import HubProtocol
package import NIOCore

/// The requests that have no answer yet.
package struct RequestTable {
  /// Who waits for an answer.
  package enum Purpose: Hashable, Sendable {
    /// The app.
    case caller
    /// The connection itself.
    case hello
    /// The subscription to a channel.
    case subscription(ChannelName)
  }

  /// One request without an answer.
  package struct Pending: Sendable {
    package let id: RequestID
    package let purpose: Purpose
    /// The text message. It is the same when it is sent again.
    package let bytes: [UInt8]
    package let deadline: NIODeadline
    /// Whether doing it twice is the same as doing it once.
    package let isRepeatable: Bool
    /// Whether it went out on the present connection.
    package var isSent = false
  }

  private var pending: [RequestID: Pending] = [:]
  private var nextNumber = 1
  /// No request expires before this time; nil when there is none.
  package private(set) var nextDeadline: NIODeadline?

  package init() {}

  package var count: Int { pending.count }

  /// An id that was never used on this connection or those before it.
  package mutating func makeID() -> RequestID {
    while true {
      let id = RequestID(nextNumber)
      nextNumber = nextNumber >= Limits.largestInteger ? 1 : nextNumber + 1
      if let id { return id }
    }
  }

  package mutating func add(_ request: Pending) {
    pending[request.id] = request
    nextDeadline = min(nextDeadline ?? request.deadline, request.deadline)
  }

  /// The request that an answer with this id is for; it is no longer pending.
  package mutating func remove(_ id: RequestID) -> Pending? {
    pending.removeValue(forKey: id)
  }

  /// Marks the request as sent and gives what to send; nil when it is gone.
  package mutating func send(_ id: RequestID) -> [UInt8]? {
    pending[id]?.isSent = true
    return pending[id]?.bytes
  }

  /// The app's requests that wait for a connection, in the order in which they were made.
  package func waitingCalls() -> [RequestID] {
    pending.values.filter { !$0.isSent && $0.purpose == .caller }.map(\.id)
      .sorted { $0.number < $1.number }
  }

  /// The connection is gone: gives those that are lost with it, in order. The app's repeatable and
  /// unsent requests stay and wait for the next connection.
  package mutating func disconnected() -> [Pending] {
    let lost = pending.values.filter {
      $0.purpose != .caller || ($0.isSent && !$0.isRepeatable)
    }
    for request in lost { pending[request.id] = nil }
    for id in pending.keys { pending[id]?.isSent = false }
    return lost.sorted { $0.id.number < $1.id.number }
  }

  /// Everything, in order; the table is empty afterwards.
  package mutating func removeAll() -> [Pending] {
    defer {
      pending.removeAll()
      nextDeadline = nil
    }
    return pending.values.sorted { $0.id.number < $1.id.number }
  }

  /// Those whose time is up, in order; they are no longer pending.
  package mutating func expire(_ now: NIODeadline) -> [Pending] {
    guard let next = nextDeadline, next <= now else { return [] }
    let late = pending.values.filter { $0.deadline <= now }
    for request in late { pending[request.id] = nil }
    nextDeadline = pending.values.map(\.deadline).min()
    return late.sorted { $0.id.number < $1.id.number }
  }
}
