package import HubCore

/// The seam to messages that are no longer in memory.
package protocol OlderMessages: Sendable {
  /// Loads the messages of a range and calls `completion` once, on any thread: with the page, or
  /// with nil when the range lies below what is kept.
  func load(_ query: OlderQuery, completion: @escaping @Sendable (HistoryPage?) -> Void)
}

/// What stands in while there is no history: nothing older than the windows is kept.
package struct NoHistory: OlderMessages {
  package init() {}

  package func load(
    _ query: OlderQuery, completion: @escaping @Sendable (HistoryPage?) -> Void
  ) {
    completion(nil)
  }
}
