internal import HubClient

/// Notifications as a person reads them. Not escaped yet.
enum InboxText {
  /// `17 like from bob: Bob liked your video`.
  static func line(_ item: HubInboxItem) -> String {
    let actor = item.actor.map { " from \($0)" } ?? ""
    return "\(item.id) \(item.type)\(actor): \(text(item))"
  }

  /// The heading, if there is one, and what is said.
  static func text(_ item: HubInboxItem) -> String {
    item.title.map { "\($0): \(item.text)" } ?? item.text
  }

  /// How far it got, and how many it stands for, when several.
  static func notes(_ item: HubInboxItem) -> String {
    let state = item.state?.rawValue ?? "?"
    return item.count > 1 ? "(\(state), \(item.count) in one)" : "(\(state))"
  }

  /// `3 unseen, 5 unread`.
  static func counts(_ counts: HubInboxCounts) -> String {
    "\(counts.unseen) unseen, \(counts.unread) unread"
  }
}
