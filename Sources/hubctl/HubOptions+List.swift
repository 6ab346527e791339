internal import HubClient

extension HubOptions {
  /// Prints a list: with --json each item as the hub sent it, else lines for people, and `nothing`
  /// on standard error where there is no item.
  func list<Item>(
    _ items: [Item], hasMore: Bool, to output: Output, nothing: String, json: (Item) -> HubJSON,
    lines: ([Item]) -> [String]
  ) async throws {
    if self.json {
      for item in items { try await output.line(json(item)) }
    } else if items.isEmpty {
      await output.note(nothing)
    } else {
      for line in lines(items) { try await output.line(line) }
    }
    if hasMore { await output.note("There are more; raise --limit.") }
  }
}
