/// What is told of an inbox and of new messages (protocol, "Inbox events" and "Notices"), each
/// without the brace at its end.
extension JSONWriter {
  mutating func inboxEvent(_ event: InboxEvent, _ stand: InboxStand) {
    switch event {
    case .added(let item):
      literal("{\"ev\":\"inbox.added\",\"item\":")
      inboxItem(item)
    case .updated(let item):
      literal("{\"ev\":\"inbox.updated\",\"item\":")
      inboxItem(item)
    case .marked(let ids, let state):
      literal("{\"ev\":\"inbox.updated\"")
      itemNames(ids)
      member(",\"state\":", word: state)
    case .removed(let ids, let item):
      literal("{\"ev\":\"inbox.removed\"")
      itemNames(ids)
      if let item {
        literal(",\"item\":")
        inboxItem(item)
      }
    case .cleared: literal("{\"ev\":\"inbox.cleared\"")
    }
    inboxStand(stand)
  }

  mutating func notice(_ notice: Notice) {
    member("{\"ev\":\"notice\",\"surface\":", word: notice.surface)
    member(",\"channel\":", notice.channel)
    member(",\"seq\":", notice.seq)
    member(",\"title\":", notice.title)
    member(",\"preview\":", notice.preview)
    literal(",\"sender\":")
    user(notice.sender)
    member(",\"kind\":", word: notice.kind)
  }

  /// `ids` with a comma in front.
  mutating func itemNames(_ ids: [Int]) {
    literal(",\"ids\":")
    array(ids) { writer, id in writer.numberedName(id) }
  }
}
