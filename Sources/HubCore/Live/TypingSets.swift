import DequeModule

/// Who types where (protocol, "Ephemeral"): forgotten 6 s after the last word of it.
package struct TypingSets {
  /// Milliseconds after which typing is forgotten.
  package static let lifetime = 6_000

  private struct Typist {
    let user: UserRef
    let connection: ConnectionID
    var until: Int
  }

  private var sets: [ChannelRef: [Typist]] = [:]
  /// Where a connection may have typists; some may be gone already.
  private var places: [ConnectionID: Set<ChannelRef>] = [:]
  private var expiries: Deque<(until: Int, channel: ChannelRef)> = []

  package init() {}

  /// Milliseconds of uptime when `expire` has something to do.
  package var nextExpiry: Int? { expiries.first?.until }

  /// Everybody who types in the channel, each once, in the order in which they began.
  package func users(in channel: ChannelRef) -> [UserRef] {
    var seen: Set<UserRef> = []
    return (sets[channel] ?? []).map(\.user).filter { seen.insert($0).inserted }
  }

  /// A connection's user types; true when that changes who does.
  package mutating func begin(
    _ user: UserRef, on connection: ConnectionID, in channel: ChannelRef, uptime: Int
  ) -> Bool {
    let until = uptime + Self.lifetime
    expiries.append((until, channel))
    places[connection, default: []].insert(channel)
    // Taken out while it changes, so that it is not copied.
    var typists = sets.removeValue(forKey: channel) ?? []
    defer { sets[channel] = typists }
    if let index = typists.firstIndex(where: { $0.connection == connection }) {
      typists[index].until = until
      return false
    }
    let isNew = !typists.contains { $0.user == user }
    typists.append(Typist(user: user, connection: connection, until: until))
    return isNew
  }

  /// A connection's user no longer types there; true when that changes who does.
  package mutating func end(on connection: ConnectionID, in channel: ChannelRef) -> Bool {
    !remove(in: channel) { $0.connection == connection }.isEmpty
  }

  /// A user types nowhere in the channel any more; true when they did.
  package mutating func end(of user: UserRef, in channel: ChannelRef) -> Bool {
    !remove(in: channel) { $0.user == user }.isEmpty
  }

  /// Nobody types in the channel any more.
  package mutating func end(in channel: ChannelRef) {
    sets[channel] = nil
  }

  /// Forgets a connection; answers the channels where that changes who types.
  package mutating func end(on connection: ConnectionID) -> [ChannelRef] {
    guard let channels = places.removeValue(forKey: connection) else { return [] }
    return channels.sorted().filter { end(on: connection, in: $0) }
  }

  /// Forgets what is too old; answers where that changes who types, and who no longer does.
  package mutating func expire(uptime: Int) -> [(channel: ChannelRef, users: [UserRef])] {
    var changed: [(channel: ChannelRef, users: [UserRef])] = []
    while let first = expiries.first, first.until <= uptime {
      expiries.removeFirst()
      let users = remove(in: first.channel) { $0.until <= uptime }
      if !users.isEmpty { changed.append((first.channel, users)) }
    }
    return changed
  }

  /// Answers who types no more.
  private mutating func remove(
    in channel: ChannelRef, where isGone: (Typist) -> Bool
  ) -> [UserRef] {
    guard let before = sets[channel] else { return [] }
    let after = before.filter { !isGone($0) }
    guard after.count < before.count else { return [] }
    sets[channel] = after.isEmpty ? nil : after
    return before.map(\.user).filter { user in !after.contains { $0.user == user } }
  }
}
