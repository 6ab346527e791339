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
    member(",\"acted_ts\":", item.actedTs)
    notificationTail(item.notification)
    if let publisher = item.publisher {
      member(",\"by\":", publisher)
    } else {
      literal(",\"by\":\"@hub\"")
    }
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

  /// With a comma in front.
  private mutating func target(_ target: InboxTarget) {
    literal(",")
    targetMember(target)
  }

  /// `"target":{…}`.
  mutating func targetMember(_ target: InboxTarget) {
    member("\"target\":{\"kind\":", target.kind)
    member(",\"id\":", target.id)
    member(",\"url\":", target.url)
    member(",\"thumb\":", target.thumb)
    literal("}")
  }

  /// `counts` and `at`, the former with `head` in front.
  mutating func inboxStand(_ stand: InboxStand, head: StaticString = ",\"counts\":{") {
    literal(head)
    inboxCounts(stand.counts)
    literal("}")
    member(",\"at\":", stand.at)
  }

  /// `unseen`, `unread` and `by_type`, without braces around.
  mutating func inboxCounts(_ counts: InboxCounts) {
    member("\"unseen\":", counts.unseen)
    member(",\"unread\":", counts.unread)
    literal(",\"by_type\":{")
    list(counts.byType) { writer, count in
      writer.string(count.type)
      writer.member(":", count.unread)
    }
    literal("}")
  }
}
