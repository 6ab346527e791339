/// The objects of the inbox (protocol, "Inbox").
extension JSONWriter {
  mutating func inboxItem(_ item: InboxItem) {
    let notification = item.notification
    literal("{\"id\":")
    numberedName(item.id)
    notificationHead(notification)
    literal(",\"ts\":")
    integer(item.ts.milliseconds)
    literal(",\"state\":")
    name(item.state.rawValue)
    literal(",\"count\":")
    integer(item.count)
    literal(",\"actors\":[")
    users(item.actors)
    literal("]")
    notificationTail(notification)
    literal(",\"by\":")
    name(item.publisher.text)
    literal("}")
  }

  /// `type`, `actor`, `target`, `title` and `text`, each with a comma in front.
  mutating func notificationHead(_ notification: Notification) {
    literal(",\"type\":")
    string(notification.type)
    if let actor = notification.actor {
      literal(",\"actor\":")
      name(actor.text)
    }
    if let target = notification.target { self.target(target) }
    if let title = notification.title {
      literal(",\"title\":")
      string(title)
    }
    literal(",\"text\":")
    string(notification.text)
  }

  /// `data` and `expires_ts`, each with a comma in front.
  mutating func notificationTail(_ notification: Notification) {
    if let data = notification.data {
      literal(",\"data\":")
      raw(data)
    }
    if let expires = notification.expiresTs {
      literal(",\"expires_ts\":")
      integer(expires.milliseconds)
    }
  }

  private mutating func target(_ target: InboxTarget) {
    literal(",\"target\":{\"kind\":")
    string(target.kind)
    literal(",\"id\":")
    string(target.id)
    if let url = target.url {
      literal(",\"url\":")
      string(url)
    }
    if let thumb = target.thumb {
      literal(",\"thumb\":")
      string(thumb)
    }
    literal("}")
  }

  /// `{unseen, unread, by_type}`.
  mutating func inboxCounts(_ counts: InboxCounts) {
    literal("{\"unseen\":")
    integer(counts.unseen)
    literal(",\"unread\":")
    integer(counts.unread)
    literal(",\"by_type\":{")
    list(counts.byType) { writer, count in
      writer.string(count.type)
      writer.literal(":")
      writer.integer(count.unread)
    }
    literal("}}")
  }
}
