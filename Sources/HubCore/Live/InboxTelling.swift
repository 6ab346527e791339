import HubProtocol

/// Something that happened to an inbox and is to be told, as the inbox stood then.
struct InboxTelling: Sendable {
  let change: InboxNews.Change
  let stand: InboxStand

  /// The body that is told with it; nil when none is.
  var body: Int? {
    switch change {
    case .added(let stub), .updated(let stub): stub.entry.body
    case .removed(let stubs): stubs.count == 1 ? stubs[0].entry.body : nil
    case .marked, .cleared: nil
    }
  }
}
