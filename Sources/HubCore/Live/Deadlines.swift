import HeapModule
import HubProtocol

/// Things that are to happen at a time, the earliest first. Whoever takes one finds out whether it
/// still holds.
struct Deadlines<Thing: Sendable>: Sendable {
  private struct Entry: Comparable, Sendable {
    let due: Int
    let thing: Thing

    static func < (lhs: Entry, rhs: Entry) -> Bool { lhs.due < rhs.due }
    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.due == rhs.due }
  }

  private var entries = Heap<Entry>()

  /// Milliseconds of uptime of the earliest; nil when there is none.
  var next: Int? { entries.min?.due }

  /// Puts something in for a moment of uptime, in milliseconds.
  mutating func insert(_ thing: Thing, at due: Int) {
    entries.insert(Entry(due: due, thing: thing))
  }

  /// Takes out what is due.
  mutating func takeDue(uptime: Int) -> [Thing] {
    var things: [Thing] = []
    while let first = entries.min, first.due <= uptime {
      entries.removeMin()
      things.append(first.thing)
    }
    return things
  }
}

/// A channel that one of its members has muted for a time.
struct Muting: Hashable, Sendable {
  let user: UserRef
  let channel: ChannelRef
}

/// What is kept of a user who has gone.
struct Absence {
  /// What they want to be seen as when they come back.
  var status: PresenceStatus
  var lastSeenTs: Timestamp?
}
