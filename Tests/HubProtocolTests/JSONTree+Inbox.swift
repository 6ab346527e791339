import HubProtocol

/// The objects of the inbox as the protocol describes them, made without the writer.
extension JSONTree {
  init(_ item: InboxItem) {
    let notification = item.notification
    self = .members([
      "id": .text("\(item.id)"), "type": .text(notification.type),
      "actor": notification.actor.map { .text($0.text) },
      "target": notification.target.map { JSONTree($0) },
      "title": notification.title.map { .text($0) }, "text": .text(notification.text),
      "ts": .integer(item.ts.milliseconds), "state": .text(item.state.rawValue),
      "count": .integer(item.count), "actors": .list(item.actors.map { .text($0.text) }),
      "acted_ts": item.actedTs.map { .integer($0.milliseconds) },
      "data": notification.data.map { JSONTree(raw: $0) },
      "expires_ts": notification.expiresTs.map { .integer($0.milliseconds) },
      "by": .text(item.publisher?.text ?? "@hub"),
    ])
  }

  init(_ target: InboxTarget) {
    self = .members([
      "kind": .text(target.kind), "id": .text(target.id), "url": target.url.map { .text($0) },
      "thumb": target.thumb.map { .text($0) },
    ])
  }

  init(_ counts: InboxCounts) {
    let types = counts.byType.map { ($0.type, JSONTree.integer($0.unread)) }
    self = .members([
      "unseen": .integer(counts.unseen), "unread": .integer(counts.unread),
      "by_type": .object(Dictionary(types) { first, _ in first }),
    ])
  }

  /// What an event says besides its name and how the inbox stands.
  init(_ event: InboxEvent) {
    func names(_ ids: [Int]) -> JSONTree { .list(ids.map { .text("\($0)") }) }
    switch event {
    case .added(let item), .updated(let item):
      self = .members(["item": JSONTree(item)])
    case .marked(let ids, let state):
      self = .members(["ids": names(ids), "state": .text(state.rawValue)])
    case .removed(let ids, let item):
      self = .members(["ids": names(ids), "item": item.map { JSONTree($0) }])
    case .cleared:
      self = .members([:])
    }
  }

  static func name(of event: InboxEvent) -> String {
    switch event {
    case .added: "inbox.added"
    case .updated, .marked: "inbox.updated"
    case .removed: "inbox.removed"
    case .cleared: "inbox.cleared"
    }
  }

  init(_ notice: Notice) {
    self = .members([
      "surface": .text(notice.surface.rawValue), "channel": .text(notice.channel.text),
      "seq": .integer(notice.seq), "title": .text(notice.title),
      "preview": .text(notice.preview), "sender": JSONTree(notice.sender),
      "kind": .text(notice.kind.rawValue),
    ])
  }
}
