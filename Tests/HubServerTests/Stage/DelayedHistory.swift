import HubCore
import HubStorage
import Synchronization

/// History that answers when the test says so.
final class DelayedHistory: History {
  private struct Question {
    let query: HistoryQuery
    let lsn: LSN
    let completion: @Sendable (HistoryAnswer) -> Void
  }

  private let waiting = Mutex<[Question]>([])
  private let told = Mutex<(changes: [HistoryChange], lsn: LSN)>(([], LSN(0)))

  /// What was asked and is not answered, oldest first.
  var queries: [HistoryQuery] { waiting.withLock { $0.map(\.query) } }
  /// As of when it is to be answered.
  var moments: [LSN] { waiting.withLock { $0.map(\.lsn) } }
  /// The newest record it was told of.
  var lsn: LSN { told.withLock { $0.lsn } }
  var applied: LSN { lsn }
  /// What it was told.
  var changes: [HistoryChange] { told.withLock { $0.changes } }

  func append(_ changes: [HistoryChange], upTo lsn: LSN) {
    told.withLock {
      $0.changes += changes
      $0.lsn = lsn
    }
  }

  func sweep(_ live: LiveNotifications) {}

  func ask(
    _ query: HistoryQuery, after lsn: LSN,
    completion: @escaping @Sendable (HistoryAnswer) -> Void
  ) {
    waiting.withLock { $0.append(Question(query: query, lsn: lsn, completion: completion)) }
  }

  /// Answers one of those that wait.
  func answer(_ answer: HistoryAnswer, at index: Int = 0) {
    let question = waiting.withLock { $0.remove(at: index) }
    question.completion(answer)
  }
}
