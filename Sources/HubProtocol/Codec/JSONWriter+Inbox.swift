/// The objects of the inbox (protocol, "Inbox").
extension JSONWriter {
  mutating func inboxItem(_ item: InboxItem) {
    literal("{\"id\":")
    numberedName(item.id)
    notificationHead(item.notification)
    member(",\"ts\":", item.ts)
    member(",\"state\":", word: item.state)
    member(",\"count\":", item.count)
    member(",\"actors\":[", users: item.actors)
    notificationTail(item.notification)
    member(",\"by\":", item.publisher)
    literal("}")
  }

  /// `type`, `actor`, `target`, `title` and `text`, each with a comma in front.
  mutating func notificationHead(_ notification: Notification) {
    member(",\"type\":", notification.type)
    member(",\"actor\":", notification.actor)
    if let target = notification.target { self.target(target) }
    member(",\"title\":", notification.title)
    member(",\"text\":", notification.text)
  }

  /// `data` and `expires_ts`, each with a comma in front.
  mutating func notificationTail(_ notification: Notification) {
    member(",\"data\":", notification.data)
    member(",\"expires_ts\":", notification.expiresTs)
  }

  private mutating func target(_ target: InboxTarget) {
    member(",\"target\":{\"kind\":", target.kind)
    member(",\"id\":", target.id)
    member(",\"url\":", target.url)
    member(",\"thumb\":", target.thumb)
    literal("}")
  }

  /// `{unseen, unread, by_type}`.
  mutating func inboxCounts(_ counts: InboxCounts) {
    member("{\"unseen\":", counts.unseen)
    member(",\"unread\":", counts.unread)
    literal(",\"by_type\":{")
    list(counts.byType) { writer, count in
      writer.string(count.type)
      writer.member(":", count.unread)
    }
    literal("}}")
  }
}
