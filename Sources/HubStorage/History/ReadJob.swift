import HubCore

/// What a reading thread does.
enum ReadJob: Sendable {
  case query(HistoryQuery, @Sendable (HistoryAnswer) -> Void)
  case expiries([RetentionRule], @Sendable (Result<[Expiry], HistoryFailure>) -> Void)

  var isSearch: Bool {
    switch self {
    case .query(.search, _): true
    case .query, .expiries: false
    }
  }

  /// Answers that it cannot be done.
  func fail(_ failure: HistoryFailure) {
    switch self {
    case .query(_, let completion): completion(.failed(failure.description))
    case .expiries(_, let completion): completion(.failure(failure))
    }
  }
}

/// Jobs for some reading threads.
final class ReadLane: Sendable {
  private struct State: Sendable {
    var jobs: [ReadJob] = []
    var first = 0
    var isClosed = false
  }

  private let monitor = Monitor(State())

  /// Puts a job behind the others; false when the lane is closed.
  func add(_ job: ReadJob) -> Bool {
    let isOpen = monitor.with { state in
      if !state.isClosed { state.jobs.append(job) }
      return !state.isClosed
    }
    if isOpen { monitor.wake() }
    return isOpen
  }

  /// Lets the threads end when all is done.
  func close() {
    monitor.with { $0.isClosed = true }
    monitor.wake()
  }

  /// Blocks until there is a job; nil at the end.
  func next() -> ReadJob? {
    monitor.next { state in
      guard state.first < state.jobs.count else {
        state.jobs.removeAll(keepingCapacity: true)
        state.first = 0
        return state.isClosed ? .go(nil) : .wait(milliseconds: nil)
      }
      let job = state.jobs[state.first]
      state.first += 1
      if state.first == 1_024 {
        state.jobs.removeFirst(state.first)
        state.first = 0
      }
      return .go(job)
    }
  }
}
