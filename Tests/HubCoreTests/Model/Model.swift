import HubProtocol

/// The protocol once more, as plainly as it can be said: what each connection must receive, line by
/// line. Numbers that are paced (`unread`) are left to the end.
struct Model {
  struct Connection {
    let user: String
    var subscriptions: Set<String> = []
    var lines: [String] = []
    /// What the last reply was a summary of.
    var summary: (room: String, incarnation: Int)?
    var isOpen = true
  }

  /// Names of direct channels by their two users.
  let directNames: [Set<String>: String]
  var rooms: [String: Room] = [:]
  var connections: [Connection] = []
  var users: Set<String> = []
  /// Milliseconds of the clock that never jumps.
  var uptime = 0
  /// When each user's last connection closed.
  private var leftAt: [String: Int] = [:]
  private var newest = 0
  private var incarnations = 0

  init(directNames: [Set<String>: String]) {
    self.directNames = directNames
  }

  mutating func connect(_ user: String, wall: Int) {
    if users.insert(user).inserted { newest = max(newest, wall) }
    connections.append(Connection(user: user))
    let joined = rooms.values.filter { $0.place(of: user) != nil }.sorted {
      ($1.updated, $0.name) < ($0.updated, $1.name)
    }
    let channels = joined.map { " [\(summary(of: $0, for: user))]" }
    tell(connections.count - 1, "hello \(user)" + channels.joined())
  }

  mutating func disconnect(_ connection: Int) {
    connections[connection].isOpen = false
    connections[connection].subscriptions = []
    leftAt[connections[connection].user] = uptime
  }

  mutating func perform(_ step: Step, by connection: Int, wall: Int) {
    if step.isRecorded { newest = max(newest, wall) }
    connections[connection].summary = nil
    switch step {
    case .create(let name, let kind, let members): create(name, kind, members, by: connection)
    case .open(let other): open(other, by: connection)
    case .delete(let name): inRoom(name, connection) { $0.delete($1, by: connection) }
    case .join(let name): inRoom(name, connection) { $0.join($1, by: connection) }
    case .leave(let name): inRoom(name, connection) { $0.leave($1, by: connection) }
    case .moderate(let name, let moderation):
      inRoom(name, connection) { $0.moderate(moderation, $1, by: connection) }
    case .send(let name, let text, let key, let mention, let replyTo):
      let user = connections[connection].user
      let post = Post(user: user, text: text, key: key, mention: mention, replyTo: replyTo)
      inRoom(name, connection) { $0.send(post, $1, connection) }
    case .change(let name, let seq, let change):
      inRoom(name, connection) { $0.change(change, seq, $1, by: connection) }
    case .read(let name, let seq):
      inRoom(name, connection) { $0.move($1, read: seq, delivered: seq, by: connection) }
    case .delivered(let name, let seq):
      inRoom(name, connection) { $0.move($1, read: 0, delivered: seq, by: connection) }
    case .readUnread(let name, let seq):
      inRoom(name, connection) { $0.moveBack($1, to: seq, by: connection) }
    case .unsubscribe(let name):
      connections[connection].subscriptions.remove(name)
      tell(connection, "ok")
    case .subscribe, .recover, .before, .after, .thread, .get: look(step, by: connection)
    }
  }

  /// What was looked up for it was out of date by then.
  mutating func refuse(_ step: Step, by connection: Int, wall: Int) {
    if step.isRecorded { newest = max(newest, wall) }
    connections[connection].summary = nil
    tell(connection, "refused unavailable")
  }

  func summary(of room: Room, for user: String?) -> String {
    room.summary(present: room.members.count { isPresent($0.user) }, for: user)
  }

  /// Whether somebody is there, or was within the last 10 s.
  private func isPresent(_ user: String) -> Bool {
    connections.contains { $0.isOpen && $0.user == user }
      || leftAt[user].map { uptime < $0 + 10_000 } ?? false
  }

  mutating func tell(_ connection: Int, _ line: String) {
    if connections[connection].isOpen { connections[connection].lines.append(line) }
  }

  /// Replies with a summary.
  mutating func show(_ room: Room, to connection: Int) {
    tell(connection, summary(of: room, for: connections[connection].user))
    connections[connection].summary = (room.name, room.incarnation)
  }

  /// Tells every connection for which `isReceiver` holds.
  mutating func tell(_ line: String, _ isReceiver: (Connection) -> Bool) {
    for index in connections.indices where isReceiver(connections[index]) { tell(index, line) }
  }

  /// Goes on with the channel, if the user may know of it.
  mutating func inRoom(
    _ name: String, _ connection: Int, _ body: (inout Model, Room) -> Void
  ) {
    guard let room = rooms[name] else { return tell(connection, "refused not_found") }
    if let code = room.refusal(to: connections[connection].user) {
      return tell(connection, "refused \(code)")
    }
    body(&self, room)
  }

  /// Goes on with the channel and the user's place among its members.
  mutating func asMember(
    of room: Room, _ connection: Int, _ body: (inout Model, Int) -> Void
  ) {
    guard let place = room.place(of: connections[connection].user) else {
      return tell(connection, "refused not_member")
    }
    body(&self, place)
  }

  private mutating func create(
    _ name: String, _ kind: ChannelKind, _ members: [String], by connection: Int
  ) {
    guard rooms[name] == nil else { return tell(connection, "refused already_exists") }
    guard users.isSuperset(of: members) else { return tell(connection, "refused not_found") }
    let creator = connections[connection].user
    var room = makeRoom(name, kind)
    room.join(creator, as: .owner)
    for user in members where room.place(of: user) == nil { room.join(user, as: .member) }
    begin(room, by: connection)
  }

  private mutating func open(_ other: String, by connection: Int) {
    let user = connections[connection].user
    guard users.contains(other) else { return tell(connection, "refused not_found") }
    guard other != user else { return tell(connection, "refused bad_request") }
    let name = directNames[[user, other]] ?? ""
    if let room = rooms[name] { return show(room, to: connection) }
    var room = makeRoom(name, .direct)
    for member in [user, other] { room.join(member, as: .member) }
    begin(room, by: connection)
  }

  private mutating func makeRoom(_ name: String, _ kind: ChannelKind) -> Room {
    incarnations += 1
    return Room(name: name, kind: kind, incarnation: incarnations, updated: newest)
  }

  private mutating func begin(_ room: Room, by connection: Int) {
    rooms[room.name] = room
    show(room, to: connection)
    tell("created " + summary(of: room, for: nil)) { room.place(of: $0.user) != nil }
  }

  /// Time of the newest record.
  var now: Int { newest }
}
