package import HubClient

/// Notifications in aligned columns, a heading above.
package struct InboxTable {
  private static let heading = ["ID", "TIME", "STATE", "TYPE", "FROM", "COUNT", "TEXT"]

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
      item.id, clock(item.ts), item.state?.rawValue ?? "?", item.type, item.actor ?? "-",
      "\(item.count)", InboxText.text(item),
    ]
  }
}
