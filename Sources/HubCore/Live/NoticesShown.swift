import DequeModule
import HubProtocol

/// Which notices one user's connections show, so that each is taken back where it went (protocol,
/// "Notices").
package struct NoticesShown: Sendable {
  /// Notices remembered; an older one stays on the screen until the person takes it away.
  package static let limit = Limits.noticesShown

  /// One message, and who shows it.
  package struct Shown: Equatable, Sendable {
    package let channel: ChannelRef
    package let seq: Int
    /// Each once, at least one.
    package let connections: [ConnectionID]

    package init(channel: ChannelRef, seq: Int, connections: [ConnectionID]) {
      self.channel = channel
      self.seq = seq
      self.connections = connections
    }
  }

  /// The oldest first, each message once.
  private var entries: Deque<Shown> = []

  package init() {}

  /// Notices remembered at the moment.
  package var count: Int { entries.count }

  /// A notice went to these connections, besides those that have it already.
  package mutating func note(_ channel: ChannelRef, seq: Int, connections: [ConnectionID]) {
    var all = take { $0.channel == channel && $0.seq == seq }.flatMap(\.connections)
    for connection in connections where !all.contains(connection) { all.append(connection) }
    guard !all.isEmpty else { return }
    if entries.count == Self.limit { entries.removeFirst() }
    append(Shown(channel: channel, seq: seq, connections: all))
  }

  /// The user has read the channel up to a message. Answers what is to be taken back, the oldest
  /// notice first, and forgets it; so do the others.
  package mutating func retract(_ channel: ChannelRef, upTo seq: Int) -> [Shown] {
    take { $0.channel == channel && $0.seq <= seq }
  }

  /// A message was deleted.
  package mutating func retract(_ channel: ChannelRef, seq: Int) -> Shown? {
    take { $0.channel == channel && $0.seq == seq }.first
  }

  /// The user has left the channel, or it was deleted.
  package mutating func retract(_ channel: ChannelRef) -> [Shown] {
    take { $0.channel == channel }
  }

  /// A connection ended: what it showed is gone with it.
  package mutating func forget(_ connection: ConnectionID) {
    guard entries.contains(where: { $0.connections.contains(connection) }) else { return }
    for entry in take(where: { _ in true }) {
      let others = entry.connections.filter { $0 != connection }
      guard !others.isEmpty else { continue }
      append(Shown(channel: entry.channel, seq: entry.seq, connections: others))
    }
  }

  /// Most notices of a user go to the same connections: they share one list.
  private mutating func append(_ entry: Shown) {
    guard let last = entries.last, last.connections == entry.connections else {
      entries.append(entry)
      return
    }
    entries.append(
      Shown(channel: entry.channel, seq: entry.seq, connections: last.connections))
  }

  private mutating func take(where isMeant: (Shown) -> Bool) -> [Shown] {
    let taken = entries.filter(isMeant)
    if !taken.isEmpty { entries.removeAll(where: isMeant) }
    return Array(taken)
  }
}
