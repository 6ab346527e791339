internal import HubClient

/// Collects messages that the hub gives page by page.
struct HistoryPages {
  /// The greatest number that a message can have: 2^53−1.
  static let greatestSeq = 9_007_199_254_740_991

  let connection: HubConnection
  let channel: String
  /// The most messages to collect.
  let limit: Int

  /// Messages, oldest first, and whether there are more in the direction asked for.
  func collect(
    _ anchor: HubConnection.Anchor
  ) async throws(HubError) -> (messages: [HubMessage], hasMore: Bool) {
    var messages: [HubMessage] = []
    var next: HubConnection.Anchor? = anchor
    while let anchor = next, messages.count < limit {
      let size = min(limit - messages.count, Paging.pageItems)
      guard let page = try await page(anchor, size, isFirst: messages.isEmpty) else {
        return (messages, false)
      }
      switch anchor {
      case .before:
        messages = page.messages + messages
        next = page.hasMore ? page.messages.first.map { .before($0.seq) } : nil
      case .after:
        messages += page.messages
        next = page.hasMore ? page.messages.last.map { .after($0.seq) } : nil
      case .around: return (page.messages, page.hasMore)
      }
    }
    return (messages, next != nil)
  }

  /// Nil below what the hub keeps, when something above it has been found.
  private func page(
    _ anchor: HubConnection.Anchor, _ size: Int, isFirst: Bool
  ) async throws(HubError) -> HubHistory? {
    do {
      return try await connection.history(of: channel, anchor, limit: size)
    } catch {
      guard !isFirst, error.origin == .hub, error.code == "history_gone" else { throw error }
      return nil
    }
  }
}
