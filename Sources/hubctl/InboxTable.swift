package import HubClient

/// Notifications in aligned columns, a heading above.
package struct InboxTable {
  private static let heading = ["TIME", "STATE", "TYPE", "FROM", "COUNT", "TEXT"]

  private let clock: @Sendable (Int?) -> String

  /// - Parameter clock: date and time of a moment in milliseconds since the Unix epoch.
  package init(clock: @escaping @Sendable (Int?) -> String) {
    self.clock = clock
  }

  package func lines(_ items: [HubInboxItem]) -> [String] {
    Columns.align([Self.heading] + items.map(cells))
  }

  private func cells(_ item: HubInboxItem) -> [String] {
    [
      clock(item.ts), item.state, item.type, item.actor ?? "-", "\(item.count)",
      item.title.map { "\($0): \(item.text)" } ?? item.text,
    ]
  }
}
