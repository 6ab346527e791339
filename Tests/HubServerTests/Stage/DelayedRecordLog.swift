import HubCore
import HubStorage
import Synchronization

/// A log that makes records durable when the test says so, or at once.
final class DelayedRecordLog: RecordLog {
  /// What the test holds in its hands.
  final class Disk: Sendable {
    private struct State {
      var last = LSN(0)
      var durable = LSN(0)
      var isDelaying = false
      var notify: (@Sendable (LogNotice) -> Void)?
    }

    private let state = Mutex(State())

    var last: LSN { state.withLock { $0.last } }

    /// From now on records wait for `sync`.
    func delay() {
      state.withLock { $0.isDelaying = true }
    }

    /// From now on records are durable at once again.
    func release() {
      state.withLock { $0.isDelaying = false }
    }

    /// Makes the oldest `count` records that wait durable, or all of them.
    func sync(_ count: Int = .max) {
      let (notify, durable) = state.withLock { state in
        let waiting = state.last.number - state.durable.number
        state.durable = LSN(state.durable.number + min(count, waiting))
        return (state.notify, state.durable)
      }
      notify?(.durable(upTo: durable))
    }

    /// Tells something else.
    func tell(_ notice: LogNotice) {
      state.withLock { $0.notify }?(notice)
    }

    fileprivate func append(_ count: Int) -> LogProgress {
      state.withLock { state in
        state.last = LSN(state.last.number + count)
        guard !state.isDelaying else { return .pending(upTo: state.last) }
        state.durable = state.last
        return .durable(upTo: state.last)
      }
    }

    fileprivate func listen(_ notify: @escaping @Sendable (LogNotice) -> Void) {
      state.withLock { $0.notify = notify }
    }
  }

  let disk: Disk

  init(disk: Disk) {
    self.disk = disk
  }

  var last: LSN { disk.last }

  func append(_ records: [Record]) -> LogProgress {
    disk.append(records.count)
  }

  func notify(_ body: @escaping @Sendable (LogNotice) -> Void) {
    disk.listen(body)
  }

  func sync() {}

  func close() {}
}
