internal import ArgumentParser
internal import HubClient

/// Collects a list that the hub gives page by page.
enum Paging {
  /// The most items that one page brings.
  static let pageItems = 100

  /// Refuses a `--limit` that leaves nothing.
  static func check(_ limit: Int) throws {
    guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
  }

  /// At most `limit` items, in the hub's order, and whether there are more.
  /// - Parameter page: asks for one page by the cursor of the page before and its limit.
  static func collect<Item>(
    _ limit: Int,
    _ page: (String?, Int) async throws(HubError) -> (items: [Item], cursor: String?)
  ) async throws(HubError) -> (items: [Item], hasMore: Bool) {
    var items: [Item] = []
    var cursor: String?
    repeat {
      let next = try await page(cursor, min(limit - items.count, pageItems))
      items += next.items
      cursor = next.cursor
    } while cursor != nil && items.count < limit
    return (items, cursor != nil)
  }
}
