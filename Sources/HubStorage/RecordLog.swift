package import HubCore

/// Place of a record in the log: 1 is the first, without holes.
package struct LSN: Hashable, Comparable, Sendable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }

  package static func < (lhs: LSN, rhs: LSN) -> Bool { lhs.number < rhs.number }
}

/// How far a log is with what was appended last.
package enum LogProgress: Equatable, Sendable {
  /// Everything up to there is durable already.
  case durable(upTo: LSN)
  /// The last record got this LSN; the log tells when it is durable.
  case pending(upTo: LSN)
}

/// What a log tells of itself.
package enum LogNotice: Equatable, Sendable {
  /// Everything up to there is as durable as was asked for.
  case durable(upTo: LSN)
  /// Room is running out: what was appended may still fit, more should not come.
  case full
  /// There is room again.
  case writable
  /// Nothing will be durable any more, for this reason. The last notice.
  case failed(String)
}

/// Why a log cannot make durable what was appended.
package enum LogFailure: Error, Equatable, CustomStringConvertible {
  /// There is no room for it; there may be later.
  case full
  /// Nothing will be durable any more.
  case failed(String)
  /// It was closed.
  case closed

  package var description: String {
    switch self {
    case .full: "there is no room for the log"
    case .failed(let reason): "the log failed: \(reason)"
    case .closed: "the log is closed"
    }
  }
}

/// The ordered log in front of the registry: what stands in it in this order is what happened. It
/// knows nothing of where that is, so that several hubs could read one log.
package protocol RecordLog: AnyObject, Sendable {
  /// LSN of the newest record appended; the one before the first when there is none.
  var last: LSN { get }

  /// Puts records behind all others, in this order. Does not block.
  func append(_ records: [Record]) -> LogProgress

  /// Has `body` called, on any thread, one call at a time, whenever there is something to tell.
  /// Called once, before the first `append`.
  func notify(_ body: @escaping @Sendable (LogNotice) -> Void)

  /// Waits until everything appended before is synced. Blocks: not for event loops.
  func sync() throws(LogFailure)

  /// Makes durable what was appended, and ends. What is appended later is dropped. Blocks.
  func close()
}
