import HubProtocol

/// Something that is done to many inboxes: a slice with each record, so that the rest of the hub
/// goes on between (protocol, "Inbox": `notify`, "In parts").
struct NotifyRun: Sendable {
  /// What is done to each.
  enum Work: Equatable, Sendable {
    case deliver(Inbox.Arrival)
    /// Takes back what came with that key, if it is of that type, but not from these.
    case retract(key: UInt64, type: UInt16?, sparing: [UserRef])
    /// Takes back what the hub made about a channel.
    case forget(ChannelRef)

    /// Whether it matters which of the two an inbox sees first.
    func undoes(_ other: Work) -> Bool {
      switch (self, other) {
      case (.deliver(let arrival), .retract(let key, _, _)),
        (.retract(let key, _, _), .deliver(let arrival)):
        arrival.key == key
      case (.deliver(let arrival), .forget(let channel)),
        (.forget(let channel), .deliver(let arrival)):
        arrival.publisher == .hub(channel)
      case (.deliver, .deliver), (.retract, _), (.forget, _): false
      }
    }
  }

  /// Whose inboxes.
  enum Audience: Equatable, Sendable {
    case users([UserRef])
    case members(ChannelRef)
    case segment(Segment)

    /// How many places there are to look at.
    func extent(userCount: Int) -> Int {
      switch self {
      case .users(let users): users.count
      case .members, .segment: userCount
      }
    }

    /// Places that are looked at with one record.
    var sliceExtent: Int {
      switch self {
      case .users: 256
      // Whose `custom` is read for it.
      case .segment: 512
      case .members: 2_048
      }
    }
  }

  /// Inboxes that are changed with one record.
  static let sliceInboxes = 256

  /// The number of the record that began it.
  let id: Int
  let work: Work
  let audience: Audience
  /// The first place that was not looked at yet.
  var next = 0
  /// The place behind the last.
  let end: Int
  /// Inboxes in which something was done.
  var count = 0

  var isDone: Bool { next >= end }

  /// What is being delivered.
  var arrival: Inbox.Arrival? {
    if case .deliver(let arrival) = work { arrival } else { nil }
  }
}
