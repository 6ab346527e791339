import HubProtocol

/// What the hub says of inboxes.
extension Line {
  static func of(_ event: InboxEvent) -> String {
    switch event {
    case .added(let item): "inbox.added \(of(item))"
    case .updated(let item): "inbox.updated \(of(item))"
    case .marked(let ids, let state): "inbox.updated \(ids) \(state.rawValue)"
    case .removed(let ids, _): "inbox.removed \(ids)"
    case .cleared: "inbox.cleared"
    }
  }

  static func of(_ stand: InboxStand) -> String { "\(of(stand.counts)) at \(stand.at)" }

  static func of(_ counts: InboxCounts) -> String { "\(counts.unseen)/\(counts.unread)" }

  /// Its id and text, how many it stands for, and its state where that is not `unseen`.
  static func of(_ item: InboxItem) -> String {
    var line = "\(item.id):\(item.notification.text)"
    if item.count > 1 { line += "x\(item.count)" }
    if item.state != .unseen { line += ",\(item.state.rawValue)" }
    return line
  }

  /// Everything that an item says.
  static func whole(_ item: InboxItem) -> String {
    let notification = item.notification
    var line = of(item) + " \(notification.type) by \(item.publisher?.text ?? "@hub")"
    line += " [\(item.actors.map(\.text).joined(separator: ","))]"
    line += " \(notification.actor?.text ?? "-") ts \(item.ts.milliseconds)"
    if let target = notification.target { line += " \(target.kind) \(target.id)" }
    if let title = notification.title { line += " '\(title)'" }
    if let data = notification.data { line += " \(String(decoding: data.bytes, as: UTF8.self))" }
    if let expiry = notification.expiresTs { line += " until \(expiry.milliseconds)" }
    return line + (item.actedTs.map { " acted \($0.milliseconds)" } ?? "")
  }

  /// All numbers of an inbox.
  static func whole(_ stand: InboxStand) -> String {
    let types = stand.counts.byType.map { " \($0.type)=\($0.unread)" }.joined()
    return of(stand.counts) + types + " at \(stand.at)"
  }

  /// An event of an inbox with everything in it.
  static func whole(_ event: InboxEvent) -> String {
    switch event {
    case .added(let item): "added " + whole(item)
    case .updated(let item): "updated " + whole(item)
    case .marked(let ids, let state): "marked \(ids) \(state.rawValue)"
    case .removed(let ids, let item): "removed \(ids)" + (item.map { " " + whole($0) } ?? "")
    case .cleared: "cleared"
    }
  }
}
