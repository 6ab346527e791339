import HubStorage
import Logging
import Synchronization

/// Whether what the hub writes to is well: what changes is logged, and `/readyz` asks.
package final class StorageHealth: Sendable {
  private struct State {
    var log: String?
    var history: String?

    var trouble: String? { log ?? history }
  }

  private let logger: Logger
  private let state = Mutex(State())

  init(logger: Logger) {
    self.logger = logger
  }

  /// Why nothing durable can be promised at the moment; nil while all is well.
  package var trouble: String? {
    state.withLock { $0.trouble }
  }

  /// The log says how it is.
  func note(_ notice: LogNotice) {
    switch notice {
    case .durable: break
    case .full: note("the journal has no room", .error) { $0.log = $1 }
    case .writable: note(nil, .notice) { $0.log = $1 }
    case .failed(let reason):
      note("the journal can no longer be written: \(reason)", .critical) { $0.log = $1 }
    }
  }

  /// History says how it is.
  func note(_ notice: HistoryNotice) {
    switch notice {
    case .durable: break
    case .behind(let isBehind):
      let sentence = isBehind ? "history is behind: requests wait" : "history has caught up"
      logger.notice("\(sentence)")
    case .full(let reason):
      note("history has no room: \(reason)", .error) { $0.history = $1 }
    case .writable: note(nil, .notice) { $0.history = $1 }
    case .failed(let reason):
      note("history has failed: \(reason)", .critical) { $0.history = $1 }
    case .damaged(let sentence):
      logger.error("history is damaged", metadata: ["what": "\(sentence)"])
    case .swept(let rows):
      if rows > 0 { logger.info("notifications swept", metadata: ["rows": "\(rows)"]) }
    }
  }

  private func note(
    _ trouble: String?, _ level: Logger.Level, _ set: @Sendable (inout State, String?) -> Void
  ) {
    let (before, after) = state.withLock { state in
      let before = state.trouble
      set(&state, trouble)
      return (before, state.trouble)
    }
    guard before != after else { return }
    logger.log(
      level: level, after == nil ? "storage is well again" : "storage is in trouble",
      metadata: ["what": "\(after ?? before ?? "")"])
  }
}
