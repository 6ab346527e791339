import HubCore
import Synchronization

/// What the sequencer counts and `/metrics` tells.
package final class HubFigures: Sendable {
  private struct Values {
    var usage = InboxUsage()
    var notices = NoticeTally()
  }

  private let values = Mutex(Values())

  /// The sequencer says how things are now.
  func note(inbox usage: InboxUsage, notices: NoticeTally) {
    values.withLock { $0 = Values(usage: usage, notices: notices) }
  }

  /// All figures, as they were told last.
  var text: String {
    let (usage, notices) = values.withLock { ($0.usage, $0.notices) }
    var metrics = MetricsText()
    metrics.add(
      "hub_inbox_opened_people_total", .counter, usage.people,
      "People who have ever opened their inbox.")
    metrics.add(
      "hub_inbox_viewed_items_total", .counter, usage.viewed,
      "Notifications that their readers have seen.")
    metrics.add(
      "hub_inbox_deleted_items_total", .counter, usage.deleted,
      "Notifications that their readers have deleted.")
    metrics.add(
      "hub_notices_total", .counter, by: "surface",
      ["toast": notices.toasts, "badge": notices.badges, "push": notices.pushes],
      "New messages shown within apps, by connection, or that nobody looked at, by user.")
    return metrics.text
  }
}
