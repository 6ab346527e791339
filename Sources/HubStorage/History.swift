package import HubCore

/// What remembers more than is in memory: learns what records mean, and is asked about messages.
package protocol History: AnyObject, Sendable {
  /// The newest record that is in it.
  var applied: LSN { get }

  /// Takes what all records up to `lsn` mean, behind those before. Does not block.
  func append(_ changes: [HistoryChange], upTo lsn: LSN)

  /// Answers, as of `lsn` or later; calls `completion` once, on any thread.
  func ask(
    _ query: HistoryQuery, after lsn: LSN,
    completion: @escaping @Sendable (HistoryAnswer) -> Void)

  /// Forgets in the background what notifications say that are in no inbox any more. Does not
  /// block.
  func sweep(_ live: LiveNotifications)
}

/// What stands in where there is no history: nothing older than the windows is kept.
package final class NoHistory: History {
  package init() {}

  /// What is not kept need not be waited for.
  package var applied: LSN { LSN(.max) }

  package func append(_ changes: [HistoryChange], upTo lsn: LSN) {}

  package func sweep(_ live: LiveNotifications) {}

  package func ask(
    _ query: HistoryQuery, after lsn: LSN,
    completion: @escaping @Sendable (HistoryAnswer) -> Void
  ) {
    if case .notifications = query { return completion(.notifications([])) }
    completion(.nothingExact)
  }
}
