import HubProtocol

/// Who is there and who types, as plainly as it can be said.
struct LiveModel {
  struct Person {
    /// Numbers of the connections that are open.
    var connections: Set<Int> = []
    var status = PresenceStatus.online
    /// When the last connection closed.
    var leftAt = -100_000
    var blocked: Set<String> = []
    var showsTyping = true
  }

  private struct Typist {
    let user: String
    let connection: Int
    var until: Int
  }

  var people: [String: Person] = [:]
  private(set) var uptime: Int
  private var typists: [Typist] = []

  init(names: [String], uptime: Int) {
    self.uptime = uptime
    for name in names { people[name] = Person() }
  }

  /// Time has come to this; nothing else happened meanwhile.
  mutating func advance(to uptime: Int) {
    self.uptime = uptime
    typists.removeAll { $0.until <= uptime }
    for (name, person) in people where !isThere(name) && person.status == .away {
      people[name]?.status = .online
    }
  }

  /// Whether somebody is there, or was within the last 10 s.
  func isThere(_ name: String) -> Bool {
    guard let person = people[name] else { return false }
    return !person.connections.isEmpty || uptime < person.leftAt + 10_000
  }

  /// What others see of somebody, blocks left aside.
  func shown(_ name: String) -> String {
    guard isThere(name), let status = people[name]?.status, status != .invisible else {
      return "offline"
    }
    return status.rawValue
  }

  /// What one person sees of another.
  func seen(_ name: String, by viewer: String) -> String {
    areApart(name, viewer) ? "offline" : shown(name)
  }

  func areApart(_ one: String, _ other: String) -> Bool {
    people[one]?.blocked.contains(other) == true || people[other]?.blocked.contains(one) == true
  }

  mutating func connect(_ name: String, _ connection: Int) {
    people[name]?.connections.insert(connection)
  }

  mutating func disconnect(_ name: String, _ connection: Int) {
    people[name]?.connections.remove(connection)
    typists.removeAll { $0.connection == connection }
    if people[name]?.connections.isEmpty == true { people[name]?.leftAt = uptime }
  }

  mutating func type(_ name: String, _ connection: Int, on: Bool) {
    let place = typists.firstIndex { $0.connection == connection }
    guard on, people[name]?.showsTyping == true else {
      if let place { typists.remove(at: place) }
      return
    }
    if let place {
      typists[place].until = uptime + 6_000
    } else {
      typists.append(Typist(user: name, connection: connection, until: uptime + 6_000))
    }
  }

  /// Somebody types no more, on whatever connection.
  mutating func stopTyping(_ name: String) {
    typists.removeAll { $0.user == name }
  }

  mutating func setShowsTyping(_ shows: Bool, of name: String) {
    people[name]?.showsTyping = shows
    if !shows { stopTyping(name) }
  }

  /// Who types in the eyes of a subscriber, in the order in which they began.
  func typing(seenBy viewer: String) -> [String] {
    guard people[viewer]?.showsTyping == true else { return [] }
    var seen: [String] = []
    for typist in typists where !seen.contains(typist.user) && !areApart(typist.user, viewer) {
      seen.append(typist.user)
    }
    return seen
  }
}
