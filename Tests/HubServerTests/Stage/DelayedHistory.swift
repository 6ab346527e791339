import HubCore
import HubStorage
import Synchronization

/// History that answers when the test says so.
final class DelayedHistory: OlderMessages {
  private typealias Load = (query: OlderQuery, completion: @Sendable (HistoryPage?) -> Void)

  private let waiting = Mutex<[Load]>([])

  /// What was asked and is not answered, oldest first.
  var queries: [OlderQuery] { waiting.withLock { $0.map(\.query) } }

  func load(
    _ query: OlderQuery, completion: @escaping @Sendable (HistoryPage?) -> Void
  ) {
    waiting.withLock { $0.append((query, completion)) }
  }

  /// Answers one of those that wait.
  func answer(_ page: HistoryPage?, at index: Int = 0) {
    let load = waiting.withLock { $0.remove(at: index) }
    load.completion(page)
  }
}
