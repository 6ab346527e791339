import Foundation
import HubCore

/// Where the callers of a journal's log and its thread meet.
// SAFETY: `state` is touched in `change` and `wait` only, with `condition` locked.
final class JournalDesk: @unchecked Sendable {
  /// What the thread is to do.
  struct Order {
    var records: [Record] = []
    /// Segments with nothing newer are not needed.
    var deletable: LSN?
    var wantsSync = false
    var isClosing = false
    /// Somebody listens who was told nothing yet.
    var mustAnnounce = false

    var isEmpty: Bool {
      records.isEmpty && deletable == nil && !wantsSync && !isClosing && !mustAnnounce
    }
  }

  struct State {
    var order = Order()
    /// The newest record appended.
    var last: LSN
    var notify: (@Sendable (LogNotice) -> Void)?
    var figures: JournalFigures
    /// Whether records wait that there was no room for.
    var isBlocked = false
    /// Whether nothing more is accepted, since it is closed or closing.
    var isClosed = false
    /// Whether the thread has ended.
    var isDone = false
  }

  private let condition = NSCondition()
  private var state: State

  init(_ writer: JournalWriter) {
    state = State(last: writer.last, figures: JournalFigures(writer))
  }

  static func startThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = "hub.journal"
    thread.start()
  }

  /// Looks at the state, or changes it; `wakes` who waits for that.
  @discardableResult
  func change<Value>(wakes: Bool = false, _ body: (inout State) -> Value) -> Value {
    condition.lock()
    defer { condition.unlock() }
    if wakes { condition.broadcast() }
    return body(&state)
  }

  func append(_ records: [Record]) -> LogProgress {
    change(wakes: !records.isEmpty) { state in
      state.last = LSN(state.last.number + records.count)
      if !state.isClosed, !state.figures.state.isFailed { state.order.records += records }
      return .pending(upTo: state.last)
    }
  }

  /// What there is to do; waits for it up to a moment.
  func take(until moment: ContinuousClock.Instant?) -> Order {
    condition.lock()
    defer { condition.unlock() }
    let limit = moment.map { Date(timeIntervalSinceNow: ($0 - .now) / .seconds(1)) }
    while state.order.isEmpty {
      guard let limit else {
        condition.wait()
        continue
      }
      guard condition.wait(until: limit) else { break }
    }
    defer { state.order = Order() }
    return state.order
  }

  func waitUntilSynced() throws(LogFailure) {
    let wanted = change { $0.last }
    let failure = wait { state -> LogFailure?? in
      if state.figures.synced >= wanted { return .some(nil) }
      if case .failed(let reason) = state.figures.state { return .failed(reason) }
      if state.isDone { return .closed }
      if state.isBlocked { return .full }
      if !state.order.wantsSync { condition.broadcast() }
      state.order.wantsSync = true
      return nil
    }
    if let failure { throw failure }
  }

  func beginClosing() {
    change(wakes: true) { state in
      state.isClosed = true
      state.order.isClosing = true
    }
  }

  func waitUntilClosed() {
    wait { $0.isDone ? () : nil }
  }

  /// Waits until `body` answers something; it is asked again whenever somebody was woken.
  private func wait<Value>(_ body: (inout State) -> Value?) -> Value {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let value = body(&state) { return value }
      condition.wait()
    }
  }
}

extension JournalState {
  var isFailed: Bool {
    switch self {
    case .writable, .full: false
    case .failed: true
    }
  }
}
